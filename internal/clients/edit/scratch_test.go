package edit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"cove/internal/clients/edit"
	"cove/internal/profile"
)

const bom = "\xef\xbb\xbf"

// scratch is a document with the records that a removal needs.
type scratch struct {
	t      *testing.T
	format edit.Format
	keys   []string
	text   string
	// there holds the entries that were added, each with the text before it.
	there map[profile.ID]string
	// was and blank describe the document to which the first of them was added.
	was   edit.Origin
	blank *string
}

func newScratch(t *testing.T, f edit.Format, keys []string, text string) *scratch {
	return &scratch{t: t, format: f, keys: keys, text: text, there: map[profile.ID]string{}}
}

func (s *scratch) path(id profile.ID) edit.Path {
	return edit.Path{Keys: s.keys, Name: fmt.Sprintf("cove-%d", id)}
}

// server is the entry of the tests, at a path that has to be escaped.
func server(id profile.ID) edit.Content {
	const command = `C:\Program Files\cove.exe`
	args := []string{"mcp", fmt.Sprint(id)}

	return edit.Content{
		Fields: []edit.Field{{Key: "type", Value: "stdio"}, {Key: "command", Value: command},
			{Key: "args", Value: args}},
		Owned: []string{"command", "args"},
		Check: func(value any) bool {
			m, _ := value.(map[string]any)
			list, _ := m["args"].([]any)
			return m["command"] == command && slices.Equal(list, []any{args[0], args[1]})
		},
	}
}

func (s *scratch) open(what string) *edit.Document {
	s.t.Helper()
	d, err := edit.Open(s.format, []byte(s.text))
	if err != nil {
		s.t.Fatalf("%s: %v in\n%q", what, err, s.text)
	}

	return d
}

// Text returns the document as it is now.
func (s *scratch) Text() string { return s.text }

// Add adds an entry, unless the document already has it as it should be.
func (s *scratch) Add(what string, id profile.ID) {
	s.t.Helper()
	d := s.open(what)
	if server(id).Check(d.At(s.keys).Get(s.path(id).Name).Value()) {
		return
	}
	if err := s.add(d, id); err != nil {
		s.t.Fatalf("%s: add %d to\n%q\n%v", what, id, s.text, err)
	}
}

func (s *scratch) add(d *edit.Document, id profile.ID) error {
	out, was, err := d.Add(s.path(id), server(id))
	if err != nil {
		return err
	}

	s.text = string(out)
	if len(s.there) == 0 {
		s.was, s.blank = was, nil
		if text, blank := d.Blank(); blank {
			s.blank = &text
		}
	}
	s.there[id] = was.Lead

	return nil
}

// Remove removes an entry that Add has added.
func (s *scratch) Remove(what string, id profile.ID) {
	s.t.Helper()
	was, last := s.was, len(s.there) == 1
	if !last {
		was.Lead = ""
	}
	if s.format.LeadsEachEntry() {
		was.Lead = s.there[id]
	}
	out, err := s.open(what).Remove(s.path(id), was)
	if err != nil {
		s.t.Fatalf("%s: remove %d from\n%q\n%v", what, id, s.text, err)
	}

	s.text = string(out)
	delete(s.there, id)
	if last && s.blank != nil && edit.IsEmpty([]byte(strings.TrimPrefix(s.text, *s.blank))) {
		s.text = *s.blank
	}
}
