//go:build e2e

package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// JournalLine is what an entry is checked for here.
type JournalLine struct {
	Seq                                     int64
	Name, Page, Outcome, Prev, Hash, Reason string
	Session                                 string
	Agent                                   struct{ Kind, Name, Version string }
	Args                                    json.RawMessage
}

// Journal is the exported journal, whose chain is checked as a stranger would: with nothing but SHA-256.
func (a *App) Journal(id int) (lines []JournalLine) {
	a.T.Helper()
	prev := ""
	for text := range strings.Lines(a.Must("journal", "export", fmt.Sprint(id))) {
		var l JournalLine
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			a.T.Fatalf("%s: %v", text, err)
		}
		body, _, _ := strings.Cut(text, `,"hash":"`+l.Hash)
		if sum := sha256.Sum256([]byte(body)); hex.EncodeToString(sum[:]) != l.Hash || l.Prev != prev {
			a.T.Fatalf("the chain is broken at %s", text)
		}
		prev = l.Hash
		lines = append(lines, l)
	}
	return lines
}

// AwaitPicture waits until the journal has the picture after the last step of that name. One of a step before it may
// come late.
func (a *App) AwaitPicture(id int, step string) {
	a.T.Helper()
	Wait(a.T, "the picture after "+step, func() bool {
		there := false
		for _, line := range a.Journal(id) {
			switch line.Name {
			case step:
				there = false
			case "picture":
				var args struct{ Of string }
				_ = json.Unmarshal(line.Args, &args)
				there = there || args.Of == step
			}
		}
		return there
	})
}
