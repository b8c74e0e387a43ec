package records

import (
	"slices"
	"sync"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/secret"
	"cove/internal/secret/totp"
)

// Secrets stores the secrets of every profile, one change at a time.
type Secrets struct {
	Home paths.Home
	mu   sync.Mutex
}

func (s *Secrets) of(id profile.ID) *secret.Store {
	return secret.Open(s.Home.Profile(id), secret.NewHomeKeys(s.Home).PreferKeyring())
}

// List returns the names of a profile's secrets, and never their values.
func (s *Secrets) List(id profile.ID) ([]api.Secret, error) {
	all, err := s.of(id).List()
	out := make([]api.Secret, len(all))
	for i, one := range all {
		out[i] = api.Secret{Name: one.Name, Kind: string(one.Kind), Site: one.Site, SetAt: one.Set}
	}
	return out, err
}

// Set stores a secret. It replaces another of the same name only with replace.
func (s *Secrets) Set(id profile.ID, in api.NewSecret, replace bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !replace {
		all, err := s.of(id).List()
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, func(one secret.About) bool { return one.Name == in.Name }) {
			return fault.New(fault.CodeSecretChanged,
				"The secret "+in.Name+" was set in the meantime.", "Review the list and try again.")
		}
	}
	return set(s.of(id), in)
}

// set stores a secret of the kind that in says.
func set(store *secret.Store, in api.NewSecret) error {
	if _, err := secret.Check(in.Name, in.Site); err != nil {
		return err
	}
	skew := time.Duration(in.Skew) * time.Second
	switch secret.Kind(in.Kind) {
	case "", secret.Password:
		if skew != 0 {
			return fault.Fieldf("skew", "Only a secret for one-time codes has a clock.")
		}
		return store.Set(in.Name, in.Site, in.Value)
	case secret.TOTP:
		setup, err := totp.Parse(in.Value)
		if err != nil {
			return err
		}
		setup.Skew = skew
		return store.SetTOTP(in.Name, in.Site, setup)
	case secret.FromCommand:
		return fault.Fieldf("kind", "A command can be set on the command line only.").
			WithHint("Run: cove secret set NAME --profile ID --site ORIGIN --command 'COMMAND'")
	}
	return fault.Fieldf("kind", "A secret is of the kind password or totp.")
}

// Correct says how far the clock of a site that asks for one-time codes is ahead of this computer's.
func (s *Secrets) Correct(id profile.ID, name string, in api.SecretChange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(id).SetSkew(name, time.Duration(in.Skew)*time.Second)
}

// Code returns a one-time code for the person. It waits for none: they see how long it is valid.
func (s *Secrets) Code(id profile.ID, name string) (api.SecretCode, error) {
	one, err := s.of(id).Get(name)
	if err != nil {
		return api.SecretCode{}, err
	}
	if one.Kind != secret.TOTP {
		return api.SecretCode{}, fault.Invalidf("The secret %s is not for one-time codes.", name)
	}
	step, left := one.TOTP.Step(time.Now())
	return api.SecretCode{Code: one.TOTP.Code(step), Seconds: int(left / time.Second)}, nil
}

// Remove deletes a secret.
func (s *Secrets) Remove(id profile.ID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(id).Remove(name)
}
