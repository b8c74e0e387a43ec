package agents

import (
	"slices"

	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Secrets stores what agents can type and never see.
type Secrets interface {
	List(id profile.ID) ([]api.Secret, error)
	// Set stores a secret. It replaces one of the same name only with replace.
	Set(id profile.ID, in api.NewSecret, replace bool) error
	// Correct says how far the clock of a site that asks for one-time codes is ahead of this computer's.
	Correct(id profile.ID, name string, in api.SecretChange) error
	// Code returns a one-time code.
	Code(id profile.ID, name string) (api.SecretCode, error)
	Remove(id profile.ID, name string) error
}

// mayUseSecrets checks what every call about secrets needs: the owner, a login and a profile.
func (h *Handlers) mayUseSecrets(c *call.Call) error {
	if err := call.First(c.RequireOwner, c.RequireLogin); err != nil {
		return err
	}
	_, err := h.Profiles.Get(c.Context(), c.ID)
	return err
}

// ListSecrets answers GET /browser_profiles/{id}/secrets.
func (h *Handlers) ListSecrets(c *call.Call) (any, error) {
	if err := h.mayUseSecrets(c); err != nil {
		return nil, err
	}
	all, err := h.Secrets.List(c.ID)
	return api.Secrets{Data: all}, err
}

// SetSecret answers POST /browser_profiles/{id}/secrets. It stores a secret. A new secret only hides more. Replacing
// one ends the hiding of its old value, like its removal, so only the person can.
func (h *Handlers) SetSecret(c *call.Call) (any, error) {
	var in api.NewSecret
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := h.mayUseSecrets(c); err != nil {
		return nil, err
	}
	all, err := h.Secrets.List(c.ID)
	if err != nil {
		return nil, err
	}
	replace := slices.ContainsFunc(all, func(one api.Secret) bool { return one.Name == in.Name })
	if replace {
		if err := c.RequirePersonFor("replace a secret"); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, h.Secrets.Set(c.ID, in, replace)
}

// ChangeSecret answers PATCH /browser_profiles/{id}/secrets/{name}.
func (h *Handlers) ChangeSecret(c *call.Call) (any, error) {
	var in api.SecretChange
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := call.First(func() error { return h.mayUseSecrets(c) },
		func() error { return c.RequirePersonFor("change a secret") }); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Secrets.Correct(c.ID, c.Name, in)
}

// ShowCode answers POST /browser_profiles/{id}/secrets/{name}/code. A code opens the person's account, so it is theirs.
func (h *Handlers) ShowCode(c *call.Call) (any, error) {
	if err := call.First(func() error { return h.mayUseSecrets(c) },
		func() error { return c.RequirePersonFor("read a one-time code") }); err != nil {
		return nil, err
	}
	code, err := h.Secrets.Code(c.ID, c.Name)
	return api.SecretCodeData{Data: code}, err
}

// RemoveSecret answers DELETE /browser_profiles/{id}/secrets/{name}.
func (h *Handlers) RemoveSecret(c *call.Call) (any, error) {
	if err := call.First(func() error { return h.mayUseSecrets(c) },
		func() error { return c.RequirePersonFor("remove a secret") }); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Secrets.Remove(c.ID, c.Name)
}
