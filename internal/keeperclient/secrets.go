package keeperclient

import (
	"context"
	"net/http"
)

// Secret is what an agent may know of a secret: how to name it and where it is typed.
type Secret struct {
	Name string `json:"name"`
	// Kind is password, totp or command.
	Kind string `json:"kind"`
	Site string `json:"site"`
}

// Secrets lists the profile's secrets, without their values.
func (c *Client) Secrets(ctx context.Context) (all []Secret, err error) {
	err = c.call(ctx, http.MethodGet, "/v1/secrets", nil, &all)
	return all, err
}
