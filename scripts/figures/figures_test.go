package main

import (
	"archive/tar"
	"bytes"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// source makes a package of tiny files, by their names.
func source(t *testing.T, path string, files map[string]string) *pkg {
	t.Helper()

	p := &pkg{path: path}
	fset := token.NewFileSet()
	for _, name := range sortedKeys(files) {
		f, err := parse(fset, path+"/"+name, "package p\n"+files[name])
		if err != nil {
			t.Fatal(err)
		}
		p.files = append(p.files, f)
	}
	return p
}

func TestSizes(t *testing.T) {
	body := strings.Repeat("\tprintln()\n", longFunction-1)
	p := source(t, "a", map[string]string{
		"long.go":  "func fits() {\n" + body[:len(body)-len("\tprintln()\n")] + "}\nfunc long() {\n" + body + "}\n",
		"short.go": "var x int\n",
	})
	s := measureSizes([]*pkg{p})

	if s.total != 124 || quantile(s.files, 0).count != 2 || quantile(s.files, 1) != (length{"a/long.go", 122}) {
		t.Errorf("lines: %+v", s)
	}
	if len(s.functions) != 1 || s.functions[0] != (length{"a/long.go long", longFunction + 1}) {
		t.Errorf("long functions: %+v", s.functions)
	}
	if got := quantile(s.packages, 0.5); got != (length{"a", 124}) {
		t.Errorf("median package: %+v", got)
	}
	if got := quantile(nil, 0.5); got != (length{}) {
		t.Errorf("the median of nothing: %+v", got)
	}
}

func TestLayout(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		want layout
	}{
		"an empty file has no lines":         {"", layout{}},
		"120 columns fit":                    {strings.Repeat("x", 120) + "\n", layout{total: 1}},
		"121 do not":                         {strings.Repeat("x", 121) + "\n", layout{total: 1, long: 1}},
		"a tab has four":                     {"\t" + strings.Repeat("x", 117) + "\n", layout{total: 1, long: 1}},
		"a letter of several bytes has one":  {strings.Repeat("é", 120) + "\n", layout{total: 1}},
		"white space alone is blank":         {"a\n\t\n\nb", layout{total: 4, blank: 2}},
		"a carriage return is not a column":  {strings.Repeat("x", 120) + "\r\n", layout{total: 1}},
		"the last line may have no line end": {strings.Repeat("x", 121), layout{total: 1, long: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			var got layout
			got.add(test.text)
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMethods(t *testing.T) {
	p := source(t, "a", map[string]string{
		"a_linux.go":   "func (t *T) Same() {}\nfunc (l list[E]) Len() {}",
		"a_windows.go": "func (t T) Same() {}\nfunc (T) Other() {}\nfunc plain() {}",
	})

	want := []methodCount{{"a T", 2}, {"a list", 1}}
	if got := countMethods([]*pkg{p}); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWords(t *testing.T) {
	p := source(t, "a", map[string]string{"a.go": `
		func takeOff() { take := 1; _ = take }
		func (T) Taken() {}
		func mistake(line int) {}
		type T struct { took, TakeX int }
		type reader interface { Take() }
		type Taker int
		const asking, taked = 1, 2
		var linear, placeOf int`})
	words := countWords([]*pkg{p})

	for word, want := range map[string][2]int{
		"take": {3, 6}, "ask": {0, 1}, "line": {0, 0}, "place": {1, 1}, "hold": {0, 0},
	} {
		if got := [2]int{words[word].exact["a"], words[word].forms["a"]}; got != want {
			t.Errorf("%s: got %v, want %v", word, got, want)
		}
	}
}

func TestFirstWord(t *testing.T) {
	for name, want := range map[string]string{
		"take": "take", "Take": "take", "takeOff": "take", "taken": "taken",
		"take2": "take", "take_off": "take", "": "",
	} {
		if got := firstWord(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestExports(t *testing.T) {
	p := source(t, "a", map[string]string{"a.go": `
		// Said has a comment.
		func Said() {}
		func Bare() {}
		func hidden() {}
		func (T) Method() {}
		func (*hiddenType) Method() {}
		type T int // behind the line
		// All of the group.
		var ( A int; B int )
		var C, d int
		const ( One = 1; Two = 2 )
		const Three = 3`})

	e := countExports([]*pkg{p})
	if want := []string{"a Bare", "a C", "a T.Method", "a Three"}; !slices.Equal(e.bare, want) || e.all != 8 {
		t.Errorf("got %v of %d, want %v of 8", e.bare, e.all, want)
	}
	if got := e.byPackage(); !slices.Equal(got, []string{"a: Bare, C, T.Method, Three"}) {
		t.Errorf("by package: %v", got)
	}
}

func TestNamedReferences(t *testing.T) {
	p := source(t, "a", map[string]string{
		"base.go": "type Base struct{}\nfunc (Base) Close() {}",
		"mid.go":  "func mid(b Base) { b.Close() }",
		"top.go":  "func top() { mid(Base{}) }\n// mentions other in a comment\nvar _ = \"other\"",
		"else.go": "func other() { top(); other() }",
	})

	refs := namedReferences(p)
	for from, want := range map[string][]string{
		"a/base.go": nil, "a/mid.go": {"a/base.go"}, "a/top.go": {"a/base.go", "a/mid.go"}, "a/else.go": {"a/top.go"},
	} {
		if got := sortedKeys(refs[from]); !slices.Equal(got, want) {
			t.Errorf("%s refers to %v, want %v", from, got, want)
		}
	}
	if n := upwardPairs(refs); n != 0 {
		t.Errorf("%d upward references in files that need only those below", n)
	}
}

func TestUpward(t *testing.T) {
	for name, test := range map[string]struct {
		pairs       string
		plain, best int
	}{
		"no file refers to another":     {"", 0, 0},
		"a line of files":               {"a>b b>c", 0, 0},
		"two that need each other":      {"a>b b>a", 1, 1},
		"a ring of three equals":        {"a>b b>c c>a", 2, 1},
		"a file that all use, and uses": {"a>d b>d c>d d>a", 1, 1},
		"only the better order has none": {
			"x>a x>b x>c a>d b>d c>d d>e e>f p>e q>e p>f q>f r>x s>x t>x u>x v>x", 4, 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			refs := references{}
			for _, pair := range strings.Fields(test.pairs) {
				from, to, _ := strings.Cut(pair, ">")
				refs.add(from, to)
			}
			if got := upwardPairs(refs); got != test.plain {
				t.Errorf("plain order: %d, want %d", got, test.plain)
			}
			if got := leastUpward(refs); got != test.best {
				t.Errorf("best order: %d, want %d", got, test.best)
			}
		})
	}
}

func TestUpwardImports(t *testing.T) {
	packages := []*pkg{
		source(t, "internal/policy", map[string]string{
			"a.go": `import ("fmt"; "cove/internal/gate"; "cove/internal/fault")`,
		}),
		source(t, "internal/page/dom", map[string]string{"b.go": `import ("cove/internal/page"; "cove/internal/cli")`}),
		source(t, "internal/app", map[string]string{"c.go": `import ("cove/internal/cli"; "cove/api")`}),
	}

	want := []string{"internal/policy/a.go → internal/gate", "internal/page/dom/b.go → internal/cli"}
	if got := upwardImports(packages); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":                    "module cove\n\ngo 1.26\n",
		"internal/a/a.go":           "// Package a is small.\npackage a\n\nfunc up() int { return down }\n",
		"internal/a/b.go":           "package a\n\nvar down = len(Name)\n\nconst Name = \"up\"\n\nvar _ = up\n",
		"internal/a/a_test.go":      "package a\n\n",
		"internal/a/gen.go":         "// Code generated by hand. DO NOT EDIT.\n\npackage a\n",
		"e2e/widgets/w.go":          "package widgets\n",
		"internal/a/testdata/y.go":  "no source of ours",
		"internal/a/a_windows.go":   "package a\n\nfunc onlyThere() { down++ }\n",
		"internal/a/.hidden/any.go": "no source of ours",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}

	f, err := measure(dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := (upward{files: 3, named: 1, resolved: 1}); f.upward["internal/a"] != want || len(f.upward) != 1 {
		t.Errorf("upward: %+v, want %+v in one package", f.upward, want)
	}
	if f.sizes.total != 14 || f.layout.total != 14 || f.tests.total != 3 {
		t.Errorf("lines: %d, %d, of tests %d", f.sizes.total, f.layout.total, f.tests.total)
	}

	var out strings.Builder
	report{name: "before", before: f, now: f}.print(&out)
	for _, want := range []string{"before", "lines a file, longest", "internal/a: Name"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, out.String())
		}
	}
}

func TestUnpackStaysInItsFolder(t *testing.T) {
	for name, ok := range map[string]bool{"a/b.go": true, "../b.go": false} {
		var archive bytes.Buffer
		w := tar.NewWriter(&archive)
		_ = w.WriteHeader(&tar.Header{Name: name, Size: 1, Mode: 0o644, Typeflag: tar.TypeReg})
		_, _ = w.Write([]byte("x"))
		_ = w.Close()

		dir := t.TempDir()
		err := unpack(&archive, dir)
		raw, _ := os.ReadFile(filepath.Join(dir, name))
		if (err == nil) != ok || ok && string(raw) != "x" {
			t.Errorf("%s: %v, %q", name, err, raw)
		}
	}
}

func TestTheSourceIsWithinTheAims(t *testing.T) {
	now, err := measure("../..")
	if err != nil {
		t.Fatal(err)
	}
	r := report{now: now}
	for _, s := range r.sections() {
		for _, w := range s.rows {
			if n, text := w.value(now); w.over(n) {
				t.Errorf("%s %s: %s, the aim is at most %g%s (`make figures` has the names)",
					s.title, w.what, text, w.limit, w.unit)
			}
		}
	}
}

func TestCompiledPatterns(t *testing.T) {
	files := map[string]string{
		"a.go": "var once = sync.OnceValue(func() any { return regexp.MustCompile(`a`) })\n",
		"b.go": "var at, start = 1, regexp.MustCompile(`a`)\nfunc f() { regexp.MustCompile(`a`) }\n",
	}
	if got := countCompiled([]*pkg{source(t, "internal/a", files)}); !slices.Equal(got, []string{"internal/a/b.go:2"}) {
		t.Errorf("%q", got)
	}
	if got := countCompiled([]*pkg{source(t, "bench", files)}); got != nil {
		t.Errorf("what is not in the program counts: %q", got)
	}
}
