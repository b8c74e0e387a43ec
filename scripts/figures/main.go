// Figures prints what the shape of the program is in numbers: sizes, layout, words and the order of files and packages.
// `make figures` runs it; `make figures BASE=<git ref>` puts another version beside this one.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	base := flag.String("base", "", "a git ref to compare with")
	flag.Parse()

	if err := run(*base); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(base string) error {
	now, err := measure(".")
	if err != nil {
		return err
	}

	if base == "" {
		report{now: now}.print(os.Stdout)
		return nil
	}

	dir, err := checkout(base)
	defer func() { _ = os.RemoveAll(dir) }()
	if err != nil {
		return err
	}
	before, err := measure(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", base, err)
	}

	report{name: base, before: before, now: now}.print(os.Stdout)
	return nil
}

// figures are the numbers of one version of the program.
type figures struct {
	sizes   sizes
	layout  layout
	tests   layout
	methods []methodCount
	exports exports
	words   map[string]*wordCount
	upward  map[string]upward // by package
	imports []string          // that run upward between packages

	compiled []string // package variables of the program that compile a pattern
}

// measure reads the module in dir and counts.
func measure(dir string) (*figures, error) {
	m, err := load(dir)
	if err != nil {
		return nil, err
	}
	resolved, err := m.resolve()
	if err != nil {
		return nil, err
	}

	f := &figures{
		sizes:   measureSizes(m.packages),
		methods: countMethods(m.packages),
		exports: countExports(m.packages),
		words:   countWords(m.packages),
		upward:  map[string]upward{},
		imports: upwardImports(m.packages),

		compiled: countCompiled(m.packages),
	}
	for _, p := range m.packages {
		for _, file := range p.files {
			f.layout.add(file.text)
		}
		f.upward[p.path] = upward{
			files:    len(p.files),
			named:    upwardPairs(namedReferences(p)),
			resolved: leastUpward(resolved[p.path]),
		}
	}
	for _, text := range m.tests {
		f.tests.add(text)
	}
	return f, nil
}
