// Package access controls what agents may do in the open profiles, on the person's behalf.
package access

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"cove/api"
	"cove/internal/app/suspend"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/session"
)

// Sessions says which profiles are open; *session.Supervisor does.
type Sessions interface {
	Get(id profile.ID) session.Status
	Running() []session.Status
	Subscribe() *event.Sub[session.Status]
}

// Profiles reads stored profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
}

// Control controls what agents may do in the open profiles, on the person's behalf: it pushes the stored policies
// and the panic to their keepers, follows the state of their enforcers, and passes the person's decisions on. The
// keepers enforce; Control holds only copies of their states.
type Control struct {
	home     paths.Home
	log      *slog.Logger
	sessions Sessions
	profiles Profiles
	panic    *suspend.State
	feed     event.Feed[api.Event]

	mu       sync.Mutex
	states   map[profile.ID]api.Access
	requests map[profile.ID]map[string]api.Request // of open profiles
	past     []api.Request                         // of profiles that have closed
	pushing  map[profile.ID]chan struct{}          // held while a profile's policy is pushed
	watched  map[string]bool                       // the runs whose state is followed, by their id
	restart  map[profile.ID]context.CancelFunc     // follows a profile anew, which pushes everything first

	panicMu sync.Mutex // one change of the panic at a time
}

// New makes the control of the open profiles. It does nothing until Watch runs.
func New(
	home paths.Home, log *slog.Logger, s Sessions, p Profiles, panics *suspend.State,
) *Control {
	return &Control{
		home: home, log: log, sessions: s, profiles: p, panic: panics,
		states: map[profile.ID]api.Access{}, requests: map[profile.ID]map[string]api.Request{},
		pushing: map[profile.ID]chan struct{}{},
		watched: map[string]bool{}, restart: map[profile.ID]context.CancelFunc{},
	}
}

// Apply puts the stored policy of a profile into force if the profile is open. A profile that is opening gets it as
// soon as its keeper answers, also while that waits for the person.
func (a *Control) Apply(ctx context.Context, id profile.ID) error {
	if err := a.awaitStarted(ctx, id); err != nil {
		return err
	}
	err := a.push(ctx, id)
	if err == nil || errors.Is(err, keeperclient.ErrNotOpen) {
		return nil
	}
	a.mu.Lock()
	if retry := a.restart[id]; retry != nil {
		retry()
	}
	a.mu.Unlock()
	return fault.New(fault.CodePolicyNotInForce,
		"The policy was saved, but the open profile "+id.String()+" did not apply it: "+
			strings.TrimSuffix(fault.From(err).Text, ".")+".",
		"Close the profile. The policy applies the next time it opens: cove stop "+id.String()).Because(err)
}

// awaitStarted waits until the keeper of a profile answers, if the profile is starting: it answers when the start is
// over, and when it says what the person has to do.
func (a *Control) awaitStarted(ctx context.Context, id profile.ID) error {
	sub := a.sessions.Subscribe()
	defer func() { sub.Close() }()
	for s := a.sessions.Get(id); s.State == session.Starting && s.Step == ""; s = a.sessions.Get(id) {
		select {
		case _, ok := <-sub.C():
			if !ok { // the subscription was too slow for the changes of all profiles
				sub = a.sessions.Subscribe()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// All returns the state of every open profile, in the order of their ids.
func (a *Control) All() []api.Access {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]api.Access, 0, len(a.states))
	for _, s := range a.states {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b api.Access) int { return int(a.Profile) - int(b.Profile) })
	return out
}

// Subscribe follows the state of every open profile, and the panic.
func (a *Control) Subscribe() *event.Sub[api.Event] { return a.feed.Subscribe(256) }

// keeperCall is a method of the client, such as (*keeperclient.Client).Access.
type keeperCall[T any] func(*keeperclient.Client, context.Context) (T, error)

// query calls the keeper of a profile that is open for agents.
func query[T any](ctx context.Context, a *Control, id profile.ID, call keeperCall[T]) (answer T, err error) {
	if err := a.awaitStarted(ctx, id); err != nil {
		return answer, err
	}
	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return answer, a.notOpen(ctx, id)
	}
	answer, err = call(c, ctx)
	if errors.Is(err, keeperclient.ErrNotOpen) {
		err = a.notOpen(ctx, id)
	}
	return answer, err
}

func (a *Control) notOpen(ctx context.Context, id profile.ID) error {
	p, err := a.profiles.Get(ctx, id)
	if err != nil {
		return err
	}
	return fault.New(fault.CodeNotOpen, "Profile "+id.String()+" is not open for agents.", p.OpenHint())
}

// State returns the state of an open profile: its agents, and the requests that wait for a person.
func (a *Control) State(ctx context.Context, id profile.ID) (api.Access, error) {
	s, err := query(ctx, a, id, (*keeperclient.Client).Access)
	return accessOf(id, s), err
}

// Decide answers a request for approval.
func (a *Control) Decide(ctx context.Context, id profile.ID, request string, in api.Decision) error {
	d := keeperclient.Decision{ID: request, Yes: in.Allow, Always: in.Always}
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Decide(ctx, d)
	})
	return err
}

// Takeover makes the agents wait while the person works in the profile.
func (a *Control) Takeover(ctx context.Context, id profile.ID) (api.Takeover, error) {
	t, err := query(ctx, a, id, (*keeperclient.Client).StartTakeover)
	return api.Takeover{Success: true, Window: t.Window, Note: t.Changes}, err
}

// GiveBack lets the agents go on.
func (a *Control) GiveBack(ctx context.Context, id profile.ID) (api.Takeover, error) {
	t, err := query(ctx, a, id, (*keeperclient.Client).EndTakeover)
	return api.Takeover{Success: true, Window: t.Window, Note: t.Changes}, err
}

// Pause makes one agent wait, or lets it continue.
func (a *Control) Pause(ctx context.Context, id profile.ID, agent string, on bool) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Pause(ctx, agent, on)
	})
	return err
}

// Disconnect disconnects one agent.
func (a *Control) Disconnect(ctx context.Context, id profile.ID, agent string) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.Disconnect(ctx, agent)
	})
	return err
}

// Panic reports whether the agents of every profile are suspended.
func (a *Control) Panic() bool { return a.panic.On() }

// SetPanic suspends the agents of every profile, or lets them in again. It returns the open profiles that were reached.
func (a *Control) SetPanic(ctx context.Context, on bool) ([]profile.ID, error) {
	a.panicMu.Lock()
	defer a.panicMu.Unlock()
	if err := a.panic.Set(ctx, on); err != nil {
		return nil, err
	}
	a.log.Warn("panic", "on", on)
	reached, err := keeperclient.SuspendAll(ctx, a.home, on)
	a.feed.Publish(api.Event{Type: "panic", Panic: &api.Panic{On: on}})
	if err != nil {
		return nil, fault.New(fault.CodePanicPartly,
			"Not every open profile could be reached: "+strings.TrimSuffix(err.Error(), ".")+".",
			"Close the profile, or quit its browser.").Because(err)
	}

	slices.Sort(reached)
	return append([]profile.ID{}, reached...), nil // a list in JSON, also when it is empty
}
