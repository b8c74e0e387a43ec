package clients

import (
	"context"
	"fmt"
	"slices"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Registry adds, finds and removes Cove's entries in the files of clients.
//
// A Registry owns only the ledger in the data folder Home, which says what Cove has written and what was there before.
// It keeps no state in memory: each call reads the ledger and the files anew. So any number of goroutines and processes
// may use Registries at the same time, as long as Env and Home stay unchanged.
//
// A change holds the lock of the data folder, the lock of the file's folder (not on Windows) and the client's own lock,
// if the client has one. It replaces a file in one step, and only if the file is still as it was read.
type Registry struct {
	Env  Env
	Home paths.Home
}

// The actions of a Change.
const (
	// Added says that there was no entry of this name.
	Added = "added"
	// Updated says that an entry of Cove's was changed to run something else.
	Updated = "updated"
	// Removed says that an entry is gone.
	Removed = "removed"
	// Unchanged says that the file already was as it should be.
	Unchanged = "unchanged"
)

// Change describes what was done to one file, or what a dry run would do.
type Change struct {
	Client Client
	Scope  Scope
	Dir    string // the folder of a local or project scope
	File   string
	Entry  Entry
	Action string
	// Diff shows the change line by line.
	Diff string
}

// location is one map of servers in one file.
type location struct {
	client Client
	scope  Scope
	dir    string // the folder of a local or project scope
	file   string
	keys   []string
	// byHand says what a person can do if Cove cannot change the file.
	byHand string
}

// Add registers an entry. An entry that already runs the same stays as it is. A dry run writes nothing.
func (r *Registry) Add(ctx context.Context, c Client, scope Scope, x Entry, dry bool) (done []Change, err error) {
	if err := CheckName(x.Name); err != nil {
		return nil, err
	}
	if !slices.Contains(c.Scopes(), scope) {
		return nil, errNoScope(c, scope)
	}
	if err := c.accepts(x); err != nil {
		return nil, err
	}
	if err := r.CheckInstalled(c, x.Profile); err != nil {
		return nil, err
	}
	unlock, err := lockHome(ctx, r.Home)
	if err != nil {
		return nil, err
	}
	defer unlock()

	byHand := "add this to it yourself:\n" + Snippet(c, c.keys(r.Env, scope)[0], x)
	for _, file := range c.targets(r.Env, scope) {
		at := location{client: c, scope: scope, dir: r.Env.dirOf(scope), file: file, byHand: byHand}
		change, err := r.retry(ctx, at, x, dry, func(s snapshot) (plan, error) { return r.planAdd(at, s, x) })
		if err != nil {
			return done, err
		}
		done = append(done, change)
	}

	return done, nil
}

// CheckInstalled refuses a client that is not on this computer. The hint names the command that shows what the client
// needs for a profile.
func (r *Registry) CheckInstalled(c Client, profile profile.ID) error {
	if c.Installed(r.Env) {
		return nil
	}

	return fault.New(fault.CodeNotInstalled,
		c.Title+" was not found on this computer: it has neither its folder "+c.folders(r.Env)[0]+
			" nor a program on the PATH.",
		fmt.Sprintf("Install it and start it once, or see what it needs with: cove client snippet %s %d", c.Name,
			profile))
}

// Removal selects the entries that Remove removes.
type Removal struct {
	// Profile is the profile of the entries. Name selects one of them by its name; if it is empty, all are removed.
	Profile profile.ID
	Name    string
	// Scope limits the removal to one scope. If it is empty, the scopes of this folder and of the person count.
	Scope Scope
	// Everywhere includes other folders.
	Everywhere bool
}

// Remove removes the entries of a profile from a client's files. A dry run writes nothing.
func (r *Registry) Remove(ctx context.Context, c Client, what Removal, dry bool) (done []Change, err error) {
	if what.Scope != "" && !slices.Contains(c.Scopes(), what.Scope) {
		return nil, errNoScope(c, what.Scope)
	}
	unlock, err := lockHome(ctx, r.Home)
	if err != nil {
		return nil, err
	}
	defer unlock()

	found, err := r.search(c, func(at location) bool {
		return (what.Scope == "" || at.scope == what.Scope) && (what.Everywhere || at.dir == r.Env.dirOf(at.scope))
	})
	for _, f := range found {
		if f.Entry.Profile != what.Profile || (what.Name != "" && f.Entry.Name != what.Name) {
			continue
		}
		at := f.location
		at.byHand = fmt.Sprintf("take %q out of it yourself.", f.Entry.Name)
		change, err := r.retry(ctx, at, f.Entry, dry,
			func(s snapshot) (plan, error) { return planRemove(at, s, f.Entry) })
		if err != nil {
			return done, err
		}
		done = append(done, change)
	}

	return done, err
}
