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
	// Kind is password, totp (one-time codes) or command (a password that a command prints).
	Kind string `json:"kind"`
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
	Name string `json:"name"`
	Site string `json:"site"`
	// Kind is password, which "" stands for too, or totp. A command is set on the command line only.
	Kind  string `json:"kind,omitempty"`
	Value string `json:"value"`
	// Skew is how many seconds the site's clock is ahead of this computer's, for one-time codes.
	Skew int `json:"skew,omitempty"`
}

// SecretChange is what changes of a secret.
type SecretChange struct {
	Skew int `json:"skew"`
}

// SecretCode is a one-time code.
type SecretCode struct {
	Code string `json:"code"`
	// Seconds is how long the code is valid.
	Seconds int `json:"seconds"`
}

// SecretCodeData is the answer with a one-time code.
type SecretCodeData struct {
	Data SecretCode `json:"data"`
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

func secretPath(id ProfileID, name, rest string) string {
	return profilePath(id, "/secrets/"+url.PathEscape(name)+rest)
}

// ChangeSecret corrects the clock of a secret for one-time codes.
func (c *Client) ChangeSecret(ctx context.Context, id ProfileID, name string, in SecretChange) error {
	return c.Do(ctx, http.MethodPatch, secretPath(id, name, ""), in, nil)
}

// SecretCode returns the one-time code of now.
func (c *Client) SecretCode(ctx context.Context, id ProfileID, name string) (code SecretCodeData, err error) {
	err = c.Do(ctx, http.MethodPost, secretPath(id, name, "/code"), nil, &code)
	return code, err
}

// RemoveSecret deletes a secret.
func (c *Client) RemoveSecret(ctx context.Context, id ProfileID, name string) error {
	return c.Do(ctx, http.MethodDelete, secretPath(id, name, ""), nil, nil)
}
