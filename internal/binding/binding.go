// Package binding remembers which profile the agents in a folder use. Bindings are in the data folder and never in a
// file of the project: a repository that somebody has cloned must not choose the identity that an agent gets.
package binding

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/process"
	"cove/internal/profile"
)

// Bindings are the bindings of one data folder. Several processes may use them at the same time.
type Bindings struct{ home paths.Home }

// Open returns the bindings of a data folder. It reads nothing yet.
func Open(home paths.Home) *Bindings { return &Bindings{home} }

// Of returns the profile of the nearest folder that has one, from folder upwards. ok is false for none.
func (b *Bindings) Of(folder string) (id profile.ID, at string, ok bool, err error) {
	all, err := b.read()
	if err != nil || len(all) == 0 {
		return 0, "", false, err
	}
	for dir := resolve(folder); ; dir = filepath.Dir(dir) {
		if id, ok := all[dir]; ok {
			return id, dir, !isForeign(folder, dir), nil
		}
		if dir == filepath.Dir(dir) {
			return 0, "", false, nil
		}
	}
}

// isForeign reports whether a link in a repository leads to a binding outside of it: what somebody has cloned must not
// choose a profile.
func isForeign(folder, at string) bool {
	folder = filepath.Clean(folder)
	for dir := folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if isRepository(filepath.Join(dir, ".git")) {
			root := resolve(dir)
			return !within(root, at) && !within(at, root)
		}
	}
	return false
}

// within reports whether a folder is another one, or in it.
func within(outer, inner string) bool {
	rel, err := filepath.Rel(outer, inner)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Set binds the root of a folder to a profile, and returns that root.
func (b *Bindings) Set(folder string, id profile.ID) (root string, err error) {
	root = Root(folder)
	return root, b.change(func(all map[string]profile.ID) { all[root] = id })
}

// Remove removes the binding that is in force in a folder. It returns where that was; "" for none.
func (b *Bindings) Remove(folder string) (at string, err error) {
	_, at, ok, err := b.Of(folder)
	if err != nil || !ok {
		return "", err
	}
	return at, b.change(func(all map[string]profile.ID) { delete(all, at) })
}

// Root returns the folder that a binding made in folder is for: the root of the repository, where there is one.
func Root(folder string) string {
	folder = resolve(folder)
	for dir := folder; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if isRepository(filepath.Join(dir, ".git")) {
			return dir
		}
	}
	return folder
}

// isRepository reports whether a folder holds a repository, or a file the address of one. Sandboxes leave empty folders
// of that name.
func isRepository(git string) bool {
	info, err := os.Stat(git)
	if err == nil && info.IsDir() {
		_, err = os.Stat(filepath.Join(git, "HEAD"))
	}
	return err == nil
}

// resolve returns the one name of a folder, whatever links lead there.
func resolve(folder string) string {
	if abs, err := filepath.Abs(folder); err == nil {
		folder = abs
	}
	if to, err := filepath.EvalSymlinks(folder); err == nil {
		folder = to
	}
	return filepath.Clean(folder)
}

func (b *Bindings) read() (map[string]profile.ID, error) {
	all := map[string]profile.ID{}
	raw, err := os.ReadFile(b.home.Bindings())
	if errors.Is(err, os.ErrNotExist) {
		return all, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil {
		return nil, fault.New(fault.CodeUnreadable, "The file "+b.home.Bindings()+" cannot be read: "+err.Error()+".",
			"Remove it and bind your folders again: cove page use ID").Because(err)
	}
	return all, nil
}

// lockLimit is how long a change waits for another one.
const lockLimit = 5 * time.Second

func (b *Bindings) change(edit func(map[string]profile.ID)) error {
	if err := b.home.Make(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lockLimit)
	defer cancel()
	lock, err := process.WaitLock(ctx, b.home.Bindings()+".lock")
	if err != nil {
		return err
	}
	defer lock.Release()

	all, err := b.read()
	if err != nil {
		return err
	}
	edit(all)
	raw, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return fault.Disk(paths.WriteFile(b.home.Bindings(), append(raw, '\n')))
}
