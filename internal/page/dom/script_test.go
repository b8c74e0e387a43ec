package dom

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryFunctionThatIsCalledInAPageIsThere compares the calls in our Go sources with the functions that the scripts
// define.
func TestEveryFunctionThatIsCalledInAPageIsThere(t *testing.T) {
	called := regexp.MustCompile(`\b(act|cove)\.(\w+)\(`)
	script := worldScript()
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
				defined := `(?m)^act\.` + string(m[2]) + ` = `
				if string(m[1]) == "cove" {
					defined = `(?m)^  ` + string(m[2]) + `[:,]`
				}
				if !regexp.MustCompile(defined).MatchString(script) {
					t.Errorf("%s calls %s.%s, which no script defines", name, m[1], m[2])
				}
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d calls were found", found)
	}
}

func TestAllScriptsAreJoined(t *testing.T) {
	script := worldScript()
	for _, pattern := range []string{"walker/*.js", "act/*.js"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(script, string(text)) != 1 {
				t.Errorf("%s is not in the script once", name)
			}
		}
	}
}
