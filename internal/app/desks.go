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
type desks struct {
	*app
	feed event.Feed[api.Event]

	mu      sync.Mutex
	states  map[profile.ID]api.Desk
	turns   map[profile.ID]chan struct{}
	watched map[string]bool                   // by run
	again   map[profile.ID]context.CancelFunc // begins to follow a desk anew, which tells it everything first

	panicking sync.Mutex // one change of the panic at a time
}

// Apply puts the stored policy of a profile into force where it is open. One that is about to open gets it as soon as it can be told.
func (d *desks) Apply(ctx context.Context, id profile.ID) error {
	if err := d.settled(ctx, id); err != nil {
		return err
	}
	err := d.tell(ctx, id)
	if err == nil || errors.Is(err, keeper.ErrNoDesk) {
		return nil
	}
	d.mu.Lock()
	if retry := d.again[id]; retry != nil {
		retry()
	}
	d.mu.Unlock()
	return fault.New(fault.Unavailable, "E_POLICY_NOT_IN_FORCE", "The policy is stored, but the open profile "+id.String()+" did not take it: "+strings.TrimSuffix(fault.From(err).Text, ".")+".",
		"Close the profile: it opens with the new one. cove stop "+id.String()).Because(err)
}

// settled waits until a profile is not starting: then its keeper can be told.
func (d *desks) settled(ctx context.Context, id profile.ID) error {
	sub := d.sessions.Subscribe()
	defer func() { sub.Close() }()
	for d.sessions.Get(id).State == session.Starting {
		select {
		case _, ok := <-sub.C():
			if !ok { // too slow for every profile's changes
				sub = d.sessions.Subscribe()
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// tell gives a keeper what is stored: whether agents are cut off, and the policy. It takes turns for each profile, for what is read
// first must not arrive last.
func (d *desks) tell(ctx context.Context, id profile.ID) error {
	d.mu.Lock()
	turn := d.turns[id]
	if turn == nil {
		turn = make(chan struct{}, 1)
		d.turns[id] = turn
	}
	d.mu.Unlock()
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	desk, err := keeper.FindDesk(d.Home.Profile(int32(id)))
	if err != nil {
		return err
	}
	for {
		on := d.panic.on()
		if err := desk.Cut(ctx, on); err != nil {
			return err
		}
		if d.panic.on() == on { // the command line may have written it meanwhile, and told the keeper before us
			break
		}
	}
	p, err := d.profiles.Get(ctx, id)
	if fault.KindOf(err) == fault.NotFound {
		return nil // its row is lost: the keeper goes on with what it was started with
	}
	if err != nil {
		return err
	}
	return desk.SetPolicy(ctx, p.Policy)
}

// tellAll gives the keepers that were found what they may have missed while no app was running.
func (d *desks) tellAll(ctx context.Context) {
	var all sync.WaitGroup
	for _, p := range d.sessions.Running() {
		if p.Mode != session.Automation {
			continue
		}
		all.Go(func() {
			if err := d.tell(ctx, p.ID); err != nil && !errors.Is(err, keeper.ErrNoDesk) {
				d.log.Error("an open profile did not take its policy", "profile", p.ID, "err", err)
			}
		})
	}
	all.Wait()
}

// attend follows the desk of every profile that opens, until ctx ends.
func (d *desks) attend(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for ctx.Err() == nil {
		sub := d.sessions.Subscribe()
		for _, p := range d.sessions.Running() {
			d.begin(ctx, &all, p)
		}
		for open := true; open; {
			var p session.Picture
			select {
			case p, open = <-sub.C():
				d.begin(ctx, &all, p)
			case <-ctx.Done():
				open = false
			}
		}
		sub.Close()
	}
}

// begin follows one desk, once for each time that its profile is open.
func (d *desks) begin(ctx context.Context, all *sync.WaitGroup, p session.Picture) {
	if p.State != session.Open || p.Mode != session.Automation {
		return
	}
	d.mu.Lock()
	known := d.watched[p.Facts.RunID]
	d.watched[p.Facts.RunID] = true
	d.mu.Unlock()
	if !known {
		all.Go(func() { d.follow(ctx, p) })
	}
}

// A desk that does not answer, such as that of an older keeper, is asked again and again, but not without end at the same pace.
const (
	firstPause = 200 * time.Millisecond
	lastPause  = 5 * time.Second
)

func (d *desks) follow(ctx context.Context, p session.Picture) {
	defer func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.watched, p.Facts.RunID)
		delete(d.states, p.ID)
		delete(d.again, p.ID)
	}()
	for pause := firstPause; ctx.Err() == nil; pause = min(2*pause, lastPause) {
		if now := d.sessions.Get(p.ID); now.Facts.RunID != p.Facts.RunID {
			return
		}
		began := time.Now()
		if err := d.once(ctx, p.ID); errors.Is(err, keeper.ErrNoDesk) {
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
func (d *desks) once(ctx context.Context, id profile.ID) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.mu.Lock()
	d.again[id] = cancel
	d.mu.Unlock()
	if err := d.tell(ctx, id); err != nil {
		return err
	}
	desk, err := keeper.FindDesk(d.Home.Profile(int32(id)))
	if err != nil {
		return err
	}
	return desk.Watch(ctx, func(s policy.State) { d.changed(id, s) })
}

func (d *desks) changed(id profile.ID, s policy.State) {
	desk := showDesk(id, s)
	d.mu.Lock()
	d.states[id] = desk
	d.mu.Unlock()
	small := desk
	small.Requests = slices.Clone(desk.Requests)
	for i := range small.Requests {
		small.Requests[i].Picture = nil
	}
	d.feed.Publish(api.Event{Type: "desk", Desk: &small})
}

func showDesk(id profile.ID, s policy.State) api.Desk {
	out := api.Desk{Profile: int32(id), Agents: []api.DeskAgent{}, Requests: []api.Approval{}, Taken: s.Taken, Cut: s.Cut}
	for _, a := range s.Agents {
		out.Agents = append(out.Agents, showDeskAgent(a))
	}
	for _, r := range s.Requests {
		out.Requests = append(out.Requests, api.Approval{ID: id.String() + "-" + r.ID, Profile: int32(id), Agent: showDeskAgent(r.Agent), Class: string(r.Class), What: r.What, Page: r.Page, AskedAt: r.Asked, Picture: r.Picture})
	}
	if s.Driver != nil {
		driver := showDeskAgent(*s.Driver)
		out.Driver = &driver
	}
	return out
}

func showDeskAgent(a policy.Agent) api.DeskAgent {
	return api.DeskAgent{Kind: string(a.Kind), Name: a.Name, Version: a.Version, PID: a.PID}
}

// All are the desks of the open profiles, in the order of their ids.
func (d *desks) All() []api.Desk {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]api.Desk, 0, len(d.states))
	for _, s := range d.states {
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b api.Desk) int { return int(a.Profile) - int(b.Profile) })
	return out
}

// Subscribe follows every desk.
func (d *desks) Subscribe() *event.Sub[api.Event] { return d.feed.Subscribe(256) }

// desk finds the desk of a profile that is open for agents.
func (d *desks) desk(ctx context.Context, id profile.ID) (*keeper.Desk, error) {
	if err := d.settled(ctx, id); err != nil {
		return nil, err
	}
	desk, err := keeper.FindDesk(d.Home.Profile(int32(id)))
	if err == nil {
		return desk, nil
	}
	if _, err := d.profiles.Get(ctx, id); err != nil {
		return nil, err
	}
	return nil, notForAgents(id)
}

func notForAgents(id profile.ID) error {
	return fault.New(fault.NotFound, "E_NOT_OPEN", "Profile "+id.String()+" is not open for agents.", "Open it with: cove start "+id.String()+" --automation")
}

// ask puts a question to the desk of a profile.
func ask[T any](ctx context.Context, d *desks, id profile.ID, question func(*keeper.Desk) (T, error)) (T, error) {
	desk, err := d.desk(ctx, id)
	if err != nil {
		var none T
		return none, err
	}
	answer, err := question(desk)
	if errors.Is(err, keeper.ErrNoDesk) {
		err = notForAgents(id)
	}
	return answer, err
}

// State is what the desk of an open profile looks like now.
func (d *desks) State(ctx context.Context, id profile.ID) (api.Desk, error) {
	s, err := ask(ctx, d, id, func(k *keeper.Desk) (policy.State, error) { return k.State(ctx) })
	return showDesk(id, s), err
}

// Decide answers a request.
func (d *desks) Decide(ctx context.Context, id profile.ID, request string, in api.Decision) error {
	_, err := ask(ctx, d, id, func(k *keeper.Desk) (struct{}, error) {
		return struct{}{}, k.Decide(ctx, keeper.Decision{ID: request, Yes: in.Allow, Always: in.Always})
	})
	return err
}

// TakeOver makes the agents wait.
func (d *desks) TakeOver(ctx context.Context, id profile.ID) (api.TakenOver, error) {
	t, err := ask(ctx, d, id, func(k *keeper.Desk) (keeper.Taken, error) { return k.TakeOver(ctx) })
	return api.TakenOver{Success: true, Window: t.Window, Note: t.Note}, err
}

// GiveBack lets them go on.
func (d *desks) GiveBack(ctx context.Context, id profile.ID) (api.TakenOver, error) {
	t, err := ask(ctx, d, id, func(k *keeper.Desk) (keeper.Taken, error) { return k.GiveBack(ctx) })
	return api.TakenOver{Success: true, Window: t.Window, Note: t.Note}, err
}

// Panic tells whether every agent is kept out.
func (d *desks) Panic() bool { return d.panic.on() }

// SetPanic throws every agent out of every profile, or lets them in again.
func (d *desks) SetPanic(ctx context.Context, on bool) ([]int32, error) {
	d.panicking.Lock()
	defer d.panicking.Unlock()
	if err := d.panic.set(ctx, on); err != nil {
		return nil, err
	}
	d.log.Warn("panic", "on", on)
	done, err := keeper.CutAll(ctx, d.Home, on)
	d.feed.Publish(api.Event{Type: "panic", Panic: &api.Panic{On: on}})
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
