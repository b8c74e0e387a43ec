package secret

import (
	"cmp"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/policy/site"
	"cove/internal/process"
)

// sealed is a secret as the file has it.
type sealed struct {
	About
	Nonce []byte `json:"nonce"`
	Box   []byte `json:"box"`
	// damaged is the text in the file when it is not a secret.
	damaged json.RawMessage
}

type file struct {
	Version int               `json:"version"`
	Secrets []json.RawMessage `json:"secrets"`
}

func dirOf(name string) string { return filepath.Dir(name) }

// bound returns what a box is bound to, so that it opens only with its name and kind, for its site and in its profile.
func (s *Store) bound(k sealed) []byte {
	to := "cove secret\n" + s.profile + "\n" + k.Name + "\n" + k.Site
	if k.Kind != "" {
		to += "\n" + string(k.Kind)
	}
	return []byte(to)
}

func newBox(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// lockTime bounds how long a change waits for that of another process.
const lockTime = 10 * time.Second

// acquire waits until no other process changes secrets.
func acquire(name string) (release func(), err error) {
	ctx, cancel := context.WithTimeout(context.Background(), lockTime)
	defer cancel()
	lock, err := process.WaitLock(ctx, name)
	if errors.Is(err, process.ErrLocked) {
		return nil, fault.New(fault.CodeLocked, "Another process is changing secrets.", "Try again.")
	}
	if err != nil {
		return nil, fault.Disk(err)
	}
	return lock.Release, nil
}

// change edits the secrets in the file, while no other process does.
func (s *Store) change(edit func([]sealed) ([]sealed, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	release, err := acquire(s.lock)
	if err != nil {
		return err
	}
	defer release()
	all, err := s.read()
	if err != nil {
		return err
	}
	if all, err = edit(all); err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b sealed) int { return strings.Compare(a.Name, b.Name) })
	f := file{Version: 1, Secrets: make([]json.RawMessage, len(all))}
	for i, k := range all {
		if f.Secrets[i] = k.damaged; k.damaged != nil {
			continue
		}
		if f.Secrets[i], err = json.Marshal(k); err != nil {
			return err
		}
	}
	raw, err := json.MarshalIndent(f, "", " ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dirOf(s.name), 0o700); err != nil {
		return fault.Disk(err)
	}
	s.seen = nil
	return paths.WriteFile(s.name, append(raw, '\n'))
}

// read returns the secrets in the file. An entry that is not a secret is returned as it is, as damaged.
func (s *Store) read() ([]sealed, error) {
	raw, err := os.ReadFile(s.name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var f file
	if json.Unmarshal(raw, &f) != nil || f.Version != 1 {
		return nil, unreadable("The profile's file of secrets cannot be read.")
	}
	all := make([]sealed, len(f.Secrets))
	for i, raw := range f.Secrets {
		if json.Unmarshal(raw, &all[i]) != nil || !validName(all[i].Name) {
			all[i] = sealed{damaged: raw}
		}
	}
	return all, nil
}

// isSeen reports whether the file is as it was at the last look.
func (s *Store) isSeen(info os.FileInfo) bool {
	return s.seen != nil && os.SameFile(s.seen, info) &&
		s.seen.ModTime().Equal(info.ModTime()) && s.seen.Size() == info.Size()
}

// box returns the cipher with the store's key. With create it makes the key if there is none yet.
func (s *Store) box(create bool) (cipher.AEAD, error) {
	key, err := s.keys.Key(create)
	if err != nil {
		return nil, err
	}
	return newBox(key)
}

// seal encrypts a secret. It makes the key if there is none yet.
func (s *Store) seal(about About, content []byte) (one sealed, err error) {
	box, err := s.box(true)
	if err != nil {
		return one, err
	}
	one = sealed{About: about, Nonce: make([]byte, box.NonceSize())}
	if _, err := rand.Read(one.Nonce); err != nil {
		return one, err
	}
	one.Box = box.Seal(nil, one.Nonce, content, s.bound(one))
	return one, nil
}

// open opens one secret.
func (s *Store) open(box cipher.AEAD, k sealed) (Secret, error) {
	if k.damaged != nil {
		return Secret{}, &Unreadable{}
	}
	where, err := site.Parse(k.Site)
	if err != nil || len(k.Nonce) != box.NonceSize() {
		return Secret{}, &Unreadable{k.Name}
	}
	value, err := box.Open(nil, k.Nonce, k.Box, s.bound(k))
	if err != nil {
		return Secret{}, &Unreadable{k.Name}
	}
	one := Secret{Name: k.Name, Kind: cmp.Or(k.Kind, Password), Site: where}
	if !one.fill(value) {
		return Secret{}, &Unreadable{k.Name}
	}
	return one, nil
}

// Unreadable is the error of a secret that cannot be opened. Name is "" when not even that can be read.
type Unreadable struct{ Name string }

// Error says which secret cannot be opened.
func (u *Unreadable) Error() string {
	if u.Name == "" {
		return "A secret of the profile cannot be read."
	}
	return "The secret " + u.Name + " cannot be opened: it was changed, or belongs to another profile or key."
}
