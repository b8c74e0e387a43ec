package fault

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of codes into api/openapi.json")

// declared is one constant of codes.go or toolcodes.go.
type declared struct {
	name  string
	code  Code
	about string
}

// codeFiles declare the codes.
var codeFiles = []string{"codes.go", "toolcodes.go"}

// declaredCodes reads codes.go and toolcodes.go.
func declaredCodes(t *testing.T) (all []declared) {
	t.Helper()
	var decls []ast.Decl
	for _, name := range codeFiles {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		decls = append(decls, file.Decls...)
	}
	for _, d := range decls {
		block, ok := d.(*ast.GenDecl)
		if !ok || block.Tok != token.CONST {
			continue
		}
		for _, s := range block.Specs {
			one := s.(*ast.ValueSpec)
			name, value := one.Names[0].Name, one.Values[0].(*ast.BasicLit).Value
			code, err := strconv.Unquote(value)
			if err != nil {
				t.Fatal(err)
			}
			about, ok := strings.CutPrefix(strings.Join(strings.Fields(one.Doc.Text()), " "), name+": ")
			if !ok || !strings.HasSuffix(about, ".") {
				t.Errorf("%s: its comment %q is not its name, a colon and a sentence", name, about)
			}
			all = append(all, declared{name, Code(code), about})
		}
	}
	if len(all) < 100 {
		t.Fatalf("only %d codes were found", len(all))
	}
	return all
}

// program visits every file of the program that is no test.
func program(t *testing.T, visit func(path string, set *token.FileSet, file *ast.File)) {
	t.Helper()
	root := filepath.Join("..", "..")
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "e2e" || name == "node_modules" ||
				strings.HasPrefix(name, ".") && path != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Base(filepath.Dir(path)) == "fault" && slices.Contains(codeFiles, filepath.Base(path)) {
			return nil
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		files++
		visit(path, set, file)
		return nil
	})
	if err != nil || files < 200 {
		t.Fatalf("%d files, %v", files, err)
	}
}

func TestCodesAreWrittenOutInOnePlace(t *testing.T) {
	like := regexp.MustCompile(`^"E_[A-Z]`)
	program(t, func(_ string, set *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && like.MatchString(text.Value) {
				t.Errorf("%s: %s: use the constant of codes.go", set.Position(text.Pos()), text.Value)
			}
			return true
		})
	})
}

func TestEachCodeIsUsed(t *testing.T) {
	used := map[string]bool{}
	program(t, func(_ string, _ *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				used[name.Name] = true
			}
			return true
		})
	})
	seen := map[Code]string{}
	for _, c := range declaredCodes(t) {
		if !used[c.name] {
			t.Errorf("nothing uses %s", c.name)
		}
		if seen[c.code] != "" {
			t.Errorf("%s is both %s and %s", c.code, seen[c.code], c.name)
		}
		seen[c.code] = c.name
	}
}

// TestOnlyMistakesAreInternal holds that a new code gets its kind: one that Kind does not know is Internal.
func TestOnlyMistakesAreInternal(t *testing.T) {
	internal := map[Code]bool{CodeInternal: true, CodeDoctor: true, CodeNotVerified: true, CodeBrowserLaunch: true,
		CodeSkillCheck: true,
		CodeSecrets:    true, CodeProxyCheck: true,
		CodeJournal: true, CodeJournalKey: true}
	for _, c := range declaredCodes(t) {
		if got := c.code.Kind() == Internal; got != internal[c.code] {
			t.Errorf("%s is of the kind %s", c.name, c.code.Kind())
		}
	}
}

// TestTheDescriptionOfTheAPIListsEachCode compares api/openapi.json with the constants; -update writes the list.
func TestTheDescriptionOfTheAPIListsEachCode(t *testing.T) {
	name := filepath.Join("..", "..", "api", "openapi.json")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, c := range declaredCodes(t) {
		about, err := json.Marshal(c.about)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprintf(`          {"const": %q, "title": %q, "description": %s}`, c.code,
			c.code.Kind(), about))
	}
	list := regexp.MustCompile(`(?s)("ErrorCode": \{.*?"anyOf": \[\n)(.*?)(\n        \])`)
	m := list.FindSubmatchIndex(raw)
	if m == nil {
		t.Fatal("the description has no list of codes")
	}
	want := strings.Join(lines, ",\n")
	if got := string(raw[m[4]:m[5]]); got == want {
		return
	}
	if !*update {
		t.Fatal("the list of codes is not that of codes.go; write it with: go test ./internal/fault -run Description " +
			"-update")
	}
	out := string(raw[:m[4]]) + want + string(raw[m[5]:])
	if err := os.WriteFile(name, []byte(out), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestErrorsThatNameAnElementQuoteThePage reads where those errors are made: words of a page must be marked as such.
func TestErrorsThatNameAnElementQuoteThePage(t *testing.T) {
	quotes := 0
	program(t, func(path string, set *token.FileSet, file *ast.File) {
		if !strings.Contains(filepath.ToSlash(path), "/internal/page/") {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			made, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if from, ok := made.X.(*ast.Ident); !ok || from.Name != "fault" {
				return true
			}
			switch {
			case made.Sel.Name == "Quote":
				quotes++
			case made.Sel.Name == "New" && namesAnElement(call.Args[1]):
				t.Errorf("%s holds names of the page: make it with fault.Quote", set.Position(call.Pos()))
			}
			return true
		})
	})
	if quotes < 15 {
		t.Errorf("only %d errors quote a page", quotes)
	}
}

// namesAnElement reports whether a sentence begins with an element, or is formatted from texts.
func namesAnElement(text ast.Expr) bool {
	if sum, ok := text.(*ast.BinaryExpr); ok {
		return namesAnElement(sum.X)
	}
	call, ok := text.(*ast.CallExpr)
	if !ok {
		return false
	}
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "capital"
	case *ast.SelectorExpr:
		format, ok := call.Args[0].(*ast.BasicLit)
		return f.Sel.Name == "Sprintf" && (!ok || regexp.MustCompile(`%[sq]`).MatchString(format.Value))
	}
	return false
}
