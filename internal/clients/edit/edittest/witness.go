package edittest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"cove/internal/clients/edit"
	"cove/internal/profile"
)

// Scratch is a document to which a test adds entries named cove-1, cove-2 and so on. Its methods fail the test
// themselves.
type Scratch interface {
	Text() string
	Add(what string, id profile.ID)
	Remove(what string, id profile.ID)
}

// RoundTrip adds three entries to a document and removes them in any order. It checks that adding an entry again
// changes nothing, that an addition changes nothing else, and that the text in the end is what it was at the beginning.
func RoundTrip(t *testing.T, what string, c Case, s Scratch) {
	t.Helper()
	ids := []profile.ID{1, 2, 3}
	for _, id := range ids {
		before := s.Text()
		s.Add(what, id)
		after := s.Text()
		s.Add(what, id)
		if s.Text() != after {
			t.Fatalf("%s: adding %d again changed\n%q to\n%q", what, id, after, s.Text())
		}
		if Others(t, c.Format, c.Keys, before) != Others(t, c.Format, c.Keys, after) {
			t.Fatalf("%s: adding %d changed something else in\n%q:\n%q", what, id, before, after)
		}
		if !Subsequence(before, after) {
			t.Fatalf("%s: adding %d lost something of\n%q in\n%q", what, id, before, after)
		}
	}

	c.Random.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	for _, id := range ids {
		s.Remove(what, id)
	}
	if s.Text() != c.Text {
		t.Fatalf("%s: after add and remove in the order %v\n%q became\n%q", what, ids, c.Text, s.Text())
	}
}

// Subsequence reports whether all characters of a, except white space, occur in b in the same order.
func Subsequence(a, b string) bool {
	i := 0
	for j := 0; ; j++ {
		for i < len(a) && strings.IndexByte(" \t\r\n", a[i]) >= 0 {
			i++
		}
		if i == len(a) || j == len(b) {
			return i == len(a)
		}
		if a[i] == b[j] {
			i++
		}
	}
}

// Others returns what the library alone reads in a document, as a text to compare. It leaves out the entries named
// cove-… and empty maps on the way to them.
func Others(t *testing.T, f edit.Format, keys []string, text string) string {
	t.Helper()
	var all any
	var err error
	switch text = strings.TrimPrefix(text, bom); f {
	case edit.TOML:
		err = toml.Unmarshal([]byte(text), &all)
	case edit.YAML:
		err = yaml.Unmarshal([]byte(text), &all)
	default:
		var standard []byte
		if standard, err = hujson.Standardize([]byte(text + "\n")); err != nil { // comments only
			standard, err = hujson.Standardize([]byte(text + "\n{}"))
		}
		if err == nil {
			err = json.Unmarshal(standard, &all)
		}
	}
	if err != nil {
		t.Fatalf("%v in\n%q", err, text)
	}

	top, _ := all.(map[string]any)
	prune(top, keys)

	return fmt.Sprint(top)
}

func prune(m map[string]any, keys []string) {
	if len(keys) == 0 {
		for name := range m {
			if strings.HasPrefix(name, "cove-") {
				delete(m, name)
			}
		}
		return
	}

	next, _ := m[keys[0]].(map[string]any)
	prune(next, keys[1:])
	if v, there := m[keys[0]]; there && (v == nil || next != nil && len(next) == 0) {
		delete(m, keys[0])
	}
}
