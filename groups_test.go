package cove_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// e2e/groups.txt decides which end-to-end tests are left out: a name in it that is no test any more, or a path that is
// no file any more, would leave out too little or run too seldom.
func TestGroupsOfEndToEndTestsNameWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("e2e/groups.txt")
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]bool{} // whether a group says what it is about
	var last string
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#" || strings.HasPrefix(line, "#"):
		case words[0] == ":" && last != "":
			about[last] = true
			for _, path := range words[1:] {
				if found, _ := filepath.Glob(path); len(found) == 0 {
					t.Errorf("%s is about %s, which is not there", last, path)
				}
			}
		case line == "all\n":
			last = "all"
			about[last] = false
		case len(words) == 3 && strings.HasPrefix(line, words[0]):
			last = words[0]
			about[last] = about[last] || false
			names := testsOf(t, words[1])
			for one := range strings.SplitSeq(words[2], "|") {
				if !regexp.MustCompile(`(?m)^Test(?:` + one + `)$`).MatchString(names) {
					t.Errorf("%s: no test in e2e/%s is named Test%s", last, words[1], one)
				}
			}
		default:
			t.Errorf("neither a group nor what it is about: %s", line)
		}
	}
	for group, said := range about {
		if !said {
			t.Errorf("%s does not say what it is about", group)
		}
	}
}

// testsOf are the names of the tests of a package below e2e, one to a line.
func testsOf(t *testing.T, pkg string) string {
	t.Helper()

	files, err := filepath.Glob(filepath.Join("e2e", pkg, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("e2e/%s has no tests: %v", pkg, err)
	}
	var names []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(text), -1) {
			names = append(names, m[1])
		}
	}
	return strings.Join(names, "\n")
}
