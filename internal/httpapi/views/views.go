// Package views answers the calls about the views of the list that the person has saved.
package views

import (
	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Handlers answers the calls about saved views.
type Handlers struct{ Views profile.Views }

func show(v profile.View) api.View {
	return api.View{ID: api.ViewID(v.ID), Name: v.Name, Address: v.Address}
}

func (h *Handlers) id(c *call.Call) profile.ViewID { return profile.ViewID(c.ID) }

// may refuses callers without a credential: the names of views are the person's own.
func may(c *call.Call) error { return call.First(c.RequireCredential, c.RequireLogin) }

// List answers GET /views.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	all, err := h.Views.List(c.Context())
	if err != nil {
		return nil, err
	}
	out := api.Views{Data: make([]api.View, len(all))}
	for i, v := range all {
		out.Data[i] = show(v)
	}
	return out, nil
}

// read reads what a request says of a view.
func read(c *call.Call) (edit func(*profile.View) error, err error) {
	var in api.ViewInput
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	return func(v *profile.View) error {
		if in.Name != nil {
			v.Name = *in.Name
		}
		if in.Address != nil {
			v.Address = *in.Address
		}
		return v.Clean()
	}, nil
}

func data(v profile.View, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return api.ViewData{Success: true, Data: show(v)}, nil
}

// Create answers POST /views.
func (h *Handlers) Create(c *call.Call) (any, error) {
	edit, err := read(c)
	if err != nil {
		return nil, err
	}
	var v profile.View
	if err := edit(&v); err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	return data(h.Views.Create(c.Context(), v))
}

// Edit answers PATCH /views/{id}.
func (h *Handlers) Edit(c *call.Call) (any, error) {
	edit, err := read(c)
	if err != nil {
		return nil, err
	}
	trial := profile.View{Name: "trial", Address: "/"}
	if err := edit(&trial); err != nil {
		return nil, err
	}
	if err := may(c); err != nil {
		return nil, err
	}
	return data(h.Views.Update(c.Context(), h.id(c), edit))
}

// Delete answers DELETE /views/{id}.
func (h *Handlers) Delete(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Views.Delete(c.Context(), h.id(c))
}
