package access

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// push sends the stored policy of a profile to its keeper, and whether agents are suspended. Pushes of one profile take
// turns: what was read first must not arrive last.
func (a *Control) push(ctx context.Context, id profile.ID) error {
	a.mu.Lock()
	turn := a.pushing[id]
	if turn == nil {
		turn = make(chan struct{}, 1)
		a.pushing[id] = turn
	}
	a.mu.Unlock()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}

	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return err
	}
	for {
		on := a.panic.On()
		if err := c.Suspend(ctx, on); err != nil {
			return err
		}
		if a.panic.On() == on { // the command line may have changed it meanwhile, and reached the keeper before us
			break
		}
	}
	p, err := a.profiles.Get(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil // its row is lost: the keeper goes on with the policy that it was started with
	}
	if err != nil {
		return err
	}
	return c.SetPolicy(ctx, p.Policy)
}

// PushAll brings the keepers that were found up to date: much may have changed while no app was running.
func (a *Control) PushAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, s := range a.sessions.Running() {
		if s.Mode != session.Automation {
			continue
		}
		all.Go(func() {
			if err := a.push(ctx, s.ID); err != nil && !errors.Is(err, keeperclient.ErrNotOpen) {
				a.log.Error("an open profile did not accept its policy", "profile", s.ID, "err", err)
			}
		})
	}
	all.Wait()
}

// Watch follows every profile that opens for agents, until ctx ends. It returns when everything that it started has
// ended.
func (a *Control) Watch(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for ctx.Err() == nil {
		sub := a.sessions.Subscribe()
		for _, s := range a.sessions.Running() {
			a.begin(ctx, &all, s)
		}
		for open := true; open; {
			var s session.Status
			select {
			case s, open = <-sub.C():
				a.begin(ctx, &all, s)
			case <-ctx.Done():
				open = false
			}
		}
		sub.Close()
	}
}

// begin follows a profile, once for each time that it is open.
func (a *Control) begin(ctx context.Context, all *sync.WaitGroup, s session.Status) {
	if s.State != session.Open || s.Mode != session.Automation {
		return
	}
	a.mu.Lock()
	known := a.watched[s.Endpoint.RunID]
	a.watched[s.Endpoint.RunID] = true
	a.mu.Unlock()
	if !known {
		all.Go(func() { a.follow(ctx, s) })
	}
}

// Pauses between two attempts to follow a keeper that does not answer. They double from the first to the last.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
)

// follow follows the state of one run of a profile, until the run is over or ctx ends.
func (a *Control) follow(ctx context.Context, s session.Status) {
	defer func() {
		if ctx.Err() == nil { // else the app ends, and the keeper keeps its requests
			a.endRequests(s.ID)
		}
	}()
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.watched, s.Endpoint.RunID)
		delete(a.states, s.ID)
		delete(a.restart, s.ID)
	}()
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, lastPause) {
		if now := a.sessions.Get(s.ID); now.Endpoint.RunID != s.Endpoint.RunID {
			return
		}
		began := time.Now()
		if err := a.followOnce(ctx, s.ID); errors.Is(err, keeperclient.ErrNotOpen) {
			return
		}
		if time.Since(began) > lastPause {
			pause = firstPause
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// followOnce pushes what is stored, because it may have changed while the profile was opening, and follows the
// profile's state until the connection breaks.
func (a *Control) followOnce(ctx context.Context, id profile.ID) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.mu.Lock()
	a.restart[id] = cancel
	a.mu.Unlock()
	if err := a.push(ctx, id); err != nil {
		return err
	}
	c, err := keeperclient.Find(a.home.Profile(id))
	if err != nil {
		return err
	}
	return c.WatchAccess(ctx, func(s policy.State) { a.changed(id, s) })
}

// changed publishes the state of a profile. Events carry no screenshots: All and State do.
func (a *Control) changed(id profile.ID, s policy.State) {
	state := accessOf(id, s)
	a.mu.Lock()
	a.states[id] = state
	a.mu.Unlock()

	small := state
	small.Requests = slices.Clone(state.Requests)
	for i := range small.Requests {
		small.Requests[i].Picture = nil
	}
	a.feed.Publish(api.Event{Type: "access", Access: &small})
	a.setRequests(id, s)
}

// accessOf translates the state of a profile for the API.
func accessOf(id profile.ID, s policy.State) api.Access {
	out := api.Access{
		Profile: id, Agents: []api.AccessAgent{}, Requests: []api.Approval{},
		Takeover: s.TakenOver, Suspended: s.Suspended,
	}
	for _, agent := range s.Agents {
		one := agentOf(agent.Agent)
		one.Session, one.Paused = agent.Session, agent.Paused
		out.Agents = append(out.Agents, one)
	}
	for _, r := range s.Requests {
		if r.Kind != "" && r.Kind != policy.AskApproval {
			continue
		}
		out.Requests = append(out.Requests, api.Approval{
			ID: id.String() + "-" + r.ID, Profile: id, Agent: agentOf(r.Agent), Class: string(r.Class),
			What: r.What, Page: r.Page, RequestedAt: r.Asked, Picture: r.Thumbnail,
		})
	}
	for _, c := range s.Controlled {
		out.Controlled = append(out.Controlled, c.Tab)
	}
	if s.Driver != nil {
		driver := agentOf(*s.Driver)
		out.Driver = &driver
	}
	return out
}

func agentOf(a policy.Agent) api.AccessAgent {
	return api.AccessAgent{Kind: string(a.Kind), Name: a.Name, Version: a.Version, PID: a.PID}
}
