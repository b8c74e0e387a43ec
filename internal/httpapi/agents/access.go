// Package agents answers the calls about agents: what they may do, what they wait for, what they did, and the secrets
// that they can use.
package agents

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls about agents.
type Handlers struct {
	Access    Access
	Connected Connected
	Journals  Journals
	Profiles  Profiles
	Secrets   Secrets
	Sessions  *session.Supervisor
}

// Profiles stores profiles and their policies.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile, error)
}

// Access reaches the agents of open profiles.
type Access interface {
	TabControl
	// Apply puts the stored policy of a profile into force where it is open.
	Apply(ctx context.Context, id profile.ID) error
	// State returns who works in an open profile and what waits for approval. All returns the same for every open
	// profile.
	State(ctx context.Context, id profile.ID) (api.Access, error)
	All() []api.Access
	Decide(ctx context.Context, id profile.ID, request string, d api.Decision) error
	// Requests returns the requests of every profile; FindRequest returns one of them.
	Requests() api.Requests
	FindRequest(ctx context.Context, id profile.ID, request string) (api.Request, bool)
	Answer(ctx context.Context, id profile.ID, request, by string, in api.Answer) error
	// CheckRequestKey refuses a key that does not open the request.
	CheckRequestKey(ctx context.Context, id profile.ID, request, key string) error
	MarkSeen(ctx context.Context, id profile.ID, request string, working bool) error
	// CreateRequest, AwaitRequest and WithdrawRequest are for programs.
	CreateRequest(ctx context.Context, id profile.ID, in api.NewRequest) (api.Request, error)
	AwaitRequest(ctx context.Context, id profile.ID, request string, limit time.Duration) (api.Request, error)
	WithdrawRequest(ctx context.Context, id profile.ID, request string) (api.Request, error)
	Takeover(ctx context.Context, id profile.ID) (api.Takeover, error)
	GiveBack(ctx context.Context, id profile.ID) (api.Takeover, error)
	// Pause makes one agent wait, by its session, or lets it continue. Disconnect disconnects it.
	Pause(ctx context.Context, id profile.ID, agent string, on bool) error
	Disconnect(ctx context.Context, id profile.ID, agent string) error
	// Panic reports whether every agent is suspended. SetPanic sets it and returns the open profiles that it reached.
	Panic() bool
	SetPanic(ctx context.Context, on bool) ([]profile.ID, error)
}

// State answers GET /browser_profiles/{id}/access.
func (h *Handlers) State(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	d, err := h.Access.State(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	return api.AccessData{Data: d}, nil
}

// Approvals answers GET /approvals.
func (h *Handlers) Approvals(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	out := api.Approvals{Data: []api.Approval{}}
	for _, d := range h.Access.All() {
		out.Data = append(out.Data, d.Requests...)
	}
	slices.SortStableFunc(out.Data, func(a, b api.Approval) int { return a.RequestedAt.Compare(b.RequestedAt) })
	return out, nil
}

// Decide answers POST /approvals/{name}. Only the person can answer an approval request, and an approval needs the PIN.
func (h *Handlers) Decide(c *call.Call) (any, error) {
	var in api.Decision
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	text, request, _ := strings.Cut(c.Name, "-")
	id, err := profile.ParseID(text)
	if err != nil || request == "" {
		return nil, fault.New(fault.CodeNoRequest, "There is no request "+strconv.Quote(c.Name)+".",
			"`cove asks` lists pending requests.")
	}
	if in.Allow {
		if err := c.Confirm(); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, h.Access.Decide(c.Context(), id, request, in)
}

// Takeover answers POST /browser_profiles/{id}/takeover.
func (h *Handlers) Takeover(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	c.AllowTime()
	return h.Access.Takeover(c.Context(), c.ID)
}

// GiveBack answers POST /browser_profiles/{id}/giveback.
func (h *Handlers) GiveBack(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.RequireLogin, c.Confirm); err != nil {
		return nil, err
	}
	c.AllowTime()
	return h.Access.GiveBack(c.Context(), c.ID)
}

// Pause answers POST /browser_profiles/{id}/agents/{name}. Only the person can let an agent continue.
func (h *Handlers) Pause(c *call.Call) (any, error) {
	var in api.AgentPause
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.Pause == nil {
		return nil, fault.Fieldf("pause", "The request does not say whether to pause the agent.").
			WithHint(`Send {"pause":true} or {"pause":false}.`)
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if !*in.Pause {
		if err := call.First(c.RequirePerson, c.Confirm); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, h.Access.Pause(c.Context(), c.ID, c.Name, *in.Pause)
}

// Disconnect answers DELETE /browser_profiles/{id}/agents/{name}.
func (h *Handlers) Disconnect(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Access.Disconnect(c.Context(), c.ID, c.Name)
}

// Panic answers GET /panic.
func (h *Handlers) Panic(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	return api.Panic{On: h.Access.Panic()}, nil
}

// SetPanic answers POST /panic. It suspends every agent for any caller with a credential. Only the person can lift it.
func (h *Handlers) SetPanic(c *call.Call) (any, error) {
	in := struct {
		On *bool `json:"on"`
	}{}
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.On == nil {
		return nil, fault.Fieldf("on", "The request does not say whether to stop or to allow agents.").
			WithHint(`Send {"on":true} or {"on":false}.`)
	}
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	if !*in.On {
		if err := call.First(c.RequirePerson, c.Confirm); err != nil {
			return nil, err
		}
	}
	c.AllowTime()
	done, err := h.Access.SetPanic(c.Context(), *in.On)
	if err != nil {
		return nil, err
	}
	return api.PanicData{Success: true, On: *in.On, Profiles: done}, nil
}
