package skill

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/snapshot/tokens"
)

var update = flag.Bool("update", false, "write the sum of the text to texts/released.txt")

// TestTheGuideIsCheap: every session of an agent pays for the description, and one that works with pages for the text.
func TestTheGuideIsCheap(t *testing.T) {
	for _, s := range All() {
		if n := tokens.Count(s.Description); n > 60 || n < 20 {
			t.Errorf("the description of %s costs %d tokens", s.Name, n)
		}
		if n := tokens.Count(s.Text); n > 700 {
			t.Errorf("%s costs %d tokens", s.Name, n)
		}
		for _, one := range s.References {
			if n := tokens.Count(one.Text); n > 450 {
				t.Errorf("%s of %s costs %d tokens", one.Name, s.Name, n)
			}
		}
	}
}

// TestTheHeadIsWhatClientsRead: the bounds of the format, and YAML that every reader understands alike.
func TestTheHeadIsWhatClientsRead(t *testing.T) {
	for _, s := range All() {
		head, _, ok := strings.Cut(strings.TrimPrefix(s.Text, "---\n"), "\n---\n\n")
		if !ok || !strings.HasPrefix(s.Text, "---\n") {
			t.Fatalf("%s has no head", s.Name)
		}
		if field([]byte(s.Text), "name") != s.Name || !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(s.Name) {
			t.Errorf("the name of %s is %q", s.Name, field([]byte(s.Text), "name"))
		}
		if s.Description == "" || len(s.Description) > 1024 || strings.Contains(s.Description, ": ") ||
			strings.Contains(s.Description, " #") {
			t.Errorf("the description is %q", s.Description)
		}
		if s.Number < 1 || !strings.Contains(head, fmt.Sprintf("\n  cove-skill: \"%d\"", s.Number)) {
			t.Errorf("the number is %d in\n%s", s.Number, head)
		}
		for _, one := range s.References {
			if !strings.Contains(s.Text, "`"+one.Name+"`") && !strings.Contains(s.Text, "--ref "+one.Name) {
				t.Errorf("%s does not name its reference %s", s.Name, one.Name)
			}
			if one.Title == "" || !strings.HasPrefix(one.Text, "# "+one.Title+"\n") {
				t.Errorf("the title of %s is %q", one.Name, one.Title)
			}
		}
	}
}

// TestAChangedTextHasANewNumber: older files are recognised by their sums, and told from newer ones by their numbers.
// Before a release the text may change under one number: go test ./internal/skill -update.
func TestAChangedTextHasANewNumber(t *testing.T) {
	const file = "texts/released.txt"
	for _, s := range All() {
		line := fmt.Sprintf("%s %d %s", s.Name, s.Number, Sum([]byte(s.Text)))
		var lines []string
		for one := range strings.Lines(read("released.txt")) {
			one = strings.TrimSpace(one)
			if !strings.HasPrefix(one, fmt.Sprintf("%s %d ", s.Name, s.Number)) {
				lines = append(lines, one)
			} else if one != line && !*update {
				t.Errorf("%s has another text than number %d had", s.Name, s.Number)
			}
		}
		if *update {
			text := strings.Join(append(lines, line), "\n") + "\n"
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if !IsReleased([]byte(s.Text)) {
			t.Errorf("%s is not in %s", s.Name, file)
		}
	}
}

func TestNumberReadsTheHeadOnly(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		number int
	}{
		"ours":               {"---\nname: cove\nmetadata:\n  cove-skill: \"12\"\n---\n", 12},
		"with CRLF":          {"---\r\nmetadata:\r\n  cove-skill: '3'\r\n---\r\n", 3},
		"without quotes":     {"---\n  cove-skill: 4\n---\n", 4},
		"in the body":        {"---\nname: x\n---\ncove-skill: 5\n", 0},
		"without a head":     {"cove-skill: 5\n", 0},
		"not a number":       {"---\ncove-skill: new\n---\n", 0},
		"below one":          {"---\ncove-skill: -1\n---\n", 0},
		"an empty file":      {"", 0},
		"a head without end": {"---\nname: x\n", 0},
	} {
		if number, ok := Number([]byte(c.text)); number != c.number && ok || ok != (c.number > 0) {
			t.Errorf("%s: %d, %v", name, number, ok)
		}
	}
}

func TestLineEndsDoNotChangeASum(t *testing.T) {
	text := Cove().Text
	crlf := strings.ReplaceAll(text, "\n", "\r\n")
	if Sum([]byte(text)) != Sum([]byte(crlf)) || !IsReleased([]byte(crlf)) {
		t.Error("a text with CRLF is another one")
	}
	if IsReleased([]byte(text + "x")) {
		t.Error("a changed text counts as released")
	}
}

func TestWhatIsNotThereIsNamed(t *testing.T) {
	_, err := Find("cov")
	if f := fault.From(err); f.Kind != fault.NotFound || !strings.Contains(f.Hint, "cove") {
		t.Errorf("%v (%s)", err, f.Hint)
	}
	_, err = Cove().Reference("log in")
	if f := fault.From(err); f.Kind != fault.NotFound || !strings.Contains(f.Hint, "login, debug, files, page-tools") {
		t.Errorf("%v (%s)", err, f.Hint)
	}
	if one, err := Cove().Reference("debug"); err != nil || one.Title != "Debugging a page" {
		t.Errorf("%+v, %v", one, err)
	}
}
