package httpapi

import (
	"slices"

	"cove/api"
	"cove/internal/profile"
)

// Secrets keeps what agents may type and never see.
type Secrets interface {
	List(id profile.ID) ([]api.Secret, error)
	// Set keeps one; in place of another of its name only with replace.
	Set(id profile.ID, in api.NewSecret, replace bool) error
	Remove(id profile.ID, name string) error
}

// secretsOf checks what every call about secrets needs: the owner, a login and a profile.
func (c *call) secretsOf() error {
	if err := first(c.requireOwner, c.mustLogIn); err != nil {
		return err
	}
	_, err := c.server.Profiles.Get(c.Context(), c.id)
	return err
}

func (s *Server) secrets(c *call) (any, error) {
	if err := c.secretsOf(); err != nil {
		return nil, err
	}
	all, err := s.Secrets.List(c.id)
	return api.Secrets{Data: all}, err
}

// setSecret keeps one. A new one only hides more; in place of another it ends the hiding of that one's value, as its removal does: that is the
// person's.
func (s *Server) setSecret(c *call) (any, error) {
	var in api.NewSecret
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := c.secretsOf(); err != nil {
		return nil, err
	}
	all, err := s.Secrets.List(c.id)
	if err != nil {
		return nil, err
	}
	replace := slices.ContainsFunc(all, func(one api.Secret) bool { return one.Name == in.Name })
	if replace {
		if err := c.mustBePersonFor("replace a secret"); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, s.Secrets.Set(c.id, in, replace)
}

func (s *Server) removeSecret(c *call) (any, error) {
	if err := first(c.secretsOf, func() error { return c.mustBePersonFor("remove a secret") }); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, s.Secrets.Remove(c.id, c.name)
}
