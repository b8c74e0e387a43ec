package records

import (
	"slices"
	"sync"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/secret"
)

// Secrets stores the secrets of every profile, one change at a time.
type Secrets struct {
	Home paths.Home
	mu   sync.Mutex
}

func (s *Secrets) of(id profile.ID) *secret.Store {
	return secret.OpenHome(s.Home.Profile(id))
}

// List returns the names of a profile's secrets, and never their values.
func (s *Secrets) List(id profile.ID) ([]api.Secret, error) {
	all, err := s.of(id).List()
	out := make([]api.Secret, len(all))
	for i, one := range all {
		out[i] = api.Secret{Name: one.Name, Site: one.Site, SetAt: one.Set}
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
	return s.of(id).Set(in.Name, in.Site, in.Value)
}

// Remove deletes a secret.
func (s *Secrets) Remove(id profile.ID, name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of(id).Remove(name)
}
