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

// Desks reaches those who work in open profiles.
type Access interface {
	// Apply puts the stored policy of a profile into force where it is open.
	Apply(ctx context.Context, id profile.ID) error
	// State is what the desk of an open profile looks like; All are those of every open profile.
	State(ctx context.Context, id profile.ID) (api.Access, error)
	All() []api.Access
	// Subscribe follows every desk, and the panic.
	Subscribe() *event.Sub[api.Event]
	Decide(ctx context.Context, id profile.ID, request string, d api.Decision) error
	TakeOver(ctx context.Context, id profile.ID) (api.TakenOver, error)
	GiveBack(ctx context.Context, id profile.ID) (api.TakenOver, error)
	// Panic tells whether every agent is kept out of every profile; SetPanic answers the open profiles that it was done to.
	Panic() bool
	SetPanic(ctx context.Context, on bool) ([]int32, error)
}

func (s *Server) access(c *call) (any, error) {
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	d, err := s.Access.State(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return api.AccessData{Data: d}, nil
}

func (s *Server) approvals(c *call) (any, error) {
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	out := api.Approvals{Data: []api.Approval{}}
	for _, d := range s.Access.All() {
		out.Data = append(out.Data, d.Requests...)
	}
	slices.SortStableFunc(out.Data, func(a, b api.Approval) int { return a.AskedAt.Compare(b.AskedAt) })
	return out, nil
}

// decide answers a request. Only the person may, and a yes needs the PIN.
func (s *Server) decide(c *call) (any, error) {
	var in api.Decision
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := first(c.requirePerson, c.mustLogIn); err != nil {
		return nil, err
	}
	text, request, _ := strings.Cut(c.name, "-")
	id, err := profile.ParseID(text)
	if err != nil || request == "" {
		return nil, fault.New(fault.NotFound, "E_NO_REQUEST", "There is no request "+strconv.Quote(c.name)+".", "`cove approvals` shows what waits.")
	}
	if in.Allow {
		if err := c.confirm(); err != nil {
			return nil, err
		}
	}
	return api.OK{Success: true}, s.Access.Decide(c.Context(), id, request, in)
}

func (s *Server) takeOver(c *call) (any, error) {
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	c.patient()
	return s.Access.TakeOver(c.Context(), c.id)
}

func (s *Server) giveBack(c *call) (any, error) {
	if err := first(c.requirePerson, c.mustLogIn, c.confirm); err != nil {
		return nil, err
	}
	c.patient()
	return s.Access.GiveBack(c.Context(), c.id)
}

func (s *Server) panic(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	return api.Panic{On: s.Access.Panic()}, nil
}

// setPanic throws every agent out whoever asks for it; letting them in again is the person's.
func (s *Server) setPanic(c *call) (any, error) {
	in := struct {
		On *bool `json:"on"`
	}{}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.On == nil {
		return nil, fault.Invalidf("The request does not say whether agents are to be cut off.").WithHint(`Send {"on":true} or {"on":false}.`)
	}
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	if !*in.On {
		if err := first(c.requirePerson, c.confirm); err != nil {
			return nil, err
		}
	}
	c.patient()
	done, err := s.Access.SetPanic(c.Context(), *in.On)
	if err != nil {
		return nil, err
	}
	return api.PanicData{Success: true, On: *in.On, Profiles: done}, nil
}
