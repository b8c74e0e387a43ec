package clients

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"cove/internal/clients/edit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

// record is one entry that Cove has written.
type record struct {
	Client  string     `json:"client"`
	Scope   Scope      `json:"scope"`
	Dir     string     `json:"dir,omitempty"` // the folder of a local or project scope
	File    string     `json:"file"`
	Key     []string   `json:"key"`
	Name    string     `json:"name"`
	Profile profile.ID `json:"profile"`
	Command string     `json:"command"`
	Args    []string   `json:"args"`
	Lead    string     `json:"lead,omitempty"`
	Added   time.Time  `json:"added"`
}

// before describes the place of a map of servers before Cove's first entry in it.
type before struct {
	File string   `json:"file"`
	Key  []string `json:"key"`
	// Absent says that there was no file. Folders are the folders that were made for it, the outermost first.
	Absent  bool     `json:"absent,omitempty"`
	Folders []string `json:"folders,omitempty"`
	// Blank is the text of a file that contained only white space and comments.
	Blank *string `json:"blank,omitempty"`
	edit.Origin
}

// ledger is the content of clients.json: the entries that Cove has written, and what was there before. A removal needs
// both.
type ledger struct {
	Entries []record      `json:"entries"`
	Befores []before      `json:"grounds"`
	Skills  []skillRecord `json:"skills,omitempty"`
}

func loadLedger(home paths.Home) (*ledger, error) {
	raw, err := os.ReadFile(home.Clients())
	if errors.Is(err, os.ErrNotExist) {
		return &ledger{}, nil
	}
	if err != nil {
		return nil, unreadable(home.Clients(), err)
	}

	l := &ledger{}
	if err := json.Unmarshal(raw, l); err != nil {
		return nil, fault.New(fault.CodeBrokenFile,
			home.Clients()+", where Cove keeps what it has written into clients' files, is broken.",
			"Move it away and try again: entries can be removed without it too.").Because(err)
	}

	return l, nil
}

func (l *ledger) save(home paths.Home) error {
	raw, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		return err
	}

	return paths.WriteFile(home.Clients(), append(raw, '\n'))
}

func (l *ledger) clone() *ledger {
	return &ledger{slices.Clone(l.Entries), slices.Clone(l.Befores), slices.Clone(l.Skills)}
}

// is reports whether the record is about the entry of that name in that map.
func (r *record) is(file string, keys []string, name string) bool {
	return r.File == file && r.Name == name && slices.Equal(r.Key, keys)
}

// is reports whether b is about that map.
func (b *before) is(file string, keys []string) bool {
	return b.File == file && slices.Equal(b.Key, keys)
}

// entry returns the record of an entry, or nil.
func (l *ledger) entry(file string, keys []string, name string) *record {
	for i := range l.Entries {
		if r := &l.Entries[i]; r.is(file, keys, name) {
			return r
		}
	}

	return nil
}

// before returns what was in place of a map of servers, or nil if that is not known.
func (l *ledger) before(file string, keys []string) *before {
	for i := range l.Befores {
		if b := &l.Befores[i]; b.is(file, keys) {
			return b
		}
	}

	return nil
}

// others reports whether the same map still has another entry of the ledger.
func (l *ledger) others(file string, keys []string, name string, entries *edit.Node) bool {
	return slices.ContainsFunc(l.Entries, func(r record) bool {
		return r.File == file && slices.Equal(r.Key, keys) && r.Name != name && entries.Get(r.Name) != nil
	})
}

func (l *ledger) put(r record) {
	l.drop(r.File, r.Key, r.Name)
	l.Entries = append(l.Entries, r)
}

func (l *ledger) putBefore(b before) {
	l.dropBefore(b.File, b.Key)
	l.Befores = append(l.Befores, b)
}

// inherit hands what is known about a map without entries to the other maps of the same file. Whichever of them loses
// its last entry last has to remove what was made for the first one.
func (l *ledger) inherit(from before) {
	for i := range l.Befores {
		to := &l.Befores[i]
		if to.File != from.File {
			continue
		}
		if from.Blank != nil && to.Blank == nil {
			to.Blank, to.Absent, to.Folders = from.Blank, from.Absent, from.Folders
		}
		if to.At >= from.At && len(from.Key) >= to.At && slices.Equal(from.Key[:to.At], to.Key[:to.At]) {
			if to.At > from.At || to.Inner == nil {
				to.Inner = from.Inner
			}
			to.At = from.At
		}
	}
}

func (l *ledger) drop(file string, keys []string, name string) {
	l.Entries = slices.DeleteFunc(l.Entries, func(r record) bool { return r.is(file, keys, name) })
}

func (l *ledger) dropBefore(file string, keys []string) {
	l.Befores = slices.DeleteFunc(l.Befores, func(b before) bool { return b.is(file, keys) })
}
