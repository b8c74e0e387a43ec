package keeperclient

import (
	"context"
	"net/http"

	"cove/internal/policy"
)

// A keeper of protocol 1 goes on with its browser after Cove was upgraded. It knows the same calls by older names. The
// record says which protocol a keeper speaks, so nothing is tried twice.

// old reports whether the keeper speaks protocol 1 or an earlier one.
func (c *Client) old() bool { return c.record.Protocol < 2 }

// Paths of protocol 1, which a keeper of today answers too: an app that was running while Cove was replaced on disk
// starts keepers of the new version.
const (
	Access1Path  = "/v1/desk"
	Suspend1Name = "cut"
)

// accessPath returns the path of a call about access, in the keeper's own protocol.
func (c *Client) accessPath(call string) string {
	if !c.old() {
		return "/v1/access/" + call
	}
	if call == "suspend" {
		call = Suspend1Name
	}
	return Access1Path + "/" + call
}

// State1 is policy.State as protocol 1 writes it.
type State1 struct {
	Agents     []policy.Agent   `json:"agents"`
	Requests   []policy.Request `json:"requests"`
	InTakeover bool             `json:"taken"`
	Cut        bool             `json:"cut"`
	Driver     *policy.Agent    `json:"driver,omitempty"`
}

// NewState1 returns the state as protocol 1 writes it.
func NewState1(s policy.State) State1 {
	agents := make([]policy.Agent, len(s.Agents))
	for i, one := range s.Agents {
		agents[i] = one.Agent
	}
	return State1{Agents: agents, Requests: s.Requests, InTakeover: s.TakenOver, Cut: s.Suspended, Driver: s.Driver}
}

// State returns what a keeper of protocol 1 said, in today's words.
func (s State1) State() policy.State {
	agents := make([]policy.Admitted, len(s.Agents))
	for i, one := range s.Agents {
		agents[i] = policy.Admitted{Agent: one}
	}
	return policy.State{
		Agents: agents, Requests: s.Requests, TakenOver: s.InTakeover, Suspended: s.Cut, Driver: s.Driver,
	}
}

func (c *Client) access1(ctx context.Context) (policy.State, error) {
	var s State1
	err := c.call(ctx, http.MethodGet, Access1Path+"?once=1", nil, &s)
	return s.State(), err
}

func (c *Client) watchAccess1(ctx context.Context, each func(policy.State)) error {
	return stream(ctx, c, Access1Path, func(s State1) { each(s.State()) })
}
