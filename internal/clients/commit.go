package clients

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"cove/internal/clients/edit"
	"cove/internal/fault"
)

// attempts is how often a change is repeated because another program wrote the file in the meantime.
const attempts = 20

// retry makes a change. It starts again if another program has changed the file in between.
func (r *Registry) retry(
	ctx context.Context, at location, x Entry, dry bool, decide func(snapshot) (plan, error),
) (Change, error) {
	for try := 0; ; try++ {
		change, err := r.once(ctx, at, x, dry, decide)
		if !errors.Is(err, errMoved) {
			return change, err
		}
		if try == attempts {
			return change, fault.New(fault.CodeLocked, "Another program keeps writing "+at.file+".",
				"Close "+at.client.Title+" and try again.")
		}
		time.Sleep(time.Duration(try) * 5 * time.Millisecond)
	}
}

// once reads a file, plans the change, and writes it.
func (r *Registry) once(
	ctx context.Context, at location, x Entry, dry bool, decide func(snapshot) (plan, error),
) (Change, error) {
	change := Change{Client: at.client, Scope: at.scope, Dir: at.dir, File: at.file, Entry: x}
	file := resolve(r.Env.real(at.file))
	if !dry {
		unlock, err := r.lockFile(ctx, at, file)
		if err != nil {
			return change, err
		}
		defer unlock()
	}

	raw, there, err := readFile(file)
	if err != nil {
		return change, unreadable(at.file, err)
	}
	d, err := edit.Open(at.client.Format, raw)
	if err != nil {
		return change, refuseToWrite(at, err)
	}
	l, err := loadLedger(r.Home)
	if err != nil {
		return change, err
	}
	p, err := decide(snapshot{d, l})
	if err != nil {
		return change, refuseToWrite(at, err)
	}

	change.Action, change.Entry = p.action, p.entry
	if p.action == Unchanged {
		return change, nil
	}
	change.Diff = diff(at.file, there, raw, p)
	if dry {
		return change, nil
	}

	return change, r.commit(at, original{file, raw, there}, l, p)
}

// lockFile keeps other Coves from writing a file, and also the client if it has a lock.
func (r *Registry) lockFile(ctx context.Context, at location, file string) (unlock func(), err error) {
	unlockClient := func() {}
	if at.client.Lock && at.scope != Project && r.Env.exists(r.Env.folder(at.file)) {
		files := slices.Compact([]string{r.Env.real(at.file), file})
		if unlockClient, err = lockClient(ctx, at.client.Title, files...); err != nil {
			return nil, err
		}
	}
	unlockFolder := lockFolder(filepath.Dir(file))

	return func() {
		unlockFolder()
		unlockClient()
	}, nil
}

func diff(file string, there bool, raw []byte, p plan) string {
	const none = "(no file)"
	from, to, out := file, file, p.out
	if !there {
		from = none
	}
	if p.gone {
		to, out = none, nil
	}

	return edit.Diff(from, raw, to, out)
}

// original is a file on the disk as it was read.
type original struct {
	file  string
	raw   []byte
	there bool
}

// commit writes what was planned. For a new or changed entry it writes the ledger first: an entry without a record
// could not be removed without a trace.
func (r *Registry) commit(at location, was original, old *ledger, p plan) error {
	made, err := r.prepare(at, was, p)
	if err != nil {
		return err
	}
	if p.action != Removed {
		if err := p.ledger.save(r.Home); err != nil {
			removeFolders(made)
			return unwritable(r.Home.Clients(), err)
		}
	}

	if err := was.write(at, p); err != nil {
		removeFolders(made)
		if p.action != Removed {
			_ = old.save(r.Home)
		}
		if errors.Is(err, errMoved) {
			return err
		}
		return at.unwritable(err)
	}

	if p.action == Removed {
		if b := old.before(at.file, p.keys); p.gone && b != nil {
			removeFolders(b.Folders)
		}
		_ = p.ledger.save(r.Home) // the entry is gone, and a superfluous record does no harm
		return nil
	}

	return was.confirm(at, p)
}

// prepare backs a file up, or makes the folders of a new one and records them in the planned ledger.
func (r *Registry) prepare(at location, was original, p plan) (made []string, err error) {
	if was.there {
		if err := backup(r.Home, at.client.Name, at.file, was.raw, time.Now()); err != nil {
			return nil, unwritable(r.Home.ClientBackups(at.client.Name), err)
		}
		return nil, nil
	}

	mode := fs.FileMode(0o700)
	if at.scope == Project {
		mode = 0o755
	}
	if made, err = makeFolders(was.file, mode); err != nil {
		removeFolders(made)
		return nil, at.unwritable(err)
	}
	for i := range p.ledger.Befores {
		if b := &p.ledger.Befores[i]; b.File == at.file && b.Blank != nil {
			b.Absent, b.Folders = true, made
		}
	}

	return made, nil
}

// write replaces or deletes the file.
func (o original) write(at location, p plan) error {
	if p.gone {
		return removeFile(o.file, o.raw)
	}
	mode := fs.FileMode(0o600)
	if at.scope == Project {
		mode = 0o644
	}

	return replaceFile(o.file, o.raw, o.there, p.out, mode)
}

// confirm returns errMoved if the entry that was just written is gone: a client that does not lock may have read the
// file before the change and written it after.
func (o original) confirm(at location, p plan) error {
	now, _, err := readFile(o.file)
	if err == nil && !bytes.Equal(now, p.out) {
		if d, err := edit.Open(at.client.Format, now); err == nil {
			if entries, _ := d.Entries(p.keys); entries.Get(p.entry.Name) == nil {
				return errMoved
			}
		}
	}

	return nil
}
