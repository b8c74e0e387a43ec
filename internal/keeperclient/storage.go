package keeperclient

import (
	"context"
	"encoding/json"
	"net/http"

	"cove/internal/cookie"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/session"
)

// FindStorage returns a client of the keeper through which Cove reaches the data of a profile: one that is open for
// agents, or hidden for maintenance. It returns ErrNotOpen for any other profile.
func FindStorage(dir paths.ProfileDir) (*Client, error) {
	record, err := ReadRecord(dir)
	if err != nil || record.Mode == session.Ordinary || record.Socket == "" || !record.Alive() {
		return nil, ErrNotOpen
	}
	return New(record), nil
}

// ReadStorage reads cookies and local storage. It takes as long as ctx lasts.
func (c *Client) ReadStorage(ctx context.Context, q cookie.Query) (data cookie.Data, err error) {
	err = c.exchange(ctx, "/v1/storage/read", q, &data)
	return data, err
}

// WriteStorage writes cookies and local storage: all of them, or none.
func (c *Client) WriteStorage(ctx context.Context, data cookie.Data) error {
	return c.exchange(ctx, "/v1/storage/write", data, nil)
}

// Transfer replaces the data of some sites. The profile is one that is hidden for maintenance.
func (c *Client) Transfer(ctx context.Context, t cookie.Transfer) (done cookie.Transferred, err error) {
	err = c.exchange(ctx, "/v1/storage/transfer", t, &done)
	return done, err
}

// Copy copies the data from the folder of a closed browser into a profile that has none.
func (c *Client) Copy(ctx context.Context, from profile.External) (done cookie.Transferred, err error) {
	err = c.exchange(ctx, "/v1/storage/copy", from, &done)
	return done, err
}

// exchange makes a call that waits for the browser.
func (c *Client) exchange(ctx context.Context, path string, in, out any) error {
	res, err := c.send(ctx, http.MethodPost, path, in)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if out == nil {
		return nil
	}
	return json.NewDecoder(res.Body).Decode(out)
}
