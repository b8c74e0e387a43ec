package clients

import (
	"bytes"
	"os"
	"slices"
)

// Found is an entry of ours in a client's file.
type Found struct {
	spot
	Client Client
	Scope  Scope
	// Dir is the folder that a local or project scope belongs to.
	Dir   string
	File  string
	Entry Entry
}

// State is a client on this computer.
type State struct {
	Client    Client
	Installed bool
	// Files is where its entries for this person are or would be.
	Files []string
	Found []Found
	// Err says why one of its files could not be read.
	Err error
}

// States looks at every client. A file that cannot be read is told and harms no other.
func (r *Registry) States() []State {
	all := make([]State, 0, len(Table))
	for _, c := range Table {
		s := State{Client: c, Installed: c.Installed(r.Env), Files: c.targets(r.Env, User)}
		s.Found, s.Err = r.search(c, anywhere)
		all = append(all, s)
	}
	return all
}

func anywhere(spot) bool { return true }

// search finds the entries of ours in a client's files: for the person, for this folder, and where the ledger knows of some. Only the
// places that are wanted are looked at, so that no other can fail.
func (r *Registry) search(c Client, wanted func(spot) bool) (found []Found, failed error) {
	l, err := loadLedger(r.Home)
	if err != nil {
		return nil, err
	}
	var spots []spot
	scopes := c.Scopes()
	slices.Reverse(scopes) // in the person's own folder a project's file may be the person's
	for _, scope := range scopes {
		for _, file := range c.files(r.Env, scope) {
			for _, keys := range c.keys(r.Env, scope) {
				spots = append(spots, spot{client: c, scope: scope, dir: r.Env.dirOf(scope), file: file, keys: keys})
			}
		}
	}
	for _, e := range l.Entries {
		if e.Client == c.Name {
			spots = append(spots, spot{client: c, scope: e.Scope, dir: e.Dir, file: e.File, keys: e.Key})
		}
	}
	var seen []spot
	for _, s := range spots {
		if slices.ContainsFunc(seen, func(o spot) bool { return o.file == s.file && slices.Equal(o.keys, s.keys) }) {
			continue
		}
		seen = append(seen, s)
		if !wanted(s) {
			continue
		}
		some, err := r.look(s, l)
		if err != nil && failed == nil {
			failed = err
		}
		found = append(found, some...)
	}
	return found, failed
}

// look reads one map of servers.
func (r *Registry) look(s spot, l *ledger) (found []Found, err error) {
	raw, there, err := readFile(resolve(r.Env.real(s.file)))
	if err != nil || !there {
		if err != nil {
			err = unreadable(s.file, err)
		}
		return nil, err
	}
	d, err := open(s.client.Format, raw)
	if err != nil {
		return nil, errUnreadable(s, err)
	}
	all := d.tree.at(s.keys)
	if all == nil {
		return nil, nil
	}
	for i, name := range all.names {
		x, ours := read(name, all.kids[i].plain())
		if known := l.entry(s.file, s.keys, name); known != nil && !ours {
			x.Profile, ours = known.Profile, known.Command == x.Command
		}
		if ours && r.elsewhere(x) == "" {
			found = append(found, Found{spot: s, Client: s.client, Scope: s.scope, Dir: s.dir, File: s.file, Entry: x})
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return int(a.Entry.Profile) - int(b.Entry.Profile) })
	return found, nil
}

// elsewhere is the data folder of another Cove that an entry leads to; empty for one of this Cove's, or of a folder that is gone. A
// profile of the same number has other logins there.
func (r *Registry) elsewhere(x Entry) string {
	told, known := r.Env.homeOf(x)
	if !known {
		return ""
	}
	if told == string(r.Home) || !r.Env.exists(told) {
		return ""
	}
	theirs, err1 := os.Stat(r.Env.real(told))
	ours, err2 := os.Stat(string(r.Home))
	if err1 == nil && err2 == nil && os.SameFile(theirs, ours) {
		return ""
	}
	return told
}

// removeFile deletes a file that still is what it was.
func removeFile(file string, was []byte) error {
	raw, there, err := readFile(file)
	if err != nil || !there || !bytes.Equal(raw, was) {
		return errMoved
	}
	return os.Remove(file)
}
