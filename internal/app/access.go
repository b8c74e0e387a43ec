package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/fault"
	"cove/internal/keeper"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// desks is the person's side of every open profile's desk.
type agentAccess struct {
	*app
	feed event.Feed[api.Event]

	mu      sync.Mutex
	states  map[profile.ID]api.Access
	turns   map[profile.ID]chan struct{}
	watched map[string]bool                   // by run
	again   map[profile.ID]context.CancelFunc // begins to follow a desk anew, which tells it everything first

	panicking sync.Mutex // one change of the panic at a time
}

// Apply puts the stored policy of a profile into force where it is open. One that is about to open gets it as soon as it can be told.
func (a *agentAccess) Apply(ctx context.Context, id profile.ID) error {
	if err := a.settled(ctx, id); err != nil {
		return err
	}
	err := a.push(ctx, id)
	if err == nil || errors.Is(err, keeper.ErrNotOpen) {
		return nil
	}
	a.mu.Lock()
	if retry := a.again[id]; retry != nil {
		retry()
	}
	a.mu.Unlock()
	return fault.New(fault.Unavailable, "E_POLICY_NOT_IN_FORCE", "The policy is stored, but the open profile "+id.String()+" did not take it: "+strings.TrimSuffix(fault.From(err).Text, ".")+".",
		"Close the profile: it opens with the new one. cove stop "+id.String()).Because(err)
}

// settled waits until a profile is not starting: then its keeper can be told.
func (a *agentAccess) settled(ctx context.Context, id profile.ID) error {
	sub := a.sessions.Subscribe()
	defer func() { sub.Close() }()
	for a.sessions.Get(id).State == session.Starting {
		select {
		case _, ok := <-sub.C():
			if !ok { // too slow for every profile's changes
				sub = a.sessions.Subscribe()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// tell gives a keeper what is stored: whether agents are cut off, and the policy. It takes turns for each profile, for what is read
// first must not arrive last.
func (a *agentAccess) push(ctx context.Context, id profile.ID) error {
	a.mu.Lock()
	turn := a.turns[id]
	if turn == nil {
		turn = make(chan struct{}, 1)
		a.turns[id] = turn
	}
	a.mu.Unlock()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	desk, err := keeper.FindAccess(a.Home.Profile(int32(id)))
	if err != nil {
		return err
	}
	for {
		on := a.panic.on()
		if err := desk.Suspend(ctx, on); err != nil {
			return err
		}
		if a.panic.on() == on { // the command line may have written it meanwhile, and told the keeper before us
			break
		}
	}
	p, err := a.profiles.Get(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil // its row is lost: the keeper goes on with what it was started with
	}
	if err != nil {
		return err
	}
	return desk.SetPolicy(ctx, p.Policy)
}

// tellAll gives the keepers that were found what they may have missed while no app was running.
func (a *agentAccess) pushAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, p := range a.sessions.Running() {
		if p.Mode != session.Automation {
			continue
		}
		all.Go(func() {
			if err := a.push(ctx, p.ID); err != nil && !errors.Is(err, keeper.ErrNotOpen) {
				a.log.Error("an open profile did not take its policy", "profile", p.ID, "err", err)
			}
		})
	}
	all.Wait()
}

// attend follows the desk of every profile that opens, until ctx ends.
func (a *agentAccess) watch(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for ctx.Err() == nil {
		sub := a.sessions.Subscribe()
		for _, p := range a.sessions.Running() {
			a.begin(ctx, &all, p)
		}
		for open := true; open; {
			var p session.Status
			select {
			case p, open = <-sub.C():
				a.begin(ctx, &all, p)
			case <-ctx.Done():
				open = false
			}
		}
		sub.Close()
	}
}

// begin follows one desk, once for each time that its profile is open.
func (a *agentAccess) begin(ctx context.Context, all *sync.WaitGroup, p session.Status) {
	if p.State != session.Open || p.Mode != session.Automation {
		return
	}
	a.mu.Lock()
	known := a.watched[p.Endpoint.RunID]
	a.watched[p.Endpoint.RunID] = true
	a.mu.Unlock()
	if !known {
		all.Go(func() { a.follow(ctx, p) })
	}
}

// A desk that does not answer, such as that of an older keeper, is asked again and again, but not without end at the same pace.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
)

func (a *agentAccess) follow(ctx context.Context, p session.Status) {
	defer func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.watched, p.Endpoint.RunID)
		delete(a.states, p.ID)
		delete(a.again, p.ID)
	}()
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, lastPause) {
		if now := a.sessions.Get(p.ID); now.Endpoint.RunID != p.Endpoint.RunID {
			return
		}
		began := time.Now()
		if err := a.once(ctx, p.ID); errors.Is(err, keeper.ErrNotOpen) {
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

// once tells a desk what is stored, for it may have changed while the profile was opening, and follows it until the connection breaks.
func (a *agentAccess) once(ctx context.Context, id profile.ID) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.mu.Lock()
	a.again[id] = cancel
	a.mu.Unlock()
	if err := a.push(ctx, id); err != nil {
		return err
	}
	desk, err := keeper.FindAccess(a.Home.Profile(int32(id)))
	if err != nil {
		return err
	}
	return desk.Watch(ctx, func(s policy.State) { a.changed(id, s) })
}

func (a *agentAccess) changed(id profile.ID, s policy.State) {
	desk := toAccess(id, s)
	a.mu.Lock()
	a.states[id] = desk
	a.mu.Unlock()
	small := desk
	small.Requests = slices.Clone(desk.Requests)
	for i := range small.Requests {
		small.Requests[i].Picture = nil
	}
	a.feed.Publish(api.Event{Type: "access", Access: &small})
}

func toAccess(id profile.ID, s policy.State) api.Access {
	out := api.Access{Profile: int32(id), Agents: []api.AccessAgent{}, Requests: []api.Approval{}, TakenOver: s.TakenOver, Suspended: s.Suspended}
	for _, a := range s.Agents {
		out.Agents = append(out.Agents, toAccessAgent(a))
	}
	for _, r := range s.Requests {
		out.Requests = append(out.Requests, api.Approval{ID: id.String() + "-" + r.ID, Profile: int32(id), Agent: toAccessAgent(r.Agent), Class: string(r.Class), What: r.What, Page: r.Page, AskedAt: r.Asked, Picture: r.Picture})
	}
	if s.Driver != nil {
		driver := toAccessAgent(*s.Driver)
		out.Driver = &driver
	}
	return out
}

func toAccessAgent(a policy.Agent) api.AccessAgent {
	return api.AccessAgent{Kind: string(a.Kind), Name: a.Name, Version: a.Version, PID: a.PID}
}

// All are the desks of the open profiles, in the order of their ids.
func (a *agentAccess) All() []api.Access {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]api.Access, 0, len(a.states))
	for _, s := range a.states {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b api.Access) int { return int(a.Profile) - int(b.Profile) })
	return out
}

// Subscribe follows every desk.
func (a *agentAccess) Subscribe() *event.Sub[api.Event] { return a.feed.Subscribe(256) }

// desk finds the desk of a profile that is open for agents.
func (a *agentAccess) find(ctx context.Context, id profile.ID) (*keeper.Access, error) {
	if err := a.settled(ctx, id); err != nil {
		return nil, err
	}
	desk, err := keeper.FindAccess(a.Home.Profile(int32(id)))
	if err == nil {
		return desk, nil
	}
	if _, err := a.profiles.Get(ctx, id); err != nil {
		return nil, err
	}
	return nil, notForAgents(id)
}

func notForAgents(id profile.ID) error {
	return fault.New(fault.NotFound, "E_NOT_OPEN", "Profile "+id.String()+" is not open for agents.", "Open it with: cove start "+id.String()+" --automation")
}

// ask puts a question to the desk of a profile.
func query[T any](ctx context.Context, d *agentAccess, id profile.ID, question func(*keeper.Access) (T, error)) (T, error) {
	desk, err := d.find(ctx, id)
	if err != nil {
		var none T
		return none, err
	}
	answer, err := question(desk)
	if errors.Is(err, keeper.ErrNotOpen) {
		err = notForAgents(id)
	}
	return answer, err
}

// State is what the desk of an open profile looks like now.
func (a *agentAccess) State(ctx context.Context, id profile.ID) (api.Access, error) {
	s, err := query(ctx, a, id, func(k *keeper.Access) (policy.State, error) { return k.State(ctx) })
	return toAccess(id, s), err
}

// Decide answers a request.
func (a *agentAccess) Decide(ctx context.Context, id profile.ID, request string, in api.Decision) error {
	_, err := query(ctx, a, id, func(k *keeper.Access) (struct{}, error) {
		return struct{}{}, k.Decide(ctx, keeper.Decision{ID: request, Yes: in.Allow, Always: in.Always})
	})
	return err
}

// TakeOver makes the agents wait.
func (a *agentAccess) TakeOver(ctx context.Context, id profile.ID) (api.TakenOver, error) {
	t, err := query(ctx, a, id, func(k *keeper.Access) (keeper.Taken, error) { return k.TakeOver(ctx) })
	return api.TakenOver{Success: true, Window: t.Window, Note: t.Note}, err
}

// GiveBack lets them go on.
func (a *agentAccess) GiveBack(ctx context.Context, id profile.ID) (api.TakenOver, error) {
	t, err := query(ctx, a, id, func(k *keeper.Access) (keeper.Taken, error) { return k.GiveBack(ctx) })
	return api.TakenOver{Success: true, Window: t.Window, Note: t.Note}, err
}

// Panic tells whether every agent is kept out.
func (a *agentAccess) Panic() bool { return a.panic.on() }

// SetPanic throws every agent out of every profile, or lets them in again.
func (a *agentAccess) SetPanic(ctx context.Context, on bool) ([]int32, error) {
	a.panicking.Lock()
	defer a.panicking.Unlock()
	if err := a.panic.set(ctx, on); err != nil {
		return nil, err
	}
	a.log.Warn("panic", "on", on)
	done, err := keeper.SuspendAll(ctx, a.Home, on)
	a.feed.Publish(api.Event{Type: "panic", Panic: &api.Panic{On: on}})
	if err != nil {
		return nil, fault.New(fault.Unavailable, "E_PANIC_PARTLY", "Not every open profile could be reached: "+strings.TrimSuffix(err.Error(), ".")+".", "Close the profile, or end its browser.").Because(err)
	}
	slices.Sort(done)
	ids := make([]int32, 0, len(done))
	for _, id := range done {
		ids = append(ids, int32(id))
	}
	return ids, nil
}
