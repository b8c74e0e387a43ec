package clients

import (
	"fmt"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/clients/edit/edittest"
	"cove/internal/profile"
	"cove/internal/racetest"
)

// cases is how many random documents each format gets, so 12,000 in all.
const cases = 4000 / racetest.Slower

// scratch is a document with its ledger, without a disk.
type scratch struct {
	t    *testing.T
	text string
	at   location
	l    *ledger
}

func newScratch(t *testing.T, c edittest.Case) *scratch {
	x := Client{Name: "x", Title: "X", Format: c.Format, Key: c.Keys, Shape: typed}
	return &scratch{t: t, text: c.Text, at: location{client: x, scope: User, file: "f", keys: c.Keys}, l: &ledger{}}
}

func sample(id profile.ID) Entry {
	args := []string{"mcp", fmt.Sprint(id)}
	return Entry{Name: ServerName(id), Profile: id, Command: `C:\Program Files\cove.exe`, Args: args}
}

func (s *scratch) open(what string) snapshot {
	s.t.Helper()
	d, err := edit.Open(s.at.client.Format, []byte(s.text))
	if err != nil {
		s.t.Fatalf("%s: %v in\n%q", what, err, s.text)
	}

	return snapshot{d, s.l}
}

// Text returns the document as it is now.
func (s *scratch) Text() string { return s.text }

// Add adds an entry as Registry.Add does.
func (s *scratch) Add(what string, id profile.ID) {
	s.t.Helper()
	p, err := (&Registry{}).planAdd(s.at, s.open(what), sample(id))
	if err != nil {
		s.t.Fatalf("%s: add %d to\n%q\n%v", what, id, s.text, err)
	}
	if p.action != Unchanged {
		s.text, s.l = string(p.out), p.ledger
	}
}

// Remove removes an entry as Registry.Remove does.
func (s *scratch) Remove(what string, id profile.ID) {
	s.t.Helper()
	p, err := planRemove(s.at, s.open(what), sample(id))
	if err != nil {
		s.t.Fatalf("%s: remove %d from\n%q\n%v", what, id, s.text, err)
	}
	s.text, s.l = string(p.out), p.ledger
}

// isValid reports whether entries can be added to a random document.
func isValid(c edittest.Case) bool {
	d, err := edit.Open(c.Format, []byte(c.Text))
	if err == nil && c.Format == edit.YAML { // chance may have given the key another value than a map
		_, err = d.Entries(c.Keys)
	}

	return err == nil
}

// TestRandomLedger checks that a removal needs only the ledger to restore every random document, in whatever order
// entries are removed.
func TestRandomLedger(t *testing.T) {
	for name, random := range map[string]func(seed uint64) edittest.Case{
		"JSON": edittest.RandomJSON, "TOML": edittest.RandomTOML, "YAML": edittest.RandomYAML,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tried := 0
			for seed := range uint64(cases) {
				if c := random(seed); name == "JSON" || isValid(c) {
					tried++
					edittest.RoundTrip(t, fmt.Sprintf("seed %d", seed), c, newScratch(t, c))
				}
			}
			if tried < cases*5/6 {
				t.Errorf("only %d of %d documents were valid", tried, cases)
			}
		})
	}
}

// TestRandomTurns lets two Coves, neither of which knows what the other has written, add and remove entries in one
// random document. At every step everything else stays as it is, and nothing is refused.
func TestRandomTurns(t *testing.T) {
	t.Parallel()
	for seed := range uint64(cases / 4) {
		c := edittest.Random(seed)
		d, err := edit.Open(c.Format, []byte(c.Text))
		if err == nil {
			_, err = d.Entries(c.Keys)
		}
		if err != nil {
			continue
		}

		coves := [2]*scratch{newScratch(t, c), newScratch(t, c)}
		theirs, now := edittest.Others(t, c.Format, c.Keys, c.Text), c.Text
		owner := map[profile.ID]*scratch{}
		for step := range 12 {
			id := profile.ID(c.Random.IntN(4) + 1)
			what := fmt.Sprintf("seed %d, step %d, profile %d of %q", seed, step, id, c.Text)
			cove := owner[id]
			if cove != nil {
				cove.text = now
				cove.Remove(what, id)
				now, owner[id] = cove.text, nil
			} else {
				cove = coves[c.Random.IntN(2)]
				cove.text = now
				cove.Add(what, id)
				now, owner[id] = cove.text, cove
			}
			if edittest.Others(t, c.Format, c.Keys, now) != theirs || !edittest.Subsequence(c.Text, now) {
				t.Fatalf("%s became\n%q", what, now)
			}
		}
	}
}
