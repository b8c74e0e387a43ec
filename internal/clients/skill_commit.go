package clients

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/skill"
)

// commitSkill writes what was planned. As for entries, the ledger is written before a new file and after a removal.
func (r *Registry) commitSkill(at skillPlace, was original, old *ledger, p skillPlan) error {
	if !p.touches {
		removeFolders(p.folders)
		return r.saveSkills(old, p.ledger)
	}
	if was.there && !isPristine(was.raw, old.skill(was.file)) {
		if err := r.backupSkill(at, was.raw); err != nil {
			return unwritable(r.Home.ClientBackups(at.client.Name), err)
		}
	}
	if p.action != Removed {
		return r.writeSkill(at, was, old, p)
	}

	err := was.restore(p)
	if errors.Is(err, errMoved) {
		return err
	}
	if err != nil {
		return at.unwritable(err)
	}
	if p.gone {
		removeFolders(p.folders)
	}

	return r.saveSkills(old, p.ledger)
}

// restore deletes a file with the skill, or writes what was there before.
func (o original) restore(p skillPlan) error {
	if p.gone {
		return removeFile(o.file, o.raw)
	}

	return replaceFile(o.file, o.raw, o.there, p.out, 0)
}

// writeSkill writes the ledger and then the file. It leaves both as they were if it fails.
func (r *Registry) writeSkill(at skillPlace, was original, old *ledger, p skillPlan) error {
	folderMode, mode := fs.FileMode(0o700), fs.FileMode(0o600)
	if at.scope == Project {
		folderMode, mode = 0o755, 0o644
	}
	made, err := makeFolders(was.file, folderMode)
	if err != nil {
		removeFolders(made)
		return at.unwritable(err)
	}

	now := p.ledger.skill(was.file)
	now.Folders = slices.Concat(made, slices.DeleteFunc(slices.Clone(now.Folders),
		func(dir string) bool { return slices.Contains(made, dir) }))
	if err := p.ledger.save(r.Home); err != nil {
		removeFolders(made)
		return unwritable(r.Home.Clients(), err)
	}

	err = replaceFile(was.file, was.raw, was.there, p.out, mode)
	if err == nil {
		return nil
	}
	removeFolders(made)
	_ = old.save(r.Home)
	if errors.Is(err, errMoved) {
		return err
	}

	return at.unwritable(err)
}

// saveSkills writes the ledger if it is another one than before.
func (r *Registry) saveSkills(old, now *ledger) error {
	same := func(a, b skillRecord) bool { return a.File == b.File && slices.Equal(a.Clients, b.Clients) }
	if slices.EqualFunc(old.Skills, now.Skills, same) {
		return nil
	}
	if err := now.save(r.Home); err != nil {
		return unwritable(r.Home.Clients(), err)
	}

	return nil
}

// backupSkill copies a text that somebody has written into the data folder.
func (r *Registry) backupSkill(at skillPlace, raw []byte) error {
	dir := r.Home.ClientBackups(at.client.Name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := time.Now().Format("2006-01-02") + "-" + shortHash(at.file+string(raw)) + "-" + skill.File

	return paths.WriteFile(filepath.Join(dir, name), raw)
}

// unwritable returns the fault for a file that cannot be written. Its hint says how to make the change by hand.
func (at skillPlace) unwritable(err error) error {
	f := fault.From(unwritable(at.file, err))
	if f.Code != fault.CodeUnwritable {
		return f
	}

	return f.WithHint("Make it writable for your user and try again, or " + at.byHand() + ".")
}
