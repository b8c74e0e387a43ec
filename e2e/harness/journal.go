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
