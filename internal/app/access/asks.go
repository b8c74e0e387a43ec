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

// Asks returns the requests of every profile.
func (a *Control) Asks() api.Asks {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := api.Asks{Data: []api.Ask{}, History: slices.Clone(a.past)}
	for _, all := range a.asks {
		for _, one := range all {
			if isOpen(one) {
				out.Data = append(out.Data, one)
			} else {
				out.History = append(out.History, one)
			}
		}
	}
	if out.History == nil {
		out.History = []api.Ask{}
	}
	slices.SortFunc(out.Data, func(a, b api.Ask) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
	slices.SortFunc(out.History, func(a, b api.Ask) int {
		return cmp.Or(endOf(b).Compare(endOf(a)), cmp.Compare(a.ID, b.ID))
	})
	return out
}

func endOf(a api.Ask) time.Time {
	if a.EndedAt == nil {
		return a.AskedAt
	}
	return *a.EndedAt
}

func isOpen(a api.Ask) bool { return policy.RequestState(a.State).IsOpen() }

// FindAsk returns one request, open or not. It asks the keeper for one that is too new to be known.
func (a *Control) FindAsk(ctx context.Context, id profile.ID, request string) (api.Ask, bool) {
	if one, ok := a.knownAsk(id, request); ok {
		return one, true
	}
	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return api.Ask{}, false
	}
	r, err := c.AwaitAsk(ctx, request, 0)
	one := askOf(id, r)
	one.Answer = withoutText(one.Answer)
	return one, err == nil
}

func (a *Control) knownAsk(id profile.ID, request string) (api.Ask, bool) {
	name := id.String() + "-" + request
	all := a.Asks()
	for _, one := range append(all.Data, all.History...) {
		if one.ID == name {
			return one, true
		}
	}
	return api.Ask{}, false
}

// setAsks remembers the requests of a profile, and publishes those that have changed. Events carry no screenshots.
func (a *Control) setAsks(id profile.ID, s policy.State) {
	now := map[string]api.Ask{}
	for _, r := range append(slices.Clone(s.Requests), s.History...) {
		one := askOf(id, r)
		one.Answer = withoutText(one.Answer)
		now[one.ID] = one
	}
	a.mu.Lock()
	before := a.asks[id]
	for name, one := range before { // an older state can come last, and no request opens again
		if newer, there := now[name]; there && !isOpen(one) && isOpen(newer) {
			now[name] = one
		}
	}
	a.asks[id] = now
	a.mu.Unlock()
	for _, one := range now {
		if !sameAsk(before[one.ID], one) {
			a.publishAsk(one)
		}
	}
}

// sameAsk reports whether nothing has changed in a request.
func sameAsk(a, b api.Ask) bool {
	a.Picture, b.Picture = nil, nil
	was, err := json.Marshal(a)
	is, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(was, is)
}

func (a *Control) publishAsk(one api.Ask) {
	one.Picture = nil
	a.feed.Publish(api.Event{Type: "request", Request: &one})
}

// endAsks ends the requests of a profile that has closed: what was open is cut, because nobody waits for it any more.
func (a *Control) endAsks(id profile.ID) {
	a.mu.Lock()
	ended := a.asks[id]
	delete(a.asks, id)
	var cut []api.Ask
	at := time.Now().UTC()
	for _, one := range ended {
		if isOpen(one) {
			one.State, one.EndedAt, one.ExpiresAt, one.Picture = string(policy.Cut), &at, nil, nil
			cut = append(cut, one)
		}
		a.past = append(a.past, one)
	}
	slices.SortFunc(a.past, func(a, b api.Ask) int { return endOf(a).Compare(endOf(b)) })
	a.past = a.past[max(0, len(a.past)-maxPast):]
	a.mu.Unlock()
	for _, one := range cut {
		a.publishAsk(one)
	}
}

// Answer answers a request. by is who does.
func (a *Control) Answer(ctx context.Context, id profile.ID, request, by string, in api.Answer) error {
	answer := keeperclient.AskAnswer{ID: request, Code: in.Code, Reply: policy.Reply{
		Allow: in.Allow != nil && *in.Allow, Decline: in.Decline || in.Allow != nil && !*in.Allow, Done: in.Done,
		Scope: policy.Scope(in.Scope), Note: in.Note, Choice: in.Choose, Text: in.Text, By: by,
	}}
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Answer(ctx, answer)
	})
	if err == nil {
		a.refreshAsks(ctx, id)
	}
	return askFault(err)
}

// refreshAsks reads the requests of a profile now, so that whoever has changed one finds it changed.
func (a *Control) refreshAsks(ctx context.Context, id profile.ID) {
	if s, err := query(ctx, a, id, (*keeperclient.Client).Access); err == nil {
		a.setAsks(id, s)
	}
}

// CheckAskKey refuses a key that does not open the request.
func (a *Control) CheckAskKey(ctx context.Context, id profile.ID, request, key string) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.CheckAskKey(ctx, request, key)
	})
	return askFault(err)
}

// MarkSeen notes that the person has a request before them.
func (a *Control) MarkSeen(ctx context.Context, id profile.ID, request string, working bool) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.MarkSeen(ctx, keeperclient.AskSeen{ID: request, Working: working})
	})
	switch {
	case err == nil:
		a.refreshAsks(ctx, id)
	case !working && fault.From(err).Code == fault.CodeNotOpen:
		return nil // the profile has closed, and its requests have ended
	}
	return askFault(err)
}

// askFault words that the profile of a request has closed: then the request has ended.
func askFault(err error) error {
	if err != nil && fault.From(err).Code == fault.CodeNotOpen {
		return fault.New(fault.CodeNoRequest, "This request has ended, because its profile has closed.",
			"`cove asks` lists pending requests.")
	}
	return err
}

// NewAsk asks the person for something on behalf of a program.
func (a *Control) NewAsk(ctx context.Context, id profile.ID, in api.NewAsk) (api.Ask, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.Ask(ctx, keeperclient.NewAsk{
			Name: cmp.Or(in.Name, "a program"), Kind: policy.RequestKind(cmp.Or(in.Kind, string(policy.AskHelp))),
			Message: in.Message, Options: in.Options, Tab: in.Tab,
		})
	})
	return askOf(id, r), err
}

// AwaitAsk returns a request when it has ended, or as it is after limit. It has the text of the answer.
func (a *Control) AwaitAsk(ctx context.Context, id profile.ID, request string, limit time.Duration) (api.Ask, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.AwaitAsk(ctx, request, limit)
	})
	if err != nil {
		if past, ok := a.knownAsk(id, request); ok && !isOpen(past) { // its profile has closed
			return past, nil
		}
	}
	return askOf(id, r), askFault(err)
}

// WithdrawAsk ends a request that the program needs no longer.
func (a *Control) WithdrawAsk(ctx context.Context, id profile.ID, request string) (api.Ask, error) {
	r, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (policy.Request, error) {
		return c.WithdrawAsk(ctx, request)
	})
	return askOf(id, r), askFault(err)
}

// askOf translates a request for the API. A keeper of an earlier version says neither kind nor state.
func askOf(id profile.ID, r policy.Request) api.Ask {
	out := api.Ask{
		ID: id.String() + "-" + r.ID, Profile: id, Kind: string(cmp.Or(r.Kind, policy.AskApproval)),
		State: string(cmp.Or(r.State, policy.Asked)), Agent: agentOf(r.Agent), Class: string(r.Class), What: r.What,
		Page: r.Page, Tab: r.Tab, Options: r.Options, Because: r.Because, Rule: r.Site, RuleWords: r.Rule,
		AskedAt: r.Asked, Picture: r.Thumbnail,
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
		out.Answer = &api.AskAnswer{
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
func withoutText(a *api.AskAnswer) *api.AskAnswer {
	if a == nil {
		return nil
	}
	small := *a
	small.Text = ""
	return &small
}
