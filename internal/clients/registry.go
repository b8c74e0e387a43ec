package clients

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/paths"
)

// Registry adds and removes entries in the files of clients.
type Registry struct {
	Env  Env
	Home paths.Home
}

// What a change did.
const (
	Added     = "added"
	Updated   = "updated"
	Removed   = "removed"
	Unchanged = "unchanged"
)

// Change is what was done to one file, or with DryRun would be.
type Change struct {
	Client Client
	Scope  Scope
	Dir    string // of a local or project scope
	File   string
	Entry  Entry
	Action string
	// Diff shows the change line by line.
	Diff string
}

// spot is one map of servers in one file.
type spot struct {
	client Client
	scope  Scope
	dir    string // of a local or project scope
	file   string
	keys   []string
	// byHand is what a person can do to a file that Cove cannot change.
	byHand string
}

// Add registers an entry. An entry that is there already stays as it is.
func (r *Registry) Add(ctx context.Context, c Client, scope Scope, x Entry, dry bool) (done []Change, err error) {
	if err := CheckName(x.Name); err != nil {
		return nil, err
	}
	if !slices.Contains(c.Scopes(), scope) {
		return nil, errNoScope(c, scope)
	}
	if err := c.takes(x); err != nil {
		return nil, err
	}
	if err := r.CheckInstalled(c, x.Profile); err != nil {
		return nil, err
	}
	unlock, err := lockOurs(ctx, r.Home)
	if err != nil {
		return nil, err
	}
	defer unlock()
	for _, file := range c.targets(r.Env, scope) {
		s := spot{client: c, scope: scope, dir: r.Env.dirOf(scope), file: file, byHand: "add this to it yourself:\n" + Snippet(c, c.keys(r.Env, scope)[0], x)}
		change, err := r.retry(ctx, s, func(d *document, l *ledger) (edit, error) { return r.planAdd(s, d, l, x) }, x, dry)
		if err != nil {
			return done, err
		}
		done = append(done, change)
	}
	return done, nil
}

// takes refuses an entry of which the client would run something else.
func (c Client) takes(x Entry) error {
	for _, word := range append([]string{x.Command}, x.Args...) {
		if !utf8.ValidString(word) {
			return fault.Invalidf("%q is not UTF-8, so no client's file can hold it.", word).WithHint("Move it to a path without such bytes.")
		}
		if c.Variables == nil {
			continue
		}
		if v := c.Variables.FindString(word); v != "" {
			return fault.Invalidf("%s would replace %s in %s by the value of a variable.", c.Title, v, word).WithHint("Move it to a path without that.")
		}
	}
	return nil
}

// edit is what one change makes of a document.
type edit struct {
	action string
	entry  Entry
	keys   []string
	out    []byte
	gone   bool    // the file is to be deleted
	ledger *ledger // as it has to be afterwards
}

// planAdd decides what an add makes of a document.
func (r *Registry) planAdd(s spot, d *document, l *ledger, x Entry) (edit, error) {
	s.keys = d.known(s.client.keys(r.Env, s.scope))
	fields := s.client.Shape(x)
	all, err := d.entries(s.keys)
	if err != nil {
		return edit{}, err
	}
	if s.client.NoMark && d.bom != "" {
		return edit{}, &broken{1, "a byte order mark stands there, which the client cannot read"}
	}
	plan := edit{action: Added, entry: x, keys: s.keys, ledger: l.clone()}
	known := l.entry(s.file, s.keys, x.Name)
	if there := all.get(x.Name); there != nil {
		old, ours := read(x.Name, there.plain())
		switch {
		case old.same(x): // also where the program has another name than ours
			plan.action = Unchanged
			return plan, nil
		case !ours && (known == nil || known.Command != old.Command): // a person may have made another server of ours
			return edit{}, errTaken(s, x)
		case ours && old.Profile != x.Profile:
			return edit{}, errTaken(s, x)
		case r.elsewhere(old) != "":
			return edit{}, errTaken(s, x).WithHint("It belongs to the Cove with the data folder " + r.elsewhere(old) + ": choose another name with --name.")
		}
		plan.action = Updated
	}
	out, was, err := d.add(s.keys, x, fields)
	if err != nil {
		return edit{}, err
	}
	plan.out = out
	entry := record{Client: s.client.Name, Scope: s.scope, Dir: s.dir, File: s.file, Key: s.keys, Name: x.Name, Profile: x.Profile,
		Command: x.Command, Args: x.Args, Lead: was.Lead, Added: time.Now().UTC()}
	if plan.action == Updated {
		if known != nil {
			entry.Lead = known.Lead
		}
	} else if !l.others(s.file, s.keys, x.Name, all) {
		g := ground{File: s.file, Key: s.keys, origin: was}
		if d.blank {
			text := d.bom + d.text
			g.Blank = &text
		}
		plan.ledger.putGround(g)
	}
	plan.ledger.put(entry)
	return plan, nil
}

// known is the notation of a key that the document uses, else the first.
func (d *document) known(keys [][]string) []string {
	for _, k := range keys {
		if d.tree.at(k[:len(k)-1]) != nil && len(k) > 1 {
			return k
		}
	}
	return keys[0]
}

// Removal says which entries are to go.
type Removal struct {
	// Profile is the one of the entries; Name, when it is not empty, is the entry's.
	Profile int32
	Name    string
	// Scope limits it to one; empty means this folder's and the person's.
	Scope Scope
	// Everywhere takes other folders too.
	Everywhere bool
}

// Remove takes the entries of a profile out of a client's files.
func (r *Registry) Remove(ctx context.Context, c Client, what Removal, dry bool) (done []Change, err error) {
	if what.Scope != "" && !slices.Contains(c.Scopes(), what.Scope) {
		return nil, errNoScope(c, what.Scope)
	}
	unlock, err := lockOurs(ctx, r.Home)
	if err != nil {
		return nil, err
	}
	defer unlock()
	found, err := r.search(c, func(s spot) bool {
		return (what.Scope == "" || s.scope == what.Scope) && (what.Everywhere || s.dir == r.Env.dirOf(s.scope))
	})
	for _, f := range found {
		if f.Entry.Profile != what.Profile || (what.Name != "" && f.Entry.Name != what.Name) {
			continue
		}
		s := f.spot
		s.byHand = fmt.Sprintf("take %q out of it yourself.", f.Entry.Name)
		change, err := r.retry(ctx, s, func(d *document, l *ledger) (edit, error) { return r.planRemove(s, d, l, f.Entry) }, f.Entry, dry)
		if err != nil {
			return done, err
		}
		done = append(done, change)
	}
	return done, err
}

// planRemove decides what a removal makes of a document.
func (r *Registry) planRemove(s spot, d *document, l *ledger, x Entry) (edit, error) {
	plan := edit{action: Removed, entry: x, keys: s.keys, ledger: l.clone()}
	plan.ledger.drop(s.file, s.keys, x.Name)
	all, err := d.entries(s.keys)
	if err != nil {
		return edit{}, err
	}
	if all.get(x.Name) == nil {
		plan.action = Unchanged
		return plan, nil
	}
	g := l.ground(s.file, s.keys)
	was := origin{At: len(s.keys), unknown: true}
	last := !l.others(s.file, s.keys, x.Name, all)
	if g != nil {
		was = g.origin
		if !last {
			was.Lead = ""
		}
	}
	if known := l.entry(s.file, s.keys, x.Name); known != nil && s.client.Format == TOML {
		was.Lead, was.unknown = known.Lead, false
	}
	if plan.out, err = d.cut(s.keys, x.Name, was); err != nil {
		return edit{}, err
	}
	if last && g != nil {
		plan.ledger.dropGround(s.file, s.keys)
		plan.ledger.bequeath(*g)
		rest := plan.out
		if g.Blank != nil {
			rest = bytes.TrimPrefix(rest, []byte(*g.Blank)) // comments
		}
		if nothing(rest) {
			plan.gone = g.Absent
			if g.Blank != nil {
				plan.out = []byte(*g.Blank)
			}
		}
	}
	return plan, nil
}

// nothing says that a document holds nothing, and no comment.
func nothing(raw []byte) bool {
	rest := strings.Join(strings.Fields(strings.TrimPrefix(string(raw), bom)), "")
	return rest == "" || rest == "{}"
}

// attempts is how often a change is begun anew because somebody else wrote the file meanwhile.
const attempts = 20

// retry makes a change, from the start again when the file has changed under it.
func (r *Registry) retry(ctx context.Context, s spot, plan func(*document, *ledger) (edit, error), x Entry, dry bool) (Change, error) {
	for try := 0; ; try++ {
		change, err := r.once(ctx, s, plan, x, dry)
		if !errors.Is(err, errMoved) {
			return change, err
		}
		if try == attempts {
			return change, fault.New(fault.CodeLocked, "Another program keeps writing "+s.file+".", "Close "+s.client.Title+" and try again.")
		}
		time.Sleep(time.Duration(try) * 5 * time.Millisecond)
	}
}

// once reads a file, plans, and writes it.
func (r *Registry) once(ctx context.Context, s spot, plan func(*document, *ledger) (edit, error), x Entry, dry bool) (Change, error) {
	change := Change{Client: s.client, Scope: s.scope, Dir: s.dir, File: s.file, Entry: x}
	named := r.Env.real(s.file)
	file := resolve(named)
	if s.client.Lock && s.scope != Project && !dry && r.Env.exists(r.Env.folder(s.file)) {
		locks := []string{named}
		if file != named {
			locks = append(locks, file)
		}
		unlock, err := lockTheirs(ctx, s.client.Title, slices.Compact(locks)...)
		if err != nil {
			return change, err
		}
		defer unlock()
	}
	if !dry {
		defer lockFolder(filepath.Dir(file))()
	}
	raw, there, err := readFile(file)
	if err != nil {
		return change, unreadable(s.file, err)
	}
	d, err := open(s.client.Format, raw)
	if err != nil {
		return change, errBroken(s, err)
	}
	l, err := loadLedger(r.Home)
	if err != nil {
		return change, err
	}
	e, err := plan(d, l)
	if err != nil {
		return change, errBroken(s, err)
	}
	change.Action, change.Entry = e.action, e.entry
	if e.action == Unchanged {
		return change, nil
	}
	change.Diff = diff(s.file, there, raw, e.gone, e.out)
	if dry {
		return change, nil
	}
	return change, r.commit(s, file, raw, there, l, e)
}

// commit writes the ledger first: an entry without a record could not be taken out without a trace.
func (r *Registry) commit(s spot, file string, raw []byte, there bool, before *ledger, e edit) (err error) {
	mode, folders := fs.FileMode(0o600), fs.FileMode(0o700)
	if s.scope == Project {
		mode, folders = 0o644, 0o755
	}
	if there {
		if err := backup(r.Home, s.client.Name, s.file, raw, time.Now()); err != nil {
			return unwritable(r.Home.ClientBackups(s.client.Name), err)
		}
	}
	var made []string
	if !there {
		if made, err = makeFolders(file, folders); err != nil {
			removeFolders(made)
			return s.unwritable(err)
		}
		for i := range e.ledger.Grounds {
			if g := &e.ledger.Grounds[i]; g.File == s.file && g.Blank != nil {
				g.Absent, g.Folders = true, made
			}
		}
	}
	if e.action != Removed {
		if err := e.ledger.save(r.Home); err != nil {
			removeFolders(made)
			return unwritable(r.Home.Clients(), err)
		}
	}
	if e.gone {
		err = removeFile(file, raw)
	} else {
		err = replaceFile(file, raw, there, e.out, mode)
	}
	if err != nil {
		removeFolders(made)
		if e.action != Removed {
			_ = before.save(r.Home)
		}
		if errors.Is(err, errMoved) {
			return err
		}
		return s.unwritable(err)
	}
	if e.action == Removed {
		if g := before.ground(s.file, e.keys); e.gone && g != nil {
			removeFolders(g.Folders)
		}
		_ = e.ledger.save(r.Home) // the entry is gone, and a record too many does no harm
		return nil
	}
	// A client that does not lock may have read the file before and write it now.
	if now, _, err := readFile(file); err == nil && !bytes.Equal(now, e.out) {
		if d, err := open(s.client.Format, now); err == nil {
			if all, _ := d.entries(e.keys); all.get(e.entry.Name) == nil {
				return errMoved
			}
		}
	}
	return nil
}

func shortHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:4])
}
