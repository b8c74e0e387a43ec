package httpapi

import (
	"slices"

	"cove/api"
	"cove/internal/profile"
)

// Secrets stores what agents can type and never see.
type Secrets interface {
	List(id profile.ID) ([]api.Secret, error)
	// Set stores a secret. It replaces one of the same name only with replace.
	Set(id profile.ID, in api.NewSecret, replace bool) error
	Remove(id profile.ID, name string) error
}

// secretsOf checks what every call about secrets needs: the owner, a login and a profile.
func (c *call) secretsOf() error {
	if err := first(c.requireOwner, c.requireLogin); err != nil {
		return err
	}
	_, err := c.server.config.Profiles.Get(c.Context(), c.id)
	return err
}

func (s *Server) secrets(c *call) (any, error) {
	if err := c.secretsOf(); err != nil {
		return nil, err
	}
	all, err := s.config.Secrets.List(c.id)
	return api.Secrets{Data: all}, err
}

// setSecret stores a secret. A new secret only hides more. Replacing one ends the hiding of its old value, like its
// removal, so only the person can.
func (s *Server) setSecret(c *call) (any, error) {
	var in api.NewSecret
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := c.secretsOf(); err != nil {
		return nil, err
	}
	all, err := s.config.Secrets.List(c.id)
	if err != nil {
		return nil, err
	}
	replace := slices.ContainsFunc(all, func(one api.Secret) bool { return one.Name == in.Name })
	if replace {
		if err := c.requirePersonFor("replace a secret"); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, s.config.Secrets.Set(c.id, in, replace)
}

func (s *Server) removeSecret(c *call) (any, error) {
	if err := first(c.secretsOf, func() error { return c.requirePersonFor("remove a secret") }); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, s.config.Secrets.Remove(c.id, c.name)
}
