package main

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// verbs are the words that once meant ten things each, with the forms that count as the same word.
var verbs = []verb{
	{"take", "takes took taken taking taker"},
	{"picture", "pictures pictured"},
	{"line", "lines lined"},
	{"ask", "asks asked asking asker"},
	{"leave", "leaves left leaving"},
	{"tell", "tells told telling teller"},
	{"note", "notes noted noting"},
	{"keep", "keeps kept keeping"},
	{"hold", "holds held holding holder"},
	{"place", "places placed placing"},
}

type verb struct{ word, forms string }

// wordCount is what is declared with one of the verbs.
type wordCount struct {
	exact, forms map[string]int // declarations by package: of the word alone, and of the word and its forms
	sites        []string       // file:line and name of each of them
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// countWords counts the declared names whose first word is one of the verbs: functions, methods, types, package
// variables and constants, fields, methods of interfaces. Names inside functions do not count.
func countWords(packages []*pkg) map[string]*wordCount {
	all := map[string]*wordCount{}
	for _, v := range verbs {
		all[v.word] = &wordCount{exact: map[string]int{}, forms: map[string]int{}}
	}
	for _, p := range packages {
		for _, f := range p.files {
			for _, name := range declared(f.syntax) {
				first := firstWord(name.Name)
				for _, v := range verbs {
					if first == v.word {
						all[v.word].exact[p.path]++
					}
					if first == v.word || slices.Contains(strings.Fields(v.forms), first) {
						all[v.word].forms[p.path]++
						all[v.word].sites = append(all[v.word].sites, f.at(name)+" "+name.Name)
					}
				}
			}
		}
	}
	return all
}

// firstWord is the first word of a name in camel case, in lower case.
func firstWord(name string) string {
	for i, r := range name {
		if i > 0 && (unicode.IsUpper(r) || unicode.IsDigit(r) || r == '_') {
			return strings.ToLower(name[:i])
		}
	}
	return strings.ToLower(name)
}

// declared are the names that a file declares outside of function bodies, and the fields of types inside of them.
func declared(f *ast.File) (names []*ast.Ident) {
	for _, d := range f.Decls {
		names = append(names, declaredBy(d)...)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		var fields *ast.FieldList
		switch n := n.(type) {
		case *ast.StructType:
			fields = n.Fields
		case *ast.InterfaceType:
			fields = n.Methods
		default:
			return true
		}
		for _, field := range fields.List {
			names = append(names, field.Names...)
		}
		return true
	})
	return names
}

// declaredBy are the names of one declaration of a package: its function or method, types, variables, constants.
func declaredBy(d ast.Decl) (names []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names = append(names, d.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name)
			case *ast.ValueSpec:
				names = append(names, s.Names...)
			}
		}
	}
	return names
}

// exports counts the exported names, and those of them without a comment.
type exports struct {
	all  int
	bare []string
}

// countExports looks at the functions, types, methods of exported types, variables and constants of a package that
// have an exported name. A comment on a group counts for all in it, one behind a line counts too. The constants of an
// enumeration do not count: the comment on their type explains them.
func countExports(packages []*pkg) (e exports) {
	for _, p := range packages {
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				e.add(p.path, d)
			}
		}
	}
	slices.Sort(e.bare)
	return e
}

func (e *exports) add(at string, d ast.Decl) {
	count := func(name string, documented bool) {
		if !token.IsExported(name[strings.LastIndex(name, ".")+1:]) {
			return
		}
		e.all++
		if !documented {
			e.bare = append(e.bare, at+" "+name)
		}
	}

	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			count(d.Name.Name, d.Doc != nil)
		} else if of := receiver(d); token.IsExported(of) {
			count(of+"."+d.Name.Name, d.Doc != nil)
		}
	case *ast.GenDecl:
		if d.Tok == token.CONST && d.Lparen.IsValid() {
			return
		}
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				count(s.Name.Name, s.Doc != nil || d.Doc != nil || s.Comment != nil)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					count(name.Name, s.Doc != nil || d.Doc != nil || s.Comment != nil)
				}
			}
		}
	}
}

// byPackage lists the names without a comment, a line for each package.
func (e exports) byPackage() (lines []string) {
	names := map[string][]string{}
	for _, b := range e.bare {
		at, name, _ := strings.Cut(b, " ")
		names[at] = append(names[at], name)
	}
	for _, at := range sortedKeys(names) {
		lines = append(lines, at+": "+strings.Join(names[at], ", "))
	}
	return lines
}

// sortedKeys are the keys of a map in their order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
