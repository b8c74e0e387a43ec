// Package profiles answers the calls that create, read, change and delete profiles.
package profiles

import (
	"context"
	"encoding/json"
	"strconv"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls about profiles.
type Handlers struct {
	Profiles Store
	Sessions *session.Supervisor
	Browsers permit.Browsers
	Secrets  Secrets
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

func (h *Handlers) show(p profile.Profile, owned bool) api.Profile {
	return wire.ShowProfile(p, h.Sessions.Get(p.ID), owned)
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
	return api.ProfileData{Data: h.show(p, owned)}, nil
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
	in, ignored, err := wire.ReadInput(raw)
	if err != nil {
		return nil, err
	}
	var p profile.Profile
	wire.Apply(in, &p)
	if err := call.First(p.Clean, c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if err := permit.Create(c, h.Browsers, p); err != nil {
		return nil, err
	}
	made, err := h.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	return api.Created{Success: true, BrowserProfileID: made[0].ID, Data: h.show(made[0], true),
		Ignored: ignored}, nil
}

// Delete answers DELETE /browser_profiles/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) { return h.remove(c, []profile.ID{c.ID}) }

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
	ids := make([]profile.ID, len(in.IDs))
	for i, n := range in.IDs {
		id, err := profile.ParseID(strconv.Itoa(int(n)))
		if err != nil {
			return nil, fault.In("ids."+strconv.Itoa(i), err)
		}
		ids[i] = id
	}
	return h.remove(c, ids)
}

func (h *Handlers) remove(c *call.Call, ids []profile.ID) (any, error) {
	if err := c.CheckQuery(); err != nil {
		return nil, err
	}
	forGood, err := c.Flag("forceDelete")
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if forGood {
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
	return api.ProfileData{Data: h.show(p, true)}, nil
}
