package api

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// Secret describes a secret. It never holds the value.
type Secret struct {
	Name string `json:"name"`
	// Site is the only site where the secret is typed.
	Site  string    `json:"site"`
	SetAt time.Time `json:"setAt"`
}

// Secrets are the secrets of a profile.
type Secrets struct {
	Data []Secret `json:"data"`
}

// NewSecret is a secret to set. It replaces one of the same name.
type NewSecret struct {
	Name  string `json:"name"`
	Site  string `json:"site"`
	Value string `json:"value"`
}

// Secrets lists a profile's secrets.
func (c *Client) Secrets(ctx context.Context, id ProfileID) (all Secrets, err error) {
	err = c.Do(ctx, http.MethodGet, profilePath(id, "/secrets"), nil, &all)
	return all, err
}

// SetSecret stores a secret.
func (c *Client) SetSecret(ctx context.Context, id ProfileID, in NewSecret) error {
	return c.Do(ctx, http.MethodPost, profilePath(id, "/secrets"), in, nil)
}

// RemoveSecret deletes a secret.
func (c *Client) RemoveSecret(ctx context.Context, id ProfileID, name string) error {
	return c.Do(ctx, http.MethodDelete, profilePath(id, "/secrets/"+url.PathEscape(name)), nil, nil)
}
