package api

import (
	"context"
	"net/http"
	"net/url"
)

// ProfileCalls are the calls about profiles.
type ProfileCalls struct{ client *Client }

// Profiles returns the calls about profiles.
func (c *Client) Profiles() ProfileCalls { return ProfileCalls{c} }

// List lists profiles. query has the names that the API knows.
func (c ProfileCalls) List(ctx context.Context, query url.Values) (l ProfileList, err error) {
	err = c.client.Do(ctx, http.MethodGet, "/browser_profiles?"+query.Encode(), nil, &l)
	return l, err
}

// Get reads one profile.
func (c ProfileCalls) Get(ctx context.Context, id ProfileID) (Profile, error) {
	var d ProfileData
	err := c.client.Do(ctx, http.MethodGet, profilePath(id, ""), nil, &d)
	return d.Data, err
}

// Create creates one profile.
func (c ProfileCalls) Create(ctx context.Context, in ProfileInput) (Profile, error) {
	var d Created
	err := c.client.Do(ctx, http.MethodPost, "/browser_profiles", in, &d)
	return d.Data, err
}

// Import creates profiles together with their proxies, folders and statuses: all of it or nothing.
func (c ProfileCalls) Import(ctx context.Context, in ImportInput) (out Imported, err error) {
	err = c.client.Do(ctx, http.MethodPost, "/import", in, &out)
	return out, err
}

// Edit changes the fields that are set.
func (c ProfileCalls) Edit(ctx context.Context, id ProfileID, in ProfileInput) (Profile, error) {
	var d ProfileData
	err := c.client.Do(ctx, http.MethodPatch, profilePath(id, ""), in, &d)
	return d.Data, err
}

// Clone copies a profile.
func (c ProfileCalls) Clone(ctx context.Context, id ProfileID, in CloneInput) (Profile, error) {
	var d Created
	err := c.client.Do(ctx, http.MethodPost, profilePath(id, "/clone"), in, &d)
	return d.Data, err
}

// Delete moves a profile to the trash, or deletes it permanently.
func (c ProfileCalls) Delete(ctx context.Context, id ProfileID, forGood bool) error {
	path := profilePath(id, "")
	if forGood {
		path += "?forceDelete=1"
	}
	return c.client.Do(ctx, http.MethodDelete, path, nil, nil)
}

// Restore restores a profile from the trash.
func (c ProfileCalls) Restore(ctx context.Context, id ProfileID) (Profile, error) {
	var d ProfileData
	err := c.client.Do(ctx, http.MethodPost, profilePath(id, "/restore"), nil, &d)
	return d.Data, err
}
