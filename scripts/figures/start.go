package main

import (
	"go/ast"
	"go/token"
	"strings"
)

// countCompiled names the package variables of the program that compile a regular expression: every start of the
// program pays for them, used or not.
func countCompiled(packages []*pkg) (names []string) {
	for _, p := range packages {
		if !ofProgram(p.path) {
			continue
		}
		for _, f := range p.files {
			for _, d := range f.syntax.Decls {
				if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.VAR && compiles(d) {
					names = append(names, f.at(d))
				}
			}
		}
	}
	return names
}

// ofProgram reports whether a package is in the program that people start.
func ofProgram(path string) bool {
	for _, tools := range []string{"bench", "scripts", "internal/bundle"} {
		if path == tools || strings.HasPrefix(path, tools+"/") {
			return false
		}
	}
	return !strings.HasSuffix(path, "test")
}

// compiles reports whether a declaration calls regexp.MustCompile when the program starts, and not in a function.
func compiles(d *ast.GenDecl) bool {
	found := false
	ast.Inspect(d, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if to, ok := call.Fun.(*ast.SelectorExpr); ok && strings.HasPrefix(to.Sel.Name, "MustCompile") {
				found = true
			}
		}
		_, function := n.(*ast.FuncLit)
		return !function
	})
	return found
}
