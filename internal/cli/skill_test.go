package cli

import (
	"regexp"
	"strings"
	"testing"

	"cove/internal/skill"
)

// shellWords splits a line as a shell does: single quotes keep words together, # begins a comment, and < what is read.
func shellWords(line string) (words []string) {
	line, _, _ = strings.Cut(line, " #")
	line, _, _ = strings.Cut(line, " <")
	for _, m := range regexp.MustCompile(`(?:[^\s']|'[^']*')+`).FindAllString(line, -1) {
		words = append(words, strings.ReplaceAll(m, "'", ""))
	}
	return words
}

// TestTheSkillNamesCommandsThatThereAre: what an agent reads in the skill and its references, it can run.
func TestTheSkillNamesCommandsThatThereAre(t *testing.T) {
	verbs := map[string]bool{}
	page, _, err := all().Find([]string{"page"})
	if err != nil {
		t.Fatal(err)
	}
	for _, cmd := range page.Commands() {
		verbs[cmd.Name()] = true
	}

	tried := 0
	var try func(what string, words []string)
	try = func(what string, words []string) {
		tried++
		root := all()
		cmd, rest, err := root.Find(words)
		if err != nil || cmd == root || cmd.HasSubCommands() {
			t.Errorf("%q is no command: %v", what, err)
			return
		}
		if err := cmd.ParseFlags(rest); err != nil {
			t.Errorf("%q: %v", what, err)
			return
		}
		args := cmd.Flags().Args()
		if err := cmd.ValidateArgs(args); err != nil {
			t.Errorf("%q: %v", what, err)
		}
		if cmd.CommandPath() == "cove page do" {
			for _, step := range args {
				try(what, append([]string{"page"}, shellWords(step)...))
			}
		}
		if ref := cmd.Flags().Lookup("ref"); ref != nil && ref.Value.String() != "" {
			if _, err := skill.Cove().Reference(ref.Value.String()); err != nil {
				t.Errorf("%q: %v", what, err)
			}
		}
	}

	code := regexp.MustCompile("(?m)^cove .*|`[^`\n]+`")
	texts := []string{skill.Cove().Text}
	for _, r := range skill.Cove().References {
		texts = append(texts, r.Text)
	}
	for _, text := range texts {
		for _, what := range code.FindAllString(text, -1) {
			words := shellWords(strings.Trim(what, "`"))
			switch {
			case len(words) < 2, words[1] == "page" && len(words) == 2, strings.Contains(what, "VERB"):
			case words[0] == "cove":
				try(what, words[1:])
			case verbs[words[0]]:
				try(what, append([]string{"page"}, words...))
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d commands were found", tried)
	}

	_, list, _ := strings.Cut(skill.Cove().Text, "More verbs: ")
	list, _, _ = strings.Cut(list, ";")
	for verb := range strings.SplitSeq(list, ", ") {
		if !verbs[verb] {
			t.Errorf("%q is no verb", verb)
		}
	}
}
