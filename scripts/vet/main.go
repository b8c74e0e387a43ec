// Vet checks the program for other systems than this one: that it compiles, and what `go vet` finds. `go vet` would
// first compile every library for each system; this reads their sources instead, which takes seconds, not minutes.
package main

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/asmdecl"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/framepointer"
	"golang.org/x/tools/go/analysis/passes/hostport"
	"golang.org/x/tools/go/analysis/passes/httpresponse"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/loopclosure"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/slog"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stdversion"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
	"golang.org/x/tools/go/packages"
)

// analyzers are those of `go vet`, without the one for cgo and those that read the bodies of what a package imports.
func analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		appends.Analyzer, asmdecl.Analyzer, assign.Analyzer, atomic.Analyzer, bools.Analyzer, buildtag.Analyzer,
		composite.Analyzer, copylock.Analyzer, defers.Analyzer, directive.Analyzer, errorsas.Analyzer,
		framepointer.Analyzer, hostport.Analyzer, httpresponse.Analyzer, ifaceassert.Analyzer, loopclosure.Analyzer,
		nilfunc.Analyzer, shift.Analyzer, sigchanyzer.Analyzer, slog.Analyzer,
		stdmethods.Analyzer, stdversion.Analyzer, stringintconv.Analyzer, structtag.Analyzer, testinggoroutine.Analyzer,
		tests.Analyzer, timeformat.Analyzer, unmarshal.Analyzer, unreachable.Analyzer, unsafeptr.Analyzer,
		unusedresult.Analyzer, waitgroup.Analyzer,
	}
}

func main() {
	ok := true
	for _, system := range os.Args[1:] {
		found, err := vet(".", system)
		for _, line := range found {
			fmt.Fprintln(os.Stderr, line)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "vet for %s: %v\n", system, err)
		}
		ok = ok && err == nil && len(found) == 0
	}
	if !ok {
		os.Exit(1)
	}
}

// vet returns what is wrong for a system with the packages of the module in dir and their tests, a line each.
func vet(dir, system string) ([]string, error) {
	all, err := load(dir, system)
	if err != nil {
		return nil, err
	}
	if found := mistakes(all); len(found) > 0 {
		return found, nil
	}

	graph, err := checker.Analyze(analyzers(), all, nil)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s of %s: %w", action.Analyzer, action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			found = append(found, fmt.Sprintf("%s: %s", action.Package.Fset.Position(d.Pos), d.Message))
		}
	}
	return distinct(found), nil
}

// mistakes are the errors for which packages do not compile.
func mistakes(all []*packages.Package) (found []string) {
	packages.Visit(all, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			found = append(found, err.Error())
		}
	})
	return distinct(found)
}

// distinct sorts lines and drops the second of two that are equal: a package is also read together with its tests.
func distinct(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

func load(dir, system string) ([]*packages.Package, error) {
	return packages.Load(&packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedTypesInfo |
			packages.NeedSyntax | packages.NeedModule,
		Env:        append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0"),
		BuildFlags: tags(system),
		Tests:      true,
	}, "./...")
}

// tags selects the end-to-end tests for the one system that they run on.
func tags(system string) []string {
	if system == "linux" {
		return []string{"-tags=e2e"}
	}
	return nil
}
