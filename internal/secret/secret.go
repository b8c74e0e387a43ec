// Package secret stores what an agent may type and never see, such as passwords: encrypted, one file for each profile.
// Besides passwords it has what one-time codes are computed from, and commands that print a password.
package secret

import (
	"cmp"
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
	"cove/internal/secret/totp"
)

// About is what people may read of a secret.
type About struct {
	Name string    `json:"name"`
	Kind Kind      `json:"kind,omitempty"` // in the file "" for a password, as before there were other kinds
	Site string    `json:"site"`
	Set  time.Time `json:"set"`
}

// Store is the secrets of one profile. Its methods may be called from any goroutine. Another process may change the
// file: All looks whether it has.
type Store struct {
	profile string // the id: a secret that was copied to another profile does not open there
	name    string
	lock    string // the file that is locked while secrets change
	keys    Keys

	mu     sync.Mutex
	opened []Secret    // what the file held when it was as in seen
	failed error       // and what could not be opened of it
	seen   os.FileInfo // nil before the first look
}

// Open returns the secrets of the profile in a folder. It reads nothing yet.
func Open(dir paths.ProfileDir, keys Keys) *Store {
	return &Store{
		profile: filepath.Base(string(dir)), name: dir.Secrets(), lock: dir.Home().SecretLock(), keys: keys,
	}
}

// OpenHome is Open with the key of the data folder that the profile is in.
func OpenHome(dir paths.ProfileDir) *Store { return Open(dir, NewHomeKeys(dir.Home())) }

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

// Set stores a password, in place of a secret with the same name.
func (s *Store) Set(name, site, value string) error {
	if _, err := Check(name, site); err != nil {
		return err
	}
	if err := checkValue(value); err != nil {
		return err
	}
	return s.set(Password, name, site, []byte(value))
}

// checkValue refuses what cannot be typed and hidden.
func checkValue(value string) error {
	if !utf8.ValidString(value) || strings.ContainsAny(value, "\r\n\x00") {
		return fault.Fieldf("value", "A secret must be a single line of text.")
	}
	if len(value) < MinValue || len(value) > maxValue {
		return fault.Fieldf("value", "A secret must have %d to %d bytes: a shorter one could be guessed.",
			MinValue, maxValue)
	}
	return nil
}

// SetTOTP stores what one-time codes are computed from, in place of a secret with the same name.
func (s *Store) SetTOTP(name, site string, setup totp.Setup) error {
	if setup.Skew.Abs() > totp.MaxSkew {
		return fault.Fieldf("skew", "A clock can be corrected by an hour at most.")
	}
	content, err := json.Marshal(setup)
	if err != nil {
		return err
	}
	return s.set(TOTP, name, site, content)
}

// SetSkew says how far the clock of a site that asks for one-time codes is ahead of this computer's.
func (s *Store) SetSkew(name string, skew time.Duration) error {
	one, err := s.Get(name)
	if err != nil {
		return err
	}
	if one.Kind != TOTP {
		return fault.Fieldf("skew", "The secret %s has no clock: it is not for one-time codes.", name)
	}
	setup := *one.TOTP
	setup.Skew = skew
	return s.SetTOTP(name, one.Site.String(), setup)
}

// SetCommand stores a command that prints a password when it is needed, in place of a secret with the same name.
func (s *Store) SetCommand(name, site string, c Command) error {
	content, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.set(FromCommand, name, site, content)
}

// set stores a secret. content is what its box holds.
func (s *Store) set(kind Kind, name, site string, content []byte) error {
	where, err := Check(name, site)
	if err != nil {
		return err
	}
	if kind == Password {
		kind = ""
	}
	about := About{Name: name, Kind: kind, Site: where.String(), Set: time.Now().UTC().Truncate(time.Second)}
	return s.change(func(all []sealed) ([]sealed, error) {
		one, err := s.seal(about, content)
		if err != nil {
			return nil, err
		}
		all = slices.DeleteFunc(all, func(k sealed) bool { return k.Name == name })
		if len(all) >= maxCount {
			return nil, fault.Invalidf("A profile can have at most %d secrets.", maxCount)
		}
		return append(all, one), nil
	})
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
		if k.damaged != nil {
			continue
		}
		k.Kind = cmp.Or(k.Kind, Password)
		list = append(list, k.About)
	}
	return list, err
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
	box, err := s.box(false)
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
