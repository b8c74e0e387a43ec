package clients

import (
	"os"
	"slices"

	"cove/internal/clients/edit"
	"cove/internal/profile"
)

// Found is an entry of Cove's in a client's file.
type Found struct {
	location location
	Client   Client
	Scope    Scope
	// Dir is the folder that a local or project scope belongs to.
	Dir   string
	File  string
	Entry Entry
}

// State is a client on this computer.
type State struct {
	Client    Client
	Installed bool
	// Files are the person's files that get a new entry.
	Files []string
	Found []Found
	// Err says why one of its files could not be read.
	Err error
}

// States returns the state of every client. A file that cannot be read is reported in Err and does not affect other
// clients.
func (r *Registry) States() []State {
	all := make([]State, 0, len(Table()))
	for _, c := range Table() {
		s := State{Client: c, Installed: c.Installed(r.Env), Files: c.targets(r.Env, User)}
		s.Found, s.Err = r.search(c, anywhere)
		all = append(all, s)
	}

	return all
}

func anywhere(location) bool { return true }

// InForce returns the entry of a profile that the client uses in this folder. If there are several, it returns the one
// with the narrowest scope. If wrapped is set, only entries that run the wrapper count.
func (r *Registry) InForce(c Client, profile profile.ID, wrapped bool) (found Found, ok bool, err error) {
	all, err := r.search(c, func(at location) bool { return at.dir == r.Env.dirOf(at.scope) })
	if err != nil {
		return found, false, err
	}

	for _, scope := range c.Scopes() {
		for _, f := range all {
			if f.Scope == scope && f.Entry.Profile == profile && (!wrapped || f.Entry.Wrapped()) {
				return f, true, nil
			}
		}
	}

	return found, false, nil
}

// search finds Cove's entries in a client's files: the person's, those of this folder, and those in the ledger. It
// opens only the files of wanted locations, so that no other file can cause an error. It goes on after a file that
// cannot be read, and returns the first error.
func (r *Registry) search(c Client, wanted func(location) bool) (found []Found, failed error) {
	l, err := loadLedger(r.Home)
	if err != nil {
		return nil, err
	}

	for _, at := range r.locations(c, l) {
		if !wanted(at) {
			continue
		}
		some, err := r.readEntries(at, l)
		if err != nil && failed == nil {
			failed = err
		}
		found = append(found, some...)
	}

	return found, failed
}

// locations returns every map of servers that may have an entry of Cove's, each once.
func (r *Registry) locations(c Client, l *ledger) (all []location) {
	add := func(at location) {
		same := func(o location) bool { return o.file == at.file && slices.Equal(o.keys, at.keys) }
		if !slices.ContainsFunc(all, same) {
			all = append(all, at)
		}
	}

	scopes := c.Scopes()
	slices.Reverse(scopes) // in the person's home folder, a project's file may be the person's file
	for _, scope := range scopes {
		for _, file := range c.files(r.Env, scope) {
			for _, keys := range c.keys(r.Env, scope) {
				add(location{client: c, scope: scope, dir: r.Env.dirOf(scope), file: file, keys: keys})
			}
		}
	}
	for _, e := range l.Entries {
		if e.Client == c.Name {
			add(location{client: c, scope: e.Scope, dir: e.Dir, file: e.File, keys: e.Key})
		}
	}

	return all
}

// readEntries finds Cove's entries in one map of servers.
func (r *Registry) readEntries(at location, l *ledger) (found []Found, err error) {
	raw, there, err := readFile(resolve(r.Env.real(at.file)))
	if err != nil {
		return nil, unreadable(at.file, err)
	}
	if !there {
		return nil, nil
	}
	d, err := edit.Open(at.client.Format, raw)
	if err != nil {
		return nil, refuseToRead(at, err)
	}

	for name, node := range d.At(at.keys).All() {
		x, ours := parseEntry(name, node.Value())
		if known := l.entry(at.file, at.keys, name); known != nil && !ours {
			x.Profile, ours = known.Profile, known.Command == x.Command
		}
		if ours && r.otherHome(x) == "" {
			f := Found{location: at, Client: at.client, Scope: at.scope, Dir: at.dir, File: at.file, Entry: x}
			found = append(found, f)
		}
	}
	slices.SortStableFunc(found, func(a, b Found) int { return int(a.Entry.Profile) - int(b.Entry.Profile) })

	return found, nil
}

// otherHome returns the data folder of another Cove that an entry leads to. A profile of the same number has other
// logins there. It returns "" for an entry of this Cove, or of a data folder that is gone.
func (r *Registry) otherHome(x Entry) string {
	home, known := r.Env.homeOf(x)
	if !known || home == string(r.Home) || !r.Env.exists(home) {
		return ""
	}

	theirs, err1 := os.Stat(r.Env.real(home))
	ours, err2 := os.Stat(string(r.Home))
	if err1 == nil && err2 == nil && os.SameFile(theirs, ours) {
		return ""
	}

	return home
}
