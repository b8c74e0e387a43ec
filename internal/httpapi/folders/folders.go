// Package folders answers the calls about the folders of profiles.
package folders

import (
	"cmp"
	"context"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/policy"
	"cove/internal/profile"
)

// Handlers answers the calls about folders.
type Handlers struct {
	Folders profile.Folders
	// Changed announces profiles that a change of folders has changed.
	Changed func(ids ...profile.ID)
}

func show(f profile.Folder) api.Folder {
	return api.Folder{ID: api.FolderID(f.ID), Name: f.Name, Color: f.Color, Defaults: showDefaults(f.Defaults),
		Profiles: f.Profiles}
}

func (h *Handlers) id(c *call.Call) profile.FolderID { return profile.FolderID(c.ID) }

// may refuses callers without a credential: the names of folders are the person's own.
func may(c *call.Call) error { return call.First(c.RequireCredential, c.RequireLogin) }

// List answers GET /folders.
func (h *Handlers) List(c *call.Call) (any, error) {
	q, err := call.ReadList[profile.FolderID](c)
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	all, err := h.Folders.List(c.Context())
	if err != nil {
		return nil, err
	}
	shown, info := call.Choose(c, q, all, func(f profile.Folder) (profile.FolderID, string) { return f.ID, f.Name })
	out := api.FolderList{Data: make([]api.Folder, len(shown)), PageInfo: info}
	for i, f := range shown {
		out.Data[i] = show(f)
	}
	return out, nil
}

// Read answers GET /folders/{id}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	f, err := h.Folders.Get(c.Context(), h.id(c))
	if err != nil {
		return nil, err
	}
	return api.FolderData{Success: true, Data: show(f)}, nil
}

// read reads the folder that a request describes. f has the values of the fields that the request does not send.
func read(c *call.Call, f profile.Folder) (in api.FolderInput, clean profile.Folder, err error) {
	if err := c.Decode(&in); err != nil {
		return in, f, err
	}
	if in.Name == nil && in.Color == nil && in.Defaults == nil {
		f.Name = ""
	}
	apply(in, &f)
	return in, f, f.Clean()
}

// apply copies the fields that were sent into f.
func apply(in api.FolderInput, f *profile.Folder) {
	if in.Name != nil {
		f.Name = *in.Name
	}
	if in.Color != nil {
		f.Color = *in.Color
	}
	if in.Defaults != nil {
		f.Defaults = defaultsOf(*in.Defaults)
	}
}

// Create answers POST /folders.
func (h *Handlers) Create(c *call.Call) (any, error) {
	_, next, err := read(c, profile.Folder{})
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	f, err := h.Folders.Create(c.Context(), next)
	if err != nil {
		return nil, err
	}
	h.Changed()
	return api.FolderData{Success: true, Data: show(f)}, nil
}

// Edit answers PATCH /folders/{id} and PUT /folders/{id}.
func (h *Handlers) Edit(c *call.Call) (any, error) {
	in, _, err := read(c, profile.Folder{Name: "trial"})
	if err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	before, err := h.Folders.Get(c.Context(), h.id(c))
	if err != nil {
		return nil, err
	}
	after := before
	apply(in, &after)
	granted, err := permit.Policy(c, policyOf(before), policyOf(after))
	if err != nil {
		return nil, err
	}
	f, err := h.Folders.Update(c.Context(), h.id(c), func(f *profile.Folder) error {
		was := policyOf(*f)
		apply(in, f)
		return call.First(f.Clean, func() error { return permit.StillPolicy(granted, was, policyOf(*f)) })
	})
	if err != nil {
		return nil, err
	}
	h.announce(c.Context(), f.ID)
	return api.FolderData{Success: true, Data: show(f)}, nil
}

// policyOf is the policy of the new profiles of a folder.
func policyOf(f profile.Folder) policy.Policy { return policy.Policy{Preset: f.Defaults.Agents} }

// announce publishes a change of every profile in a folder, whose name they show. For an empty folder it publishes a
// change of no profile, so that windows read the folders again.
func (h *Handlers) announce(ctx context.Context, id profile.FolderID) {
	if ids, err := h.Folders.Members(ctx, id); err == nil {
		h.Changed(ids...)
	}
}

// Delete answers DELETE /folders/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) { return h.remove(c, h.id(c)) }

// DeleteMany answers DELETE /folders.
func (h *Handlers) DeleteMany(c *call.Call) (any, error) {
	ids, err := readIDs(c)
	if err != nil {
		return nil, err
	}
	return h.remove(c, ids...)
}

// readIDs reads the ids of folders.
func readIDs(c *call.Call) ([]profile.FolderID, error) {
	var in api.LabelIDs
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if len(in.IDs) == 0 || len(in.IDs) > api.MaxMass {
		return nil, fault.Fieldf("ids", "Name 1 to %d folders.", api.MaxMass).WithHint(`Send {"ids":[1,2]}.`)
	}
	ids := make([]profile.FolderID, len(in.IDs))
	for i, id := range in.IDs {
		ids[i] = profile.FolderID(id)
	}
	return ids, nil
}

// remove deletes folders. Their profiles stay.
func (h *Handlers) remove(c *call.Call, ids ...profile.FolderID) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	var members []profile.ID
	for _, id := range ids {
		in, err := h.Folders.Members(c.Context(), id)
		if err != nil {
			return nil, err
		}
		members = append(members, in...)
	}
	if err := h.Folders.Delete(c.Context(), ids...); err != nil {
		return nil, err
	}
	h.Changed(members...)
	return api.OK{Success: true}, nil
}

// Order answers PUT /folders/order.
func (h *Handlers) Order(c *call.Call) (any, error) {
	var in api.FolderOrder
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	slices.SortStableFunc(in.Folders, func(a, b api.FolderPosition) int { return cmp.Compare(a.Order, b.Order) })
	ids := make([]profile.FolderID, 0, len(in.IDs)+len(in.Folders))
	for _, id := range in.IDs {
		ids = append(ids, profile.FolderID(id))
	}
	for _, f := range in.Folders {
		ids = append(ids, profile.FolderID(f.ID))
	}
	if len(ids) == 0 || len(ids) > api.MaxMass {
		return nil, fault.Fieldf("ids", "Name 1 to %d folders.", api.MaxMass).
			WithHint(`Send {"ids":[2,1]} or {"folders":[{"id":2,"order":1}]}.`)
	}
	if err := may(c); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Folders.Order(c.Context(), ids...)
}
