package keeperclient

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/profile"
)

// Decision is a person's answer to a request for approval.
type Decision struct {
	ID     string `json:"id"`
	Yes    bool   `json:"yes"`
	Always bool   `json:"always"`
}

// Suspension keeps every agent out of a profile, or lets them in again.
type Suspension struct {
	On bool `json:"on"`
}

// Takeover is the result of a person's taking the profile over, or giving it back.
type Takeover struct {
	// Window reports that the profile has a window of its own, which is in front now.
	Window bool `json:"window"`
	// Changes is what the agents are told when the profile is given back.
	Changes string `json:"note,omitempty"`
}

// SetPolicy puts a policy into force.
func (c *Client) SetPolicy(ctx context.Context, p policy.Policy) error {
	return c.call(ctx, http.MethodPut, "/v1/policy", p, nil)
}

// Access returns the state of the policy's enforcer: its agents, their requests, and what keeps them waiting.
func (c *Client) Access(ctx context.Context) (policy.State, error) {
	if c.old() {
		return c.access1(ctx)
	}
	var s policy.State
	err := c.call(ctx, http.MethodGet, "/v1/access?once=1", nil, &s)
	return s, err
}

// WatchAccess calls each with the enforcer's state now and at every change, until the profile closes or ctx ends.
func (c *Client) WatchAccess(ctx context.Context, each func(policy.State)) error {
	if c.old() {
		return c.watchAccess1(ctx, each)
	}
	return stream(ctx, c, "/v1/access", each)
}

// Decide answers a request for approval.
func (c *Client) Decide(ctx context.Context, d Decision) error {
	return c.call(ctx, http.MethodPost, c.accessPath("decide"), d, nil)
}

// StartTakeover makes the agents wait while the person works in the profile.
func (c *Client) StartTakeover(ctx context.Context) (t Takeover, err error) {
	err = c.call(ctx, http.MethodPost, c.accessPath("takeover"), nil, &t)
	return t, err
}

// EndTakeover lets the agents go on, and returns what they are told.
func (c *Client) EndTakeover(ctx context.Context) (t Takeover, err error) {
	err = c.call(ctx, http.MethodPost, c.accessPath("giveback"), nil, &t)
	return t, err
}

// Suspend disconnects every agent and keeps them out, or lets them in again.
func (c *Client) Suspend(ctx context.Context, on bool) error {
	return c.call(ctx, http.MethodPost, c.accessPath("suspend"), Suspension{on}, nil)
}

// Pause is a call about one agent, by its session. On is for pausing only.
type Pause struct {
	Session string `json:"session"`
	On      bool   `json:"on"`
}

// Pause makes one agent wait, or lets it continue.
func (c *Client) Pause(ctx context.Context, agent string, on bool) error {
	return c.single(ctx, "pause", Pause{Session: agent, On: on})
}

// Disconnect disconnects one agent.
func (c *Client) Disconnect(ctx context.Context, agent string) error {
	return c.single(ctx, "disconnect", Pause{Session: agent})
}

// single calls what older keepers do not have.
func (c *Client) single(ctx context.Context, call string, p Pause) error {
	if c.old() {
		return fault.New(fault.CodeOtherVersion, "This profile was opened by another version of Cove.",
			"Close it and open it again.")
	}
	return c.call(ctx, http.MethodPost, "/v1/access/"+call, p, nil)
}

// SuspendAll suspends the agents of every open profile, or lets them in again. It needs no app. It returns the profiles
// that were reached, and the errors of the others.
func SuspendAll(ctx context.Context, home paths.Home, on bool) (reached []profile.ID, err error) {
	ids, err := ProfileIDs(home)
	if err != nil {
		return nil, err
	}
	type outcome struct {
		id  profile.ID
		err error
	}
	outcomes := make(chan outcome, len(ids))
	for _, id := range ids {
		go func() {
			c, err := Find(home.Profile(id))
			if err == nil {
				err = c.Suspend(ctx, on)
			}
			outcomes <- outcome{id, err}
		}()
	}
	for range ids {
		switch o := <-outcomes; {
		case o.err == nil:
			reached = append(reached, o.id)
		case !errors.Is(o.err, ErrNotOpen):
			err = errors.Join(err, fmt.Errorf("profile %s: %w", o.id, o.err))
		}
	}
	return reached, err
}
