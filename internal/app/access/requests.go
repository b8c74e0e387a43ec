package access

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/policy"
	"cove/internal/profile"
)

// maxPast is how many requests of profiles that have closed are remembered.
const maxPast = 200

// Requests returns the requests of every profile.
func (a *Control) Requests() api.Requests {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := api.Requests{Data: []api.Request{}, History: slices.Clone(a.past)}
	for _, all := range a.requests {
		for _, one := range all {
			if isOpen(one) {
				out.Data = append(out.Data, one)
			} else {
				out.History = append(out.History, one)
			}
		}
	}
	if out.History == nil {
		out.History = []api.Request{}
	}
	slices.SortFunc(out.Data, func(a, b api.Request) int {
		return cmp.Or(a.RequestedAt.Compare(b.RequestedAt), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(out.History, func(a, b api.Request) int {
		return cmp.Or(endOf(b).Compare(endOf(a)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func endOf(a api.Request) time.Time {
	if a.EndedAt == nil {
		return a.RequestedAt
	}
	return *a.EndedAt
}

func isOpen(a api.Request) bool { return policy.RequestState(a.State).IsOpen() }

// FindRequest returns one request, open or not. It asks the keeper for one that is too new to be known.
func (a *Control) FindRequest(ctx context.Context, id profile.ID, request string) (api.Request, bool) {
	if one, ok := a.knownRequest(id, request); ok {
		return one, true
	}
	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return api.Request{}, false
	}
	r, err := c.AwaitRequest(ctx, request, 0)
	one := requestOf(id, r)
	one.Answer = withoutText(one.Answer)
	return one, err == nil
}

func (a *Control) knownRequest(id profile.ID, request string) (api.Request, bool) {
	name := id.String() + "-" + request
	all := a.Requests()
	for _, one := range append(all.Data, all.History...) {
		if one.ID == name {
			return one, true
		}
	}
	return api.Request{}, false
}

// setRequests remembers the requests of a profile, and publishes those that have changed. Events carry no screenshots.
func (a *Control) setRequests(id profile.ID, s policy.State) {
	now := map[string]api.Request{}
	for _, r := range append(slices.Clone(s.Requests), s.History...) {
		one := requestOf(id, r)
		one.Answer = withoutText(one.Answer)
		now[one.ID] = one
	}
	a.mu.Lock()
	before := a.requests[id]
	for name, one := range before { // an older state can come last, and no request opens again
		if newer, there := now[name]; there && !isOpen(one) && isOpen(newer) {
			now[name] = one
		}
	}
	a.requests[id] = now
	a.mu.Unlock()
	for _, one := range now {
		if !sameRequest(before[one.ID], one) {
			a.publishRequest(one)
		}
	}
}

// sameRequest reports whether nothing has changed in a request.
func sameRequest(a, b api.Request) bool {
	a.Picture, b.Picture = nil, nil
	was, err := json.Marshal(a)
	is, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(was, is)
}

func (a *Control) publishRequest(one api.Request) {
	one.Picture = nil
	a.feed.Publish(api.Event{Type: "request", Request: &one})
}

// endRequests ends the requests of a profile that has closed. It cuts those that are open, because nobody waits for
// them any more.
func (a *Control) endRequests(id profile.ID) {
	a.mu.Lock()
	ended := a.requests[id]
	delete(a.requests, id)
	var cut []api.Request
	at := time.Now().UTC()
	for _, one := range ended {
		if isOpen(one) {
			one.State, one.EndedAt, one.ExpiresAt, one.Picture = string(policy.Cut), &at, nil, nil
			cut = append(cut, one)
		}
		a.past = append(a.past, one)
	}
	slices.SortFunc(a.past, func(a, b api.Request) int { return endOf(a).Compare(endOf(b)) })
	a.past = a.past[max(0, len(a.past)-maxPast):]
	a.mu.Unlock()
	for _, one := range cut {
		a.publishRequest(one)
	}
}

// Answer answers a request in the name of by.
func (a *Control) Answer(ctx context.Context, id profile.ID, request, by string, in api.Answer) error {
	answer := keeperclient.RequestAnswer{ID: request, Code: in.Code, Reply: policy.Reply{
		Allow: in.Allow != nil && *in.Allow, Decline: in.Decline || in.Allow != nil && !*in.Allow, Done: in.Done,
		Scope: policy.Scope(in.Scope), Note: in.Note, Choice: in.Choose, Text: in.Text, By: by,
	}}
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Answer(ctx, answer)
	})
	if err == nil {
		a.refreshRequests(ctx, id)
	}
	return requestFault(err)
}

// refreshRequests reads the requests of a profile now, so that whoever has changed one finds it changed.
func (a *Control) refreshRequests(ctx context.Context, id profile.ID) {
	if s, err := query(ctx, a, id, (*keeperclient.Client).Access); err == nil {
		a.setRequests(id, s)
	}
}

// CheckRequestKey refuses a key that does not open the request.
func (a *Control) CheckRequestKey(ctx context.Context, id profile.ID, request, key string) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.CheckRequestKey(ctx, request, key)
	})
	return requestFault(err)
}

// MarkSeen notes that the person has a request before them.
func (a *Control) MarkSeen(ctx context.Context, id profile.ID, request string, working bool) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.MarkSeen(ctx, keeperclient.RequestSeen{ID: request, Working: working})
	})
	switch {
	case err == nil:
		a.refreshRequests(ctx, id)
	case !working && fault.From(err).Code == fault.CodeNotOpen:
		return nil // the profile has closed, and its requests have ended
	}
	return requestFault(err)
}

// requestFault replaces the fault of a closed profile: its requests have ended.
func requestFault(err error) error {
	if err != nil && fault.From(err).Code == fault.CodeNotOpen {
		return fault.New(fault.CodeNoRequest, "This request has ended, because its profile has closed.",
			"`cove asks` lists pending requests.")
	}
	return err
}

// CreateRequest asks the person for something on behalf of a program.
func (a *Control) CreateRequest(ctx context.Context, id profile.ID, in api.NewRequest) (api.Request, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.CreateRequest(ctx, keeperclient.NewRequest{
			Name: cmp.Or(in.Name, "a program"), Kind: policy.RequestKind(cmp.Or(in.Kind, string(policy.AskHelp))),
			Message: in.Message, Options: in.Options, Tab: in.Tab,
		})
	})
	return requestOf(id, r), err
}

// AwaitRequest returns a request when it has ended, or as it is after limit. It has the text of the answer.
func (a *Control) AwaitRequest(
	ctx context.Context, id profile.ID, request string, limit time.Duration,
) (api.Request, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.AwaitRequest(ctx, request, limit)
	})
	if err != nil {
		if past, ok := a.knownRequest(id, request); ok && !isOpen(past) { // its profile has closed
			return past, nil
		}
	}
	return requestOf(id, r), requestFault(err)
}

// WithdrawRequest ends a request that the program needs no longer.
func (a *Control) WithdrawRequest(ctx context.Context, id profile.ID, request string) (api.Request, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.WithdrawRequest(ctx, request)
	})
	return requestOf(id, r), requestFault(err)
}

// requestOf translates a request for the API. A keeper of an earlier version says neither kind nor state.
func requestOf(id profile.ID, r policy.Request) api.Request {
	out := api.Request{
		ID: id.String() + "-" + r.ID, Profile: id, Kind: string(cmp.Or(r.Kind, policy.AskApproval)),
		State: string(cmp.Or(r.State, policy.Asked)), Agent: agentOf(r.Agent), Class: string(r.Class), What: r.What,
		Page: r.Page, Tab: r.Tab, Options: r.Options, Because: r.Because, Rule: r.Site, RuleWords: r.Rule,
		RequestedAt: r.Asked, Picture: r.Thumbnail,
	}
	if r.Box != nil {
		out.Box = &api.LiveBox{X: r.Box.X, Y: r.Box.Y, W: r.Box.W, H: r.Box.H}
	}
	if !r.Expires.IsZero() {
		out.ExpiresAt = &r.Expires
	}
	if !r.Ended.IsZero() {
		out.EndedAt = &r.Ended
	}
	if reply := r.Answer; reply != nil {
		out.Answer = &api.RequestAnswer{
			Scope: string(reply.Scope), Done: reply.Done, Decline: reply.Decline, Note: reply.Note,
			Choose: reply.Choice, Text: reply.Text, Typed: reply.Typed, By: reply.By,
		}
		if out.Kind == string(policy.AskApproval) {
			out.Answer.Allow, out.Answer.Decline = &reply.Allow, false
		}
	}
	return out
}

// withoutText removes a text, which is for the agent that has asked.
func withoutText(a *api.RequestAnswer) *api.RequestAnswer {
	if a == nil {
		return nil
	}
	small := *a
	small.Text = ""
	return &small
}
