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

// SecretCalls are the calls about the secrets of one profile.
type SecretCalls struct {
	client *Client
	id     ProfileID
}

// Secrets returns the calls about the secrets of a profile.
func (c *Client) Secrets(id ProfileID) SecretCalls { return SecretCalls{c, id} }

// List lists a profile's secrets.
func (c SecretCalls) List(ctx context.Context) (all Secrets, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/secrets"), nil, &all)
	return all, err
}

// Set stores a secret.
func (c SecretCalls) Set(ctx context.Context, in NewSecret) error {
	return c.client.Do(ctx, http.MethodPost, profilePath(c.id, "/secrets"), in, nil)
}

// Change corrects the clock of a secret for one-time codes.
func (c SecretCalls) Change(ctx context.Context, name string, in SecretChange) error {
	return c.client.Do(ctx, http.MethodPatch, c.path(name, ""), in, nil)
}

// Code returns the one-time code of now.
func (c SecretCalls) Code(ctx context.Context, name string) (code SecretCodeData, err error) {
	err = c.client.Do(ctx, http.MethodPost, c.path(name, "/code"), nil, &code)
	return code, err
}

// Remove deletes a secret.
func (c SecretCalls) Remove(ctx context.Context, name string) error {
	return c.client.Do(ctx, http.MethodDelete, c.path(name, ""), nil, nil)
}

func (c SecretCalls) path(name, rest string) string {
	return profilePath(c.id, "/secrets/"+url.PathEscape(name)+rest)
}
