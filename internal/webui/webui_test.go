package webui

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// served are the files that the window loads.
func served(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := fs.ReadDir(files, "dist")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		kind, body, ok := Page{}.File(e.Name())
		if !ok || kind == "" {
			t.Errorf("%s is not served: %q", e.Name(), kind)
		}
		all[e.Name()] = string(body)
	}
	return all
}

// sources are the files that the window is made from, without their tests.
func sources(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir("src", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(name, ".test.ts") {
			return err
		}
		text, err := os.ReadFile(name)
		all[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 40 {
		t.Fatalf("only %d sources were found", len(all))
	}
	return all
}

// imports are the files that a script loads: at once, and when a view is first shown.
var (
	atOnce = regexp.MustCompile(`(?m)(?:\}from|(?:^|;)import)\s*"([^"]*)"`)
	later  = regexp.MustCompile(`\bimport\("([^"]*)"\)`)
)

// TestThePageIsSmall: what a browser loads before it shows the window. Views that are seldom shown come later.
func TestThePageIsSmall(t *testing.T) {
	const budget = 70_000 // bytes, as a browser that unpacks gzip would load them
	size, all := 0, served(t)
	first := []string{"index.html", "app.js", "style.css", "colours.css", "icon.svg"}
	for i := 0; i < len(first); i++ {
		for _, m := range atOnce.FindAllStringSubmatch(all[first[i]], -1) {
			if file := path.Base(m[1]); path.Ext(first[i]) == ".js" && !slices.Contains(first, file) {
				first = append(first, file)
			}
		}
	}
	for name, text := range all {
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		begins := slices.Contains(first, name)
		if begins {
			size += packed.Len()
		}
		t.Logf("%6d %s, at once: %t", packed.Len(), name, begins)
	}
	if size == 0 || size > budget {
		t.Errorf("the page is %d bytes, and may be %d", size, budget)
	}
}

// TestTheLibrariesAreThoseOfTheChecks: the types that tsc checks with are of the code that runs.
func TestTheLibrariesAreThoseOfTheChecks(t *testing.T) {
	text, err := os.ReadFile("../../package.json")
	if err != nil {
		t.Fatal(err)
	}
	var tools struct {
		DevDependencies map[string]string `json:"devDependencies"`
	}
	if err := json.Unmarshal(text, &tools); err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]string{
		"preact": "preact.txt", "@preact/signals": "signals.txt", "@preact/signals-core": "signals-core.txt",
	} {
		notice, err := os.ReadFile(filepath.Join("vendored", file))
		if err != nil {
			t.Fatal(err)
		}
		first, _, _ := strings.Cut(string(notice), "\n")
		if want := name + " " + tools.DevDependencies[name]; first != want {
			t.Errorf("vendored is %q, package.json has %q: run make vendor", first, want)
		}
	}
}

func TestSourcesHaveNoLongLines(t *testing.T) {
	for name, text := range sources(t) {
		if path.Ext(name) == ".svg" {
			continue
		}
		for i, line := range strings.Split(text, "\n") {
			if n := len([]rune(line)); n > 120 {
				t.Errorf("%s:%d has %d columns", name, i+1, n)
			}
		}
	}
}

// What files refer to: imports, addresses in attributes, and other hosts.
var (
	linked  = regexp.MustCompile(`(?:src|href)[=:]\s*["'](/[^"']*)["']`)
	outside = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
)

func TestThePageRefersToItsOwnFilesOnly(t *testing.T) {
	all := served(t)
	for name, text := range all {
		if path.Ext(name) == ".js" {
			loaded := slices.Concat(atOnce.FindAllStringSubmatch(text, -1), later.FindAllStringSubmatch(text, -1))
			for _, m := range loaded {
				if file, here := strings.CutPrefix(m[1], "./"); !here || all[file] == "" {
					t.Errorf("%s imports %s", name, m[1])
				}
			}
			if strings.Count(text, "import(") != len(later.FindAllString(text, -1)) {
				t.Errorf("%s imports what is no name of a file", name)
			}
		}
		if path.Ext(name) == ".css" && (strings.Contains(text, "@import") || strings.Contains(text, "url(")) {
			t.Errorf("%s loads another file", name)
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			file, ours := strings.CutPrefix(m[1], "/ui/")
			if m[1] != "/docs" && (!ours || all[file] == "") {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
		for _, address := range outside.FindAllString(text, -1) {
			if !strings.Contains(address, "example") && !strings.Contains(address, "www.w3.org") {
				t.Errorf("%s names %s", name, address)
			}
		}
	}
	if !strings.Contains(all["index.html"], `<script type="module" src="/ui/app.js"></script>`) {
		t.Error("index.html does not load the script")
	}
}

// library are the words of the policy that Preact knows by name. No source of ours has them.
var library = []string{"innerHTML", "dangerouslySetInnerHTML"}

func TestThePageKeepsItsPolicy(t *testing.T) {
	never := []string{"innerHTML", "dangerouslySetInnerHTML", "eval(", "new Function", "javascript:", "document.write",
		" style=\"", "onclick=", "data:text", "insertAdjacentHTML"}
	for _, word := range never {
		for name, text := range sources(t) {
			if strings.Contains(text, word) {
				t.Errorf("%s holds %q", name, word)
			}
		}
		for name, text := range served(t) {
			if strings.Contains(text, word) && !slices.Contains(library, word) {
				t.Errorf("%s holds %q", name, word)
			}
		}
	}
}

func TestNoOtherFileIsServed(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../webui.go", `..\webui.go`, "dist", "/etc/passwd", "index.html/",
		"vendored/preact.txt", "src/app.tsx", "nothing.js"} {
		if kind, _, ok := (Page{}).File(name); ok {
			t.Errorf("%q is served as %s", name, kind)
		}
	}
}

// theme is one side of light-dark().
var themed = regexp.MustCompile(`--([\w-]+): light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)`)

func colours(t *testing.T) (light, dark map[string]string) {
	t.Helper()
	light, dark = map[string]string{}, map[string]string{}
	for _, m := range themed.FindAllStringSubmatch(served(t)["colours.css"], -1) {
		light[m[1]], dark[m[1]] = m[2], m[3]
	}
	return light, dark
}

// luminance is the brightness of a colour as WCAG computes it.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	hex = strings.TrimPrefix(hex, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func TestTextCanBeReadInBothThemes(t *testing.T) {
	light, dark := colours(t)
	if len(light) < 15 {
		t.Fatalf("only %d colours were found", len(light))
	}
	grounds := []string{"bg", "panel", "raised", "sunk"}
	pairs := [][2]string{{"accent-ink", "accent"}, {"bad-ink", "bad"}, {"text", "accent-soft"},
		{"accent", "accent-soft"}, {"dim", "accent-soft"}, {"text", "warn-soft"}, {"warn", "warn-soft"},
		{"warn", "accent-soft"}}
	for _, ground := range grounds {
		for _, text := range []string{"text", "dim", "accent", "ok", "warn", "bad", "you", "read"} {
			pairs = append(pairs, [2]string{text, ground})
		}
	}
	for name, theme := range map[string]map[string]string{"light": light, "dark": dark} {
		for _, ground := range []string{"bg", "panel", "raised"} {
			if c := contrast(t, theme["field"], theme[ground]); c < 3 {
				t.Errorf("%s: the edge of a field on %s has a contrast of %.2f", name, ground, c)
			}
		}
		for _, p := range pairs {
			if c := contrast(t, theme[p[0]], theme[p[1]]); c < 4.5 {
				t.Errorf("%s: %s on %s has a contrast of %.2f", name, p[0], p[1], c)
			}
		}
	}
}

// TestNoViewRecognisesAnErrorByItsWords: sentences change, the code and the field do not.
func TestNoViewRecognisesAnErrorByItsWords(t *testing.T) {
	byWords := regexp.MustCompile(`\.test\((e|err|error|failure)\.(message|hint|text)|\.(message|hint)\.(match|includes|startsWith|endsWith|search|indexOf)\(|fieldOf\(`)
	for name, text := range sources(t) {
		if m := byWords.FindString(text); m != "" {
			t.Errorf("%s looks into the words of an error: %s", name, m)
		}
	}
}
