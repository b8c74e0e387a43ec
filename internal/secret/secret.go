// Package secret stores what an agent may type and never see, such as passwords: encrypted, one file for each profile.
package secret

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/policy/site"
)

// Secret is one secret. Only the keeper ever has its Value.
type Secret struct {
	Name  string
	Site  site.Pattern
	Value string
}

// About is what people may read of a secret.
type About struct {
	Name string    `json:"name"`
	Site string    `json:"site"`
	Set  time.Time `json:"set"`
}

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

// Store is the secrets of one profile. Its methods may be called from any goroutine. Another process may change the
// file: All looks whether it has.
type Store struct {
	profile string // the id: a secret that was copied to another profile does not open there
	name    string
	keys    Keys

	mu     sync.Mutex
	opened []Secret    // what the file held when it was as in seen
	failed error       // and what could not be opened of it
	seen   os.FileInfo // nil before the first look
}

// Open returns the secrets of the profile in a folder. It reads nothing yet.
func Open(dir paths.ProfileDir, keys Keys) *Store {
	return &Store{profile: filepath.Base(string(dir)), name: dir.Secrets(), keys: keys}
}

// OpenHome is Open with the key file of the data folder that the profile is in.
func OpenHome(dir paths.ProfileDir) *Store { return Open(dir, KeyFile(dir.Home().SecretKey())) }

func dirOf(name string) string { return filepath.Dir(name) }

// Limits of a secret, in bytes, and of their number.
const (
	// MinValue is the shortest value. A shorter one could be guessed by looking at what is redacted.
	MinValue = 6
	maxValue = 4096
	maxCount = 500
)

// Check refuses a name or a site that no secret can have, before a person types the value.
func Check(name, text string) (where site.Pattern, err error) {
	if !validName(name) {
		return where, fault.Fieldf("name", "A secret's name has 1 to 64 letters, digits, dots, dashes and underscores.")
	}
	if where, err = site.Parse(text); err != nil {
		return where, fault.In("site", err)
	}
	if where.String() == "*" {
		return where, fault.Fieldf("site", "A secret needs one site; it cannot be for all sites.").
			WithHint("Enter the site that uses it, such as https://example.com.")
	}
	return where, nil
}

// Set stores a secret, in place of one with the same name.
func (s *Store) Set(name, site, value string) error {
	where, err := Check(name, site)
	if err != nil {
		return err
	}
	if !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n\x00") {
		return fault.Fieldf("value", "A secret must be a single line of text.")
	}
	if len(value) < MinValue || len(value) > maxValue {
		return fault.Fieldf("value", "A secret must have %d to %d bytes: a shorter one could be guessed.",
			MinValue, maxValue)
	}
	key, err := s.keys.Key(true)
	if err != nil {
		return err
	}
	box, err := newBox(key)
	if err != nil {
		return err
	}
	about := About{Name: name, Site: where.String(), Set: time.Now().UTC().Truncate(time.Second)}
	one := sealed{About: about, Nonce: make([]byte, box.NonceSize())}
	if _, err := rand.Read(one.Nonce); err != nil {
		return err
	}
	one.Box = box.Seal(nil, one.Nonce, []byte(value), s.bound(one))
	return s.change(func(all []sealed) ([]sealed, error) {
		all = slices.DeleteFunc(all, func(k sealed) bool { return k.Name == name })
		if len(all) >= maxCount {
			return nil, fault.Invalidf("A profile can have at most %d secrets.", maxCount)
		}
		return append(all, one), nil
	})
}

// bound returns what a box is bound to: it opens only under its name, for its site, in its profile.
func (s *Store) bound(k sealed) []byte {
	return []byte("cove secret\n" + s.profile + "\n" + k.Name + "\n" + k.Site)
}

func newBox(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// Remove deletes a secret.
func (s *Store) Remove(name string) error {
	return s.change(func(all []sealed) ([]sealed, error) {
		left := slices.DeleteFunc(slices.Clone(all), func(k sealed) bool { return k.Name == name })
		if len(left) == len(all) {
			return nil, unknown(name)
		}
		return left, nil
	})
}

func unknown(name string) *fault.Error {
	return fault.New(fault.CodeNoSecret, "There is no secret "+name+" in this profile.",
		"The person can set it: cove secret set "+name+" --profile ID --site ORIGIN")
}

// List describes the secrets.
func (s *Store) List() ([]About, error) {
	all, err := s.read()
	list := make([]About, 0, len(all))
	for _, k := range all {
		if k.damaged == nil {
			list = append(list, k.About)
		}
	}
	return list, err
}

func (s *Store) change(edit func([]sealed) ([]sealed, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
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

// All opens every secret. It reads the file only when the file has changed. A secret that cannot be opened does not
// keep the others back: the error names it, and the others are returned beside it.
func (s *Store) All() ([]Secret, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	info, err := os.Stat(s.name)
	if errors.Is(err, os.ErrNotExist) {
		s.opened, s.failed, s.seen = nil, nil, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if s.isSeen(info) {
		return s.opened, s.failed
	}
	all, err := s.read()
	if err != nil || len(all) == 0 {
		return nil, err
	}
	key, err := s.keys.Key(false)
	if err != nil {
		return nil, err
	}
	box, err := newBox(key)
	if err != nil {
		return nil, err
	}
	opened, failed := make([]Secret, 0, len(all)), []error{}
	for _, k := range all {
		one, err := s.open(box, k)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		opened = append(opened, one)
	}
	s.opened, s.failed, s.seen = opened, errors.Join(failed...), info
	return s.opened, s.failed
}

// isSeen reports whether the file is as it was at the last look.
func (s *Store) isSeen(info os.FileInfo) bool {
	return s.seen != nil && os.SameFile(s.seen, info) &&
		s.seen.ModTime().Equal(info.ModTime()) && s.seen.Size() == info.Size()
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
	return Secret{k.Name, where, string(value)}, nil
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

// Get opens one secret.
func (s *Store) Get(name string) (Secret, error) {
	all, err := s.All()
	if i := slices.IndexFunc(all, func(one Secret) bool { return one.Name == name }); i >= 0 {
		return all[i], nil
	}
	var broken *Unreadable
	for _, one := range unjoin(err) {
		if errors.As(one, &broken) && broken.Name == name {
			return Secret{}, unreadable(broken.Error())
		}
	}
	if err != nil && broken == nil {
		return Secret{}, err
	}
	if !validName(name) {
		name = "of that name"
	}
	return Secret{}, unknown(name)
}

// unjoin returns the errors that are joined in one.
func unjoin(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return nil
}
