// Package statuses answers the calls about the statuses that a person gives profiles.
package statuses

import (
	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/wire"
	"cove/internal/profile"
)

// Handlers answers the calls about statuses.
type Handlers struct {
	Statuses profile.Statuses
	// Changed announces profiles that a change of statuses has changed. Without ids it announces all.
	Changed func(ids ...profile.ID)
}

func (h *Handlers) id(c *call.Call) profile.StatusID { return profile.StatusID(c.ID) }

// may refuses callers without a credential: statuses are the person's own words.
func may(c *call.Call) error { return call.First(c.RequireCredential, c.RequireLogin) }

// List answers GET /browser_profiles/statuses.
func (h *Handlers) List(c *call.Call) (any, error) {
	q, err := call.ReadList[profile.StatusID](c)
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	all, err := h.Statuses.List(c.Context())
	if err != nil {
		return nil, err
	}
	shown, info := call.Choose(c, q, all, func(s profile.Status) (profile.StatusID, string) { return s.ID, s.Name })
	out := api.StatusList{Data: make([]api.ProfileStatus, len(shown)), PageInfo: info}
	for i, s := range shown {
		out.Data[i] = *wire.ShowStatus(s)
	}
	return out, nil
}

func data(s profile.Status, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return api.StatusData{Success: true, Data: *wire.ShowStatus(s)}, nil
}

// Read answers GET /browser_profiles/statuses/{id}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	return data(h.Statuses.Get(c.Context(), h.id(c)))
}

// read reads what a request says of a status.
func read(c *call.Call) (edit func(*profile.Status) error, err error) {
	var in api.StatusInput
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	return func(s *profile.Status) error {
		if in.Name != nil {
			s.Name = *in.Name
		}
		if in.Color != nil {
			s.Color = *in.Color
		}
		return s.Clean()
	}, nil
}

// Create answers POST /browser_profiles/statuses.
func (h *Handlers) Create(c *call.Call) (any, error) {
	edit, err := read(c)
	if err != nil {
		return nil, err
	}
	var s profile.Status
	if err := edit(&s); err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	return data(h.Statuses.Create(c.Context(), s))
}

// Edit answers PATCH /browser_profiles/statuses/{id} and PUT /browser_profiles/statuses/{id}.
func (h *Handlers) Edit(c *call.Call) (any, error) {
	edit, err := read(c)
	if err != nil {
		return nil, err
	}
	trial := profile.Status{Name: "trial"}
	if err := edit(&trial); err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	s, err := h.Statuses.Update(c.Context(), h.id(c), edit)
	if err == nil {
		h.Changed()
	}
	return data(s, err)
}

// Delete answers DELETE /browser_profiles/statuses/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) { return h.remove(c, h.id(c)) }

// DeleteMany answers DELETE /browser_profiles/statuses.
func (h *Handlers) DeleteMany(c *call.Call) (any, error) {
	var in api.LabelIDs
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > api.MaxMass {
		return nil, fault.Fieldf("ids", "Name 1 to %d statuses.", api.MaxMass).WithHint(`Send {"ids":[1,2]}.`)
	}
	ids := make([]profile.StatusID, len(in.IDs))
	for i, id := range in.IDs {
		ids[i] = profile.StatusID(id)
	}
	return h.remove(c, ids...)
}

// remove deletes statuses. Their profiles stay.
func (h *Handlers) remove(c *call.Call, ids ...profile.StatusID) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	if err := h.Statuses.Delete(c.Context(), ids...); err != nil {
		return nil, err
	}
	h.Changed()
	return api.OK{Success: true}, nil
}

// Give answers PUT /browser_profiles/statuses/bulk.
func (h *Handlers) Give(c *call.Call) (any, error) {
	var in api.StatusForMany
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > api.MaxMass {
		return nil, fault.Fieldf("ids", "Name 1 to %d profiles.", api.MaxMass).
			WithHint(`Send {"ids":[1,2],"status":{"id":3}}.`)
	}
	if in.Status == nil {
		return nil, fault.Fieldf("status", "Say which status.").WithHint(`Send {"ids":[1,2],"status":{"id":3}}.`)
	}
	if err := may(c); err != nil {
		return nil, err
	}
	if *in.Status != 0 {
		if _, err := h.Statuses.Get(c.Context(), profile.StatusID(*in.Status)); err != nil {
			f := fault.From(err)
			return nil, fault.Unprocessablef("status", "%s", f.Text).WithHint(f.Hint)
		}
	}
	if err := h.Statuses.Give(c.Context(), profile.StatusID(*in.Status), in.IDs...); err != nil {
		return nil, err
	}
	h.Changed(in.IDs...)
	return api.OK{Success: true}, nil
}
