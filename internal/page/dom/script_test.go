package dom

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// defined are the functions of a global: the names in the object that a source file makes of it.
func defined(t *testing.T, file, global string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, object, found := strings.Cut(string(text), "\nconst "+global+" = {\n")
	object, _, closed := strings.Cut(object, "\n}\n")
	if !found || !closed {
		t.Fatalf("%s does not define %s", file, global)
	}
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^  (\w+)[:,]`).FindAllStringSubmatch(object, -1) {
		names[m[1]] = true
	}
	return names
}

// TestEveryFunctionThatIsCalledInAPageIsThere compares the calls in our Go sources with the functions that the scripts
// define.
func TestEveryFunctionThatIsCalledInAPageIsThere(t *testing.T) {
	called := regexp.MustCompile(`\b(act|cove)\.(\w+)\(`)
	functions := map[string]map[string]bool{
		"act": defined(t, "src/act/act.ts", "act"), "cove": defined(t, "src/walker/version.ts", "cove"),
	}
	found := 0
	for _, pattern := range []string{"*.go", "../*.go", "../*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range called.FindAllSubmatch(text, -1) {
				found++
				if !functions[string(m[1])][string(m[2])] {
					t.Errorf("%s calls %s.%s, which no script defines", name, m[1], m[2])
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d calls were found", found)
	}
}

// TestNoScriptReadsWhatAPageCanShadow: fields of a form and images of a document stand in front of their own
// properties. What acts on elements reads them by the functions of native.ts.
func TestNoScriptReadsWhatAPageCanShadow(t *testing.T) {
	shadowed := regexp.MustCompile(`\b(?:el|n|o|node|target|on|wanted|around|holder|document)\.(?:localName|tagName|` +
		`nodeType|id|className|children|childNodes|parentNode|parentElement|isConnected|getAttribute|hasAttribute|` +
		`matches|closest|querySelector|querySelectorAll|getElementById|textContent|innerText|body|images|` +
		`activeElement|getBoundingClientRect|getClientRects|checkVisibility|getRootNode|isContentEditable|focus|` +
		`scrollIntoView|scrollTop|scrollHeight|clientHeight|offsetWidth)\b`)
	files, err := filepath.Glob("src/*/*.ts")
	if err != nil || len(files) < 20 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := shadowed.FindString(line); m != "" {
				t.Errorf("%s:%d reads %s", name, i+1, m)
			}
		}
	}
}
