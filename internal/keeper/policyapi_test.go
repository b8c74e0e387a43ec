package keeper

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// keeperWithoutBrowser is a keeper whose socket answers, and that has no browser.
func keeperWithoutBrowser(t *testing.T, home paths.Home, id profile.ID, mode session.Mode) *keeper {
	t.Helper()
	dir := home.Profile(id)
	if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	k := newKeeper(keeperclient.Spec{ID: 1, Dir: dir, Panic: home.Panic()}, slog.New(slog.DiscardHandler))
	k.record = keeperclient.Record{
		ID: process.Self(), Protocol: keeperclient.Protocol, Token: "secret", Mode: mode, Headless: true,
	}
	t.Cleanup(k.begin(t.Context()))
	k.agents.open(fault.New("E_NONE", "no browser", ""))
	if err := k.publish(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { close(k.browser.exited); _ = k.server.http.Close() })
	return k
}

func mustFind(t *testing.T, home paths.Home, id profile.ID) *keeperclient.Client {
	t.Helper()
	d, err := keeperclient.Find(home.Profile(id))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestAPersonControlsTheAgents(t *testing.T) {
	home := newHome(t)
	k := keeperWithoutBrowser(t, home, 1, session.Automation)
	d, ctx := mustFind(t, home, 1), t.Context()
	admission, err := k.enforcer.Admit(policy.Agent{Kind: policy.Tools, Name: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.SetPolicy(ctx, policy.Policy{Preset: "loose"}); fault.KindOf(err) != fault.Invalid {
		t.Errorf("a policy that is none: %v", err)
	}
	err = d.SetPolicy(ctx, policy.Policy{Preset: policy.Guarded})
	if err != nil || k.enforcer.Rules().Preset != policy.Guarded {
		t.Fatalf("%v, %v", err, k.enforcer.Rules().Preset)
	}

	states := make(chan policy.State, 100)
	watching, stop := context.WithCancel(ctx)
	watched := make(chan error, 1)
	go func() { watched <- d.WatchAccess(watching, func(s policy.State) { states <- s }) }()
	until := func(what string, ok func(policy.State) bool) policy.State {
		t.Helper()
		limit := time.After(time.Minute)
		for {
			select {
			case s := <-states:
				if ok(s) {
					return s
				}
			case <-limit:
				t.Fatalf("waited in vain for %s", what)
			}
		}
	}
	asked := make(chan error, 1)
	ask := func() policy.Request {
		go func() {
			r := policy.Request{Class: policy.Upload, What: "upload x", Page: "https://a.test/",
				Thumbnail: []byte{1, 2}}
			asked <- admission.Authorize(context.WithoutCancel(ctx), r)
		}()
		return until("a request", func(s policy.State) bool { return len(s.Requests) > 0 }).Requests[0]
	}
	r := ask()
	if r.Agent.Name != "agent" || r.What != "upload x" || len(r.Thumbnail) != 2 {
		t.Errorf("the request is %+v", r)
	}
	err = d.Decide(ctx, keeperclient.Decision{ID: "0", Yes: true})
	if !errors.Is(err, fault.New(fault.CodeNoRequest, "", "")) {
		t.Errorf("an answer to nothing: %v", err)
	}
	if err := d.Decide(ctx, keeperclient.Decision{ID: r.ID, Yes: true}); err != nil || <-asked != nil {
		t.Errorf("a yes: %v", err)
	}
	until("no request", func(s policy.State) bool { return len(s.Requests) == 0 })
	if err := d.Decide(ctx, keeperclient.Decision{ID: ask().ID}); err != nil || <-asked == nil {
		t.Errorf("a no: %v", err)
	}

	if _, err := d.StartTakeover(ctx); err != nil {
		t.Fatal(err)
	}
	if s, err := d.Access(ctx); err != nil || !s.TakenOver {
		t.Errorf("taken over: %+v, %v", s, err)
	}
	entered := make(chan error, 1)
	go func() { entered <- admission.Begin(context.WithoutCancel(ctx), true) }()
	k.enforcer.GiveBack("note")
	if err := <-entered; err != nil {
		t.Errorf("after giving back: %v", err)
	}
	if err := d.Suspend(ctx, true); err != nil {
		t.Fatal(err)
	}
	<-admission.Done()
	if _, err := d.DialMCP(ctx, keeperclient.Greeting{}); fault.KindOf(err) != fault.Denied {
		t.Errorf("a bridge comes in after a panic: %v", err)
	}
	if err := d.Suspend(ctx, false); err != nil {
		t.Fatal(err)
	}
	if err := d.SetPolicy(ctx, policy.Policy{Preset: policy.Off}); err != nil {
		t.Fatal(err)
	}
	_, err = d.DialMCP(ctx, keeperclient.Greeting{})
	if fault.From(err).Code != "E_AGENTS_OFF" || !strings.Contains(fault.From(err).Hint, "policy set 1 ") {
		t.Errorf("a bridge comes in where agents are off: %v", err)
	}
	stop()
	<-watched
}

func TestPanicNeedsNoApp(t *testing.T) {
	home := newHome(t)
	open, ordinary := keeperWithoutBrowser(t, home, 1, session.Automation),
		keeperWithoutBrowser(t, home, 2, session.Ordinary)
	if err := os.MkdirAll(home.Profile(3).Data(), 0o700); err != nil { // closed
		t.Fatal(err)
	}
	if err := os.WriteFile(home.Panic(), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	done, err := keeperclient.SuspendAll(t.Context(), home, true)
	if err != nil || len(done) != 1 || done[0] != 1 || open.enforcer.Admits() == nil ||
		ordinary.enforcer.Admits() != nil {
		t.Fatalf("cut %v, %v", done, err)
	}
	if later := keeperWithoutBrowser(t, home, 4, session.Automation); later.enforcer.Admits() == nil {
		t.Error("a keeper that starts later lets agents in")
	}
	if err := os.Remove(home.Panic()); err != nil {
		t.Fatal(err)
	}
	if done, err = keeperclient.SuspendAll(t.Context(), home, false); err != nil || len(done) != 2 ||
		open.enforcer.Admits() != nil {
		t.Fatalf("undone %v, %v", done, err)
	}
	if _, err := keeperclient.Find(home.Profile(2)); !errors.Is(err, keeperclient.ErrNotOpen) {
		t.Errorf("agents in ordinary mode: %v", err)
	}
}

// An app of the version before may start this keeper: Cove was replaced on disk while that app was running.
func TestAnAppOfProtocol1ControlsTheAgents(t *testing.T) {
	home := newHome(t)
	k := keeperWithoutBrowser(t, home, 1, session.Automation)
	record := k.record
	record.Protocol = 1 // the client speaks as that app does
	c, ctx := keeperclient.New(record), t.Context()

	if err := c.Suspend(ctx, true); err != nil || !k.enforcer.State().Suspended {
		t.Errorf("suspend: %v", err)
	}
	if _, err := c.StartTakeover(ctx); err != nil || !k.enforcer.State().TakenOver {
		t.Errorf("take over: %v", err)
	}
	if s, err := c.Access(ctx); err != nil || !s.Suspended || !s.TakenOver {
		t.Errorf("%+v, %v", s, err)
	}
	if err := c.Decide(ctx, keeperclient.Decision{ID: "0"}); fault.From(err).Code != "E_NO_REQUEST" {
		t.Errorf("decide: %v", err)
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	states := make(chan policy.State, 10)
	go func() { _ = c.WatchAccess(watching, func(s policy.State) { states <- s }) }()
	if s := <-states; !s.Suspended {
		t.Errorf("watched %+v", s)
	}
	k.enforcer.Suspend(false)
	if s := <-states; s.Suspended || !s.TakenOver {
		t.Errorf("then watched %+v", s)
	}
}

func TestAPersonPausesAndDisconnectsOneAgent(t *testing.T) {
	home := newHome(t)
	k := keeperWithoutBrowser(t, home, 1, session.Automation)
	d, ctx := mustFind(t, home, 1), t.Context()
	admission, err := k.enforcer.Admit(policy.Agent{Kind: policy.Tools, Name: "agent"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Pause(ctx, admission.Session(), true); err != nil {
		t.Fatal(err)
	}
	s, err := d.Access(ctx)
	if err != nil || len(s.Agents) != 1 || !s.Agents[0].Paused || s.Agents[0].Session != admission.Session() {
		t.Errorf("%+v, %v", s.Agents, err)
	}
	if err := d.Disconnect(ctx, admission.Session()); err != nil {
		t.Fatal(err)
	}
	<-admission.Done()
	if err := d.Pause(ctx, admission.Session(), true); !errors.Is(err, fault.New(fault.CodeNoAgent, "", "")) {
		t.Errorf("an agent that is gone: %v", err)
	}
}
