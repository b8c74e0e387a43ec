package webui

import (
	"io/fs"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

func readAll(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	entries, err := fs.ReadDir(files, "page")
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

func TestThePageIsSmall(t *testing.T) {
	size := 0
	for _, text := range readAll(t) {
		size += len(text)
	}
	if size == 0 || size > 165_000 {
		t.Errorf("the page is %d bytes", size)
	}
}

// quoted finds what a file refers to: imports, and addresses in attributes.
var (
	imported = regexp.MustCompile(`(?m)(?:from|import)\s*["']([^"']+)["']`)
	linked   = regexp.MustCompile(`(?:src|href)="(/[^"]*)"`)
	outside  = regexp.MustCompile(`(?i)(https?:)?//[a-z0-9.-]+\.[a-z]{2,}`)
)

func TestThePageRefersToItsOwnFilesOnly(t *testing.T) {
	all := readAll(t)
	for name, text := range all {
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			if path.Ext(name) == ".js" &&
				(!strings.HasPrefix(m[1], "./") || all[strings.TrimPrefix(m[1], "./")] == "") {
				t.Errorf("%s imports %s", name, m[1])
			}
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			file, ours := strings.CutPrefix(m[1], "/ui/")
			if m[1] != "/docs" && (!ours || all[file] == "") {
				t.Errorf("%s refers to %s", name, m[1])
			}
		}
		for _, address := range outside.FindAllString(text, -1) {
			if !strings.HasSuffix(address, "example.com") && !strings.Contains(address, "www.w3.org") &&
				!strings.Contains(address, "example") {
				t.Errorf("%s names %s", name, address)
			}
		}
	}
}

func TestThePageKeepsItsPolicy(t *testing.T) {
	for name, text := range readAll(t) {
		for _, never := range []string{"innerHTML", "dangerouslySetInnerHTML", "eval(", "new Function", "javascript:",
			"document.write", " style=\"", "onclick="} {
			// Preact knows the name of the attribute; no view uses it
			if strings.Contains(text, never) && name != "preact.js" {
				t.Errorf("%s holds %q", name, never)
			}
		}
	}
}

func TestNoOtherFileIsServed(t *testing.T) {
	for _, name := range []string{"", ".", "..", "../webui.go", `..\webui.go`, "page", "/etc/passwd", "index.html/",
		"vendored/htm.txt", "nothing.js"} {
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
	for _, m := range themed.FindAllStringSubmatch(readAll(t)["colours.css"], -1) {
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
		for _, text := range []string{"text", "dim", "accent", "ok", "warn", "bad"} {
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
	for name, text := range readAll(t) {
		if m := byWords.FindString(text); m != "" && path.Ext(name) == ".js" && name != "preact.js" &&
			name != "htm.js" {
			t.Errorf("%s looks into the words of an error: %s", name, m)
		}
	}
}
