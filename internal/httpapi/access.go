package httpapi

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Access reaches the agents of open profiles.
type Access interface {
	// Apply puts the stored policy of a profile into force where it is open.
	Apply(ctx context.Context, id profile.ID) error
	// State returns who works in an open profile and what waits for approval. All returns the same for every open
	// profile.
	State(ctx context.Context, id profile.ID) (api.Access, error)
	All() []api.Access
	// Subscribe returns a feed of every change of access and of the panic switch.
	Subscribe() *event.Sub[api.Event]
	Decide(ctx context.Context, id profile.ID, request string, d api.Decision) error
	Takeover(ctx context.Context, id profile.ID) (api.TakenOver, error)
	GiveBack(ctx context.Context, id profile.ID) (api.TakenOver, error)
	// Panic reports whether every agent is suspended. SetPanic sets it and returns the open profiles that it reached.
	Panic() bool
	SetPanic(ctx context.Context, on bool) ([]int32, error)
}

func (s *Server) access(c *call) (any, error) {
	if err := first(c.requireCredential, c.requireLogin); err != nil {
		return nil, err
	}
	d, err := s.config.Access.State(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return api.AccessData{Data: d}, nil
}

func (s *Server) approvals(c *call) (any, error) {
	if err := first(c.requireCredential, c.requireLogin); err != nil {
		return nil, err
	}
	out := api.Approvals{Data: []api.Approval{}}
	for _, d := range s.config.Access.All() {
		out.Data = append(out.Data, d.Requests...)
	}
	slices.SortStableFunc(out.Data, func(a, b api.Approval) int { return a.AskedAt.Compare(b.AskedAt) })
	return out, nil
}

// decide answers an approval request. Only the person can, and an approval needs the PIN.
func (s *Server) decide(c *call) (any, error) {
	var in api.Decision
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := first(c.requirePerson, c.requireLogin); err != nil {
		return nil, err
	}
	text, request, _ := strings.Cut(c.name, "-")
	id, err := profile.ParseID(text)
	if err != nil || request == "" {
		return nil, fault.New(fault.CodeNoRequest, "There is no request "+strconv.Quote(c.name)+".",
			"`cove approvals` shows what waits.")
	}
	if in.Allow {
		if err := c.confirm(); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, s.config.Access.Decide(c.Context(), id, request, in)
}

func (s *Server) takeover(c *call) (any, error) {
	if err := first(c.requireCredential, c.requireLogin); err != nil {
		return nil, err
	}
	c.allowTime()
	return s.config.Access.Takeover(c.Context(), c.id)
}

func (s *Server) giveBack(c *call) (any, error) {
	if err := first(c.requirePerson, c.requireLogin, c.confirm); err != nil {
		return nil, err
	}
	c.allowTime()
	return s.config.Access.GiveBack(c.Context(), c.id)
}

func (s *Server) panic(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	return api.Panic{On: s.config.Access.Panic()}, nil
}

// setPanic suspends every agent for any caller with a credential. Only the person can lift it.
func (s *Server) setPanic(c *call) (any, error) {
	in := struct {
		On *bool `json:"on"`
	}{}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.On == nil {
		return nil, fault.Fieldf("on", "The request does not say whether to stop or to allow agents.").
			WithHint(`Send {"on":true} or {"on":false}.`)
	}
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	if !*in.On {
		if err := first(c.requirePerson, c.confirm); err != nil {
			return nil, err
		}
	}
	c.allowTime()
	done, err := s.config.Access.SetPanic(c.Context(), *in.On)
	if err != nil {
		return nil, err
	}
	return api.PanicData{Success: true, On: *in.On, Profiles: done}, nil
}
