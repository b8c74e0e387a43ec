package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Secret is what may be told of a secret: never its value.
type Secret struct {
	Name string `json:"name"`
	// Site is where it is typed, and nowhere else.
	Site  string    `json:"site"`
	SetAt time.Time `json:"setAt"`
}

// Secrets are those of a profile.
type Secrets struct {
	Data []Secret `json:"data"`
}

// NewSecret is a secret that is set, in place of one with the same name.
type NewSecret struct {
	Name  string `json:"name"`
	Site  string `json:"site"`
	Value string `json:"value"`
}

// Secrets lists a profile's secrets.
func (c *Client) Secrets(ctx context.Context, id int32) (all Secrets, err error) {
	err = c.Do(ctx, http.MethodGet, profilePath(id, "/secrets"), nil, &all)
	return all, err
}

// SetSecret keeps a secret.
func (c *Client) SetSecret(ctx context.Context, id int32, in NewSecret) error {
	return c.Do(ctx, http.MethodPost, profilePath(id, "/secrets"), in, nil)
}

// RemoveSecret forgets one.
func (c *Client) RemoveSecret(ctx context.Context, id int32, name string) error {
	return c.Do(ctx, http.MethodDelete, profilePath(id, "/secrets/"+url.PathEscape(name)), nil, nil)
}
