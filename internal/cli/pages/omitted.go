package pages

import (
	"fmt"
	"regexp"
	"strings"
	"sync"

	"cove/internal/answer"
)

// maxFile is the budget of a page that goes into a file, in tokens: some megabytes.
const maxFile = 1_000_000

// The lines of a snapshot that say what is not in it. Text of a page stands in quotes after a role, so that no page can
// write such a line.
var (
	omitted = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^Left out to stay within maxTokens=\d+: ([a-z\d ,]+)\. More: .* maxTokens=(\d+)\.$`)
	})
	notRead = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^The page is larger than what was read of it: (\d+) nodes are missing here; .*$`)
	})
	moreChanges = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^… (\d+) more changes have no room within maxTokens=\d+: .*$`)
	})
	moreRows = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?m)^( *… \d+ more rows \()` +
			`(?:take_snapshot uid=(\S+) maxTokens=(\d+) or )?query=… shows them\)`)
	})
)

// splitOmissions returns a snapshot without the lines at its end that say what is not in it, and what they say in the
// words of the shell; "" for nothing.
func splitOmissions(text string) (rest, notes string) {
	text = moreRows().ReplaceAllStringFunc(text, func(line string) string {
		m := moreRows().FindStringSubmatch(line)
		if m[2] == "" {
			return m[1] + "-q TEXT shows them)"
		}
		return m[1] + "-u " + m[2] + " -m " + m[3] + " or -q TEXT shows them)"
	})

	rest = strings.TrimRight(text, "\n")
	for {
		at := strings.LastIndexByte(rest, '\n') + 1
		note := omissionIn(rest[at:])
		if note == "" {
			break
		}
		notes = note + "\n" + notes
		rest = strings.TrimRight(rest[:at], "\n")
	}
	if notes == "" {
		return text, ""
	}
	return rest, notes
}

// omissionIn returns what a line of Cove's in a snapshot says, in the words of the shell; "" for any other line.
func omissionIn(line string) string {
	if m := omitted().FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("left out: %s; -m %s shows all, -o FILE writes all, -q TEXT, -u REF and -i show a part",
			m[1], m[2])
	}
	if m := notRead().FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("left out: %s nodes that were not read; -o FILE writes them, -q TEXT searches them", m[1])
	}
	if m := moreChanges().FindStringSubmatch(line); m != nil {
		return fmt.Sprintf("left out: %s more changes; without -c the snapshot shows all", m[1])
	}
	return ""
}

// omissionsOf returns what the snapshots of an answer say about what is not in them.
func omissionsOf(a answer.Answer) string {
	all := ""
	for _, p := range a.Parts {
		if p.Kind == answer.Snapshot {
			_, notes := splitOmissions(p.Text)
			all += notes
		}
	}
	return all
}

func omissionLines(notes string) []string {
	return strings.FieldsFunc(notes, func(r rune) bool { return r == '\n' })
}
