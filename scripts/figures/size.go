package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"unicode/utf8"
)

// sizes are the lengths of files, packages and functions.
type sizes struct {
	total     int
	files     []length
	packages  []length
	functions []length // over longFunction, the longest first
}

// length is something with a name and a number of lines.
type length struct {
	name  string
	count int
}

// longFunction is the number of lines that a function may have, with its head and its closing brace.
const longFunction = 60

func measureSizes(packages []*pkg) (s sizes) {
	for _, p := range packages {
		all := 0
		for _, f := range p.files {
			n := strings.Count(f.text, "\n")
			all += n
			s.files = append(s.files, length{f.name, n})
			s.functions = append(s.functions, longFunctions(f)...)
		}
		s.total += all
		s.packages = append(s.packages, length{p.path, all})
	}
	for _, all := range [][]length{s.files, s.packages} {
		slices.SortFunc(all, func(a, b length) int { return cmp.Compare(a.count, b.count) })
	}
	slices.SortFunc(s.functions, func(a, b length) int { return cmp.Compare(b.count, a.count) })
	return s
}

func longFunctions(f *file) (all []length) {
	for _, d := range f.syntax.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			if n := f.span(fn); n > longFunction {
				all = append(all, length{fmt.Sprintf("%s %s", f.name, fn.Name.Name), n})
			}
		}
	}
	return all
}

// quantile is the length below which a share of all lie; all are sorted.
func quantile(all []length, share float64) length {
	if len(all) == 0 {
		return length{}
	}
	return all[min(int(share*float64(len(all))), len(all)-1)]
}

// layout counts how lines look.
type layout struct{ total, long, blank int }

const (
	longLine = 120
	tabWidth = 4
)

func (l *layout) add(text string) {
	for line := range strings.Lines(text) {
		l.total++
		if strings.TrimSpace(line) == "" {
			l.blank++
		}
		if width(strings.TrimRight(line, "\r\n")) > longLine {
			l.long++
		}
	}
}

// width is the number of columns of a line.
func width(line string) int {
	return utf8.RuneCountInString(line) + (tabWidth-1)*strings.Count(line, "\t")
}

// methodCount is how many methods a type has.
type methodCount struct {
	name    string
	methods int
}

// countMethods counts the methods of every type, the largest first. A method of which each system has its own counts
// once.
func countMethods(packages []*pkg) (all []methodCount) {
	for _, p := range packages {
		methods := map[string]map[string]bool{}
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil {
					continue
				}
				of := receiver(fn)
				if methods[of] == nil {
					methods[of] = map[string]bool{}
				}
				methods[of][fn.Name.Name] = true
			}
		}
		for name, m := range methods {
			all = append(all, methodCount{p.path + " " + name, len(m)})
		}
	}
	slices.SortFunc(all, func(a, b methodCount) int {
		return cmp.Or(cmp.Compare(b.methods, a.methods), strings.Compare(a.name, b.name))
	})
	return all
}

// receiver is the name of the type that a method belongs to.
func receiver(fn *ast.FuncDecl) string {
	at := fn.Recv.List[0].Type
	for {
		switch t := at.(type) {
		case *ast.StarExpr:
			at = t.X
		case *ast.IndexExpr:
			at = t.X
		case *ast.IndexListExpr:
			at = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
