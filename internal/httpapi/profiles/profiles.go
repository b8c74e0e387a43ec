// Package profiles answers the calls that create, read, change and delete profiles.
package profiles

import (
	"context"
	"encoding/json"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/reference"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
)

// Handlers answers the calls about profiles.
type Handlers struct {
	Profiles Store
	Sessions *session.Supervisor
	Browsers permit.Browsers
	Secrets  Secrets
	Proxies  Proxies
	Storage  Storage
	// References finds what requests refer to by id.
	References reference.Finder
}

// Proxies reads stored proxies.
type Proxies interface {
	List(ctx context.Context, q proxy.Query) (proxy.Page, error)
}

// Store stores profiles together with their folders.
type Store interface {
	Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error)
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	List(ctx context.Context, q profile.Query) (profile.Page, error)
	Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error)
	Trash(ctx context.Context, ids ...profile.ID) error
	Restore(ctx context.Context, id profile.ID) (profile.Profile, error)
	Delete(ctx context.Context, ids ...profile.ID) error
	Clone(ctx context.Context, id profile.ID, name string, data bool) (profile.Profile, error)
}

// Secrets lists the secrets of a profile.
type Secrets interface {
	List(id profile.ID) ([]api.Secret, error)
}

// Read answers GET /browser_profiles/{id}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	_, owned, err := c.Credential()
	if err != nil {
		return nil, err
	}
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Get(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	return h.data(c, p, owned, nil)
}

// Create answers POST /browser_profiles.
func (h *Handlers) Create(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	p, ignored, err := h.create(c, raw)
	if err != nil {
		return nil, err
	}
	return h.created(c, p, ignored)
}

// Delete answers DELETE /browser_profiles/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) {
	var in struct {
		ForceDelete api.Flag `json:"forceDelete"`
	}
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	return h.remove(c, []profile.ID{c.ID}, bool(in.ForceDelete))
}

// DeleteMany answers DELETE /browser_profiles.
func (h *Handlers) DeleteMany(c *call.Call) (any, error) {
	var in api.IDs
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > api.MaxMass {
		return nil, fault.Fieldf("ids", "You can delete 1 to %d profiles at a time.", api.MaxMass).
			WithHint(`Send {"ids":[1,2]}.`)
	}
	return h.remove(c, in.IDs, bool(in.ForceDelete))
}

// remove moves profiles to the trash. With forGood, or with the same in the query, it deletes them permanently.
func (h *Handlers) remove(c *call.Call, ids []profile.ID, forGood bool) (any, error) {
	if err := c.CheckQuery(); err != nil {
		return nil, err
	}
	asked, err := c.Flag("forceDelete")
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if forGood || asked {
		return api.OK{Success: true}, h.Profiles.Delete(c.Context(), ids...)
	}
	return api.OK{Success: true}, h.Profiles.Trash(c.Context(), ids...)
}

// Restore answers POST /browser_profiles/{id}/restore.
func (h *Handlers) Restore(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Restore(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	return h.data(c, p, true, nil)
}
