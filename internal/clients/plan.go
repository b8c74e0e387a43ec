package clients

import (
	"bytes"
	"time"

	"cove/internal/clients/edit"
)

// snapshot is the state that a change is planned for: the file as it was read, and the ledger.
type snapshot struct {
	document *edit.Document
	ledger   *ledger
}

// plan is the outcome of a change: the new content of the file and of the ledger.
type plan struct {
	action string
	entry  Entry
	keys   []string
	out    []byte
	gone   bool    // the file is to be deleted
	ledger *ledger // as it is after the change
}

// planAdd plans how an entry is added to a document.
func (r *Registry) planAdd(at location, s snapshot, x Entry) (plan, error) {
	at.keys = s.document.Notation(at.client.keys(r.Env, at.scope))
	entries, err := s.document.Entries(at.keys)
	if err != nil {
		return plan{}, err
	}
	if at.client.NoMark && s.document.HasBOM() {
		return plan{}, &edit.Error{Line: 1, Reason: "a byte order mark stands there, which the client cannot read"}
	}

	p := plan{action: Added, entry: x, keys: at.keys, ledger: s.ledger.clone()}
	known := s.ledger.entry(at.file, at.keys, x.Name)
	if there := entries.Get(x.Name); there != nil {
		if p.action, err = r.judge(at, x, there, known); err != nil || p.action == Unchanged {
			return p, err
		}
	}

	var was edit.Origin
	if p.out, was, err = s.document.Add(edit.Path{Keys: at.keys, Name: x.Name}, at.client.content(x)); err != nil {
		return plan{}, err
	}
	entry := record{Client: at.client.Name, Scope: at.scope, Dir: at.dir, File: at.file, Key: at.keys, Name: x.Name,
		Profile: x.Profile, Command: x.Command, Args: x.Args, Lead: was.Lead, Added: time.Now().UTC()}
	if p.action == Updated {
		if known != nil {
			entry.Lead = known.Lead
		}
	} else if !s.ledger.others(at.file, at.keys, x.Name, entries) {
		b := before{File: at.file, Key: at.keys, Origin: was}
		if text, blank := s.document.Blank(); blank {
			b.Blank = &text
		}
		p.ledger.putBefore(b)
	}
	p.ledger.put(entry)

	return p, nil
}

// judge returns what Add does to an existing entry of the same name: Unchanged or Updated. It refuses an entry that is
// not ours, or that belongs to another profile or another data folder.
func (r *Registry) judge(at location, x Entry, there *edit.Node, known *record) (action string, err error) {
	old, ours := parseEntry(x.Name, there.Value())
	switch {
	case old.same(x): // even if the program is not named cove
		return Unchanged, nil
	// A person may have turned one of our entries into another server.
	case !ours && (known == nil || known.Command != old.Command):
		return "", errNameTaken(at, x)
	case ours && old.Profile != x.Profile:
		return "", errNameTaken(at, x)
	case r.otherHome(old) != "":
		return "", errNameTaken(at, x).WithHint("It belongs to the Cove with the data folder " + r.otherHome(old) +
			": choose another name with --name.")
	}

	return Updated, nil
}

// planRemove plans how an entry is removed from a document.
func planRemove(at location, s snapshot, x Entry) (plan, error) {
	p := plan{action: Removed, entry: x, keys: at.keys, ledger: s.ledger.clone()}
	p.ledger.drop(at.file, at.keys, x.Name)
	entries, err := s.document.Entries(at.keys)
	if err != nil {
		return plan{}, err
	}
	if entries.Get(x.Name) == nil {
		p.action = Unchanged
		return p, nil
	}

	b := s.ledger.before(at.file, at.keys)
	was := edit.Origin{At: len(at.keys), Unknown: true}
	last := !s.ledger.others(at.file, at.keys, x.Name, entries)
	if b != nil {
		was = b.Origin
		if !last {
			was.Lead = ""
		}
	}
	if known := s.ledger.entry(at.file, at.keys, x.Name); known != nil && at.client.Format.LeadsEachEntry() {
		was.Lead, was.Unknown = known.Lead, false
	}
	if p.out, err = s.document.Remove(edit.Path{Keys: at.keys, Name: x.Name}, was); err != nil {
		return plan{}, err
	}

	if last && b != nil {
		p.ledger.dropBefore(at.file, at.keys)
		p.ledger.inherit(*b)
		p.restore(b)
	}

	return p, nil
}

// restore plans the text that a file had before Cove's first entry, if nothing else is left in the file.
func (p *plan) restore(b *before) {
	rest := p.out
	if b.Blank != nil {
		rest = bytes.TrimPrefix(rest, []byte(*b.Blank)) // the comments that were there before
	}
	if !edit.IsEmpty(rest) {
		return
	}

	p.gone = b.Absent
	if b.Blank != nil {
		p.out = []byte(*b.Blank)
	}
}
