// Package extensions answers the calls about browser extensions and the profiles that have them.
package extensions

import (
	"context"
	"fmt"
	"io"

	"cove/api"
	"cove/internal/extension"
	"cove/internal/extension/library"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// Library stores extensions, and which profile has which.
type Library interface {
	Read(ctx context.Context, r io.ReaderAt, size int64, replaces extension.ID) (*library.Upload, error)
	Save(ctx context.Context, up *library.Upload, name string, profiles []profile.ID) (extension.Extension, error)
	List(ctx context.Context) (all []extension.Extension, profiles []int, err error)
	Delete(ctx context.Context, ids ...extension.ID) error
	Of(ctx context.Context, id profile.ID) ([]extension.InProfile, error)
	Profiles(ctx context.Context, extensions ...extension.ID) ([]profile.Profile, error)
	Attach(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled *bool) error
	Detach(ctx context.Context, extensions []extension.ID, profiles []profile.ID) error
	Enable(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled bool) error
}

// Profiles reads profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	List(ctx context.Context, q profile.Query) (profile.Page, error)
}

// Handlers answers the calls about extensions.
type Handlers struct {
	Library  Library
	Profiles Profiles
}

// show returns an extension as the API shows it.
func show(e extension.Extension) api.Extension {
	return api.Extension{
		ID: int(e.ID), Name: e.Name, Version: e.Version, Description: e.Description, ExtensionID: e.BrowserID,
		ManifestVersion: e.ManifestVersion, Permissions: orEmpty(e.Permissions), HostPermissions: orEmpty(e.Hosts),
		Reach: e.Reach(), Risky: e.Grave(), Size: e.Size, CreatedAt: e.Created, UpdatedAt: e.Updated,
	}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// List answers GET /extensions.
func (h *Handlers) List(c *call.Call) (any, error) {
	page, limit, err := c.Paging()
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	all, counts, err := h.Library.List(c.Context())
	if err != nil {
		return nil, err
	}
	shown := call.Cut(all, page, limit)
	out := api.ExtensionList{Data: make([]api.Extension, len(shown)),
		PageInfo: c.PageInfo(page, limit, len(all), len(shown))}
	for i, count := range call.Cut(counts, page, limit) {
		out.Data[i] = show(shown[i])
		out.Data[i].BrowserProfilesCount = count
	}
	return out, nil
}

// Delete answers DELETE /extensions.
func (h *Handlers) Delete(c *call.Call) (any, error) {
	var in api.IDs
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	ids, err := extensionIDs("ids", in.IDs)
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	have, err := h.Library.Profiles(c.Context(), ids...)
	if err != nil {
		return nil, err
	}
	if err := permit.Extensions(c, have); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Library.Delete(c.Context(), ids...)
}

// extensionIDs checks a list of ids of extensions.
func extensionIDs(field string, in api.IDList) ([]extension.ID, error) {
	ids, err := checkIDs(field, in, "extensions")
	out := make([]extension.ID, len(ids))
	for i, id := range ids {
		out[i] = extension.ID(id)
	}
	return out, err
}

// checkIDs refuses an empty list, and ids that are none.
func checkIDs(field string, in api.IDList, what string) ([]profile.ID, error) {
	if len(in) == 0 || len(in) > api.MaxMass*10 {
		return nil, fault.Fieldf(field, "The list %q names 1 to %d %s.", field, api.MaxMass*10, what).
			WithHint(fmt.Sprintf(`Send {"%s":[1,2]}.`, field))
	}
	for i, id := range in {
		if id <= 0 {
			return nil, fault.Fieldf(fmt.Sprintf("%s.%d", field, i), "%d is not an id.", id).
				WithHint("Ids are whole numbers such as 1.")
		}
	}
	return in, nil
}
