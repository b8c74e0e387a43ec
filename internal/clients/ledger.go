package clients

import (
	"encoding/json"
	"errors"
	"os"
	"slices"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
)

// record is one entry that Cove has written.
type record struct {
	Client  string    `json:"client"`
	Scope   Scope     `json:"scope"`
	Dir     string    `json:"dir,omitempty"` // of a local or project scope
	File    string    `json:"file"`
	Key     []string  `json:"key"`
	Name    string    `json:"name"`
	Profile int32     `json:"profile"`
	Command string    `json:"command"`
	Args    []string  `json:"args"`
	Lead    string    `json:"lead,omitempty"`
	Added   time.Time `json:"added"`
}

// ground is what was there before Cove's first entry in a map of servers.
type ground struct {
	File string   `json:"file"`
	Key  []string `json:"key"`
	// Absent says that there was no file; Folders are those that were made for it, the outermost first.
	Absent  bool     `json:"absent,omitempty"`
	Folders []string `json:"folders,omitempty"`
	// Blank is the text of a file that held nothing.
	Blank *string `json:"blank,omitempty"`
	origin
}

// ledger is clients.json: everything that a removal has to know.
type ledger struct {
	Entries []record `json:"entries"`
	Grounds []ground `json:"grounds"`
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
		return nil, fault.New(fault.CodeBrokenFile, home.Clients()+", where Cove keeps what it has written into clients' files, is broken.",
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
	return &ledger{slices.Clone(l.Entries), slices.Clone(l.Grounds)}
}

func (l *ledger) entry(file string, keys []string, name string) *record {
	for i := range l.Entries {
		if e := &l.Entries[i]; e.File == file && e.Name == name && slices.Equal(e.Key, keys) {
			return e
		}
	}
	return nil
}

func (l *ledger) ground(file string, keys []string) *ground {
	for i := range l.Grounds {
		if g := &l.Grounds[i]; g.File == file && slices.Equal(g.Key, keys) {
			return g
		}
	}
	return nil
}

// others tells whether the ledger has more entries in the same map that are still there.
func (l *ledger) others(file string, keys []string, name string, there *tree) bool {
	return slices.ContainsFunc(l.Entries, func(e record) bool {
		return e.File == file && slices.Equal(e.Key, keys) && e.Name != name && there.get(e.Name) != nil
	})
}

func (l *ledger) put(r record) {
	l.drop(r.File, r.Key, r.Name)
	l.Entries = append(l.Entries, r)
}

func (l *ledger) putGround(g ground) {
	l.dropGround(g.File, g.Key)
	l.Grounds = append(l.Grounds, g)
}

// bequeath leaves what a ground knows to the others in its file that stand on the same keys: the last of them has to take away what
// the first has made.
func (l *ledger) bequeath(g ground) {
	for i := range l.Grounds {
		o := &l.Grounds[i]
		if o.File != g.File {
			continue
		}
		if g.Blank != nil && o.Blank == nil {
			o.Blank, o.Absent, o.Folders = g.Blank, g.Absent, g.Folders
		}
		if o.At >= g.At && len(g.Key) >= o.At && slices.Equal(g.Key[:o.At], o.Key[:o.At]) {
			if o.At > g.At || o.Inner == nil {
				o.Inner = g.Inner
			}
			o.At = g.At
		}
	}
}

func (l *ledger) drop(file string, keys []string, name string) {
	l.Entries = slices.DeleteFunc(l.Entries, func(e record) bool { return e.File == file && e.Name == name && slices.Equal(e.Key, keys) })
}

func (l *ledger) dropGround(file string, keys []string) {
	l.Grounds = slices.DeleteFunc(l.Grounds, func(g ground) bool { return g.File == file && slices.Equal(g.Key, keys) })
}
