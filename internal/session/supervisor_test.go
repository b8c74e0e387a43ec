package session

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// world fakes everything around a supervisor.
type world struct {
	mu        sync.Mutex
	loggedOut bool
	free      bool
	agents    error // why none is let in
	started   []profile.ID
	host      string // of every profile's proxy
	external  profile.External
	through   []string // the proxy of each start
	running   int
	most      int
	slow      time.Duration // of a launch
	fail      error
	found     map[profile.ID]Browser
	closed    []profile.ID
	browsers  map[profile.ID]*fakeBrowser
}

func (w *world) Get(_ context.Context, id profile.ID) (profile.Profile, error) {
	if id > 900 {
		return profile.Profile{}, profile.NotFound(id)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return profile.Profile{ID: id, Name: "p", Proxy: proxy.Proxy{Host: w.host}, External: w.external}, nil
}
func (w *world) MarkOpened(context.Context, profile.ID, time.Time) error { return nil }
func (w *world) LoggedIn(context.Context) error {
	if w.loggedOut {
		return fault.New(fault.CodeUnauthorized, "out", "")
	}
	return nil
}
func (w *world) Agents(context.Context, profile.Profile) error { return w.agents }

func (w *world) Automation(context.Context) error {
	if w.free {
		return fault.New(fault.CodePlanAutomation, "free", "")
	}
	return nil
}

func (w *world) Start(_ context.Context, p profile.Profile, want Options) (Browser, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started, w.through = append(w.started, p.ID), append(w.through, p.Proxy.Host)
	w.running++
	w.most = max(w.most, w.running)
	b := &fakeBrowser{
		world: w, mode: want.Mode, slow: w.slow, fail: w.fail, done: make(chan struct{}), begun: make(chan struct{}),
	}
	w.browsers[p.ID] = b
	return b, nil
}
func (w *world) Find(context.Context) (map[profile.ID]Browser, error) { return w.found, nil }

type fakeBrowser struct {
	world *world
	mode  Mode
	slow  time.Duration
	fail  error
	done  chan struct{}
	once  sync.Once
	why   EndReason
	// closing is what it says of itself; begun is the news of it.
	closing atomic.Bool
	begun   chan struct{}
}

func (b *fakeBrowser) Mode() Mode { return b.mode }
func (b *fakeBrowser) Ready(ctx context.Context, _ func(string)) (Endpoint, error) {
	defer func() {
		b.world.mu.Lock()
		b.world.running--
		b.world.mu.Unlock()
	}()
	select {
	case <-time.After(b.slow):
	case <-ctx.Done():
		return Endpoint{}, ctx.Err()
	}
	return Endpoint{Mode: b.mode, Port: 4242, Path: "/x"}, b.fail
}
func (b *fakeBrowser) Stop(context.Context) error     { b.end(Stopped); return nil }
func (b *fakeBrowser) IsClosing(context.Context) bool { return b.closing.Load() }
func (b *fakeBrowser) Closing() <-chan struct{}       { return b.begun }
func (b *fakeBrowser) Done() <-chan struct{}          { return b.done }
func (b *fakeBrowser) EndReason() EndReason           { return b.why }
func (b *fakeBrowser) end(why EndReason)              { b.once.Do(func() { b.why = why; close(b.done) }) }

func newWorld() (*world, *Supervisor) {
	w := &world{browsers: map[profile.ID]*fakeBrowser{}}
	closed := func(id profile.ID) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.closed = append(w.closed, id)
	}
	log := slog.New(slog.DiscardHandler)
	return w, New(Config{Profiles: w, Access: w, Runner: w, Log: log, AtOnce: 2, Closed: closed})
}

func code(err error) string {
	if err == nil {
		return ""
	}
	return string(fault.From(err).Code)
}

func TestStart(t *testing.T) {
	auto, person := Options{Mode: Automation}, Options{Mode: Ordinary}
	t.Run("is checked in the order of the error table", func(t *testing.T) {
		w, s := newWorld()
		for _, c := range []struct {
			out, free bool
			id        profile.ID
			want      string
		}{{true, true, 999, "E_UNAUTHORIZED"}, {false, true, 999, "E_NOT_FOUND"},
			{false, true, 1, "E_PLAN_AUTOMATION"}} {
			w.loggedOut, w.free = c.out, c.free
			if _, err := s.Start(t.Context(), c.id, auto); code(err) != c.want {
				t.Errorf("%+v: %v", c, err)
			}
		}
		if len(w.started) > 0 || len(s.Running()) > 0 {
			t.Error("a refused start left something")
		}
		w.free, w.agents = false, fault.New(fault.CodeAgentsOff, "off", "")
		if _, err := s.Start(t.Context(), 1, auto); code(err) != "E_AGENTS_OFF" {
			t.Errorf("a start where agents are not allowed: %v", err)
		}
		w.free = true
		if _, err := s.Start(t.Context(), 1, person); err != nil {
			t.Errorf("an ordinary start on the free plan: %v", err)
		}
	})
	t.Run("is refused to agents before it is told that the profile is open", func(t *testing.T) {
		w, s := newWorld()
		if _, err := s.Start(t.Context(), 1, auto); err != nil {
			t.Fatal(err)
		}
		w.agents = fault.New(fault.CodeAgentsOff, "off", "")
		if _, err := s.Start(t.Context(), 1, auto); code(err) != "E_AGENTS_OFF" {
			t.Errorf("got %v", err)
		}
	})
	t.Run("joins a start in the same mode", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, s := newWorld()
			w.slow = time.Second
			var all sync.WaitGroup
			for range 5 {
				all.Go(func() {
					if p, err := s.Start(t.Context(), 1, auto); err != nil || p.Endpoint.Port != 4242 {
						t.Errorf("got %+v, %v", p, err)
					}
				})
			}
			all.Wait()
			if len(w.started) != 1 {
				t.Errorf("%d launches", len(w.started))
			}
			_ = s.Stop(t.Context(), 1)
		})
	})
	t.Run("meets what is open", func(t *testing.T) {
		_, s := newWorld()
		_, _ = s.Start(t.Context(), 1, auto)
		if p, err := s.Start(t.Context(), 1, auto); code(err) != "E_BROWSER_RUN_DUPLICATE" || p.Endpoint.Port != 4242 {
			t.Errorf("automation on automation: %+v, %v", p, err)
		}
		if _, err := s.Start(t.Context(), 1, person); code(err) != "E_BROWSER_RUN_DUPLICATE" {
			t.Errorf("ordinary on automation: %v", err)
		}
		_, _ = s.Start(t.Context(), 2, person)
		if _, err := s.Start(t.Context(), 2, auto); code(err) != "E_BROWSER_OPEN_ORDINARY" {
			t.Errorf("automation on ordinary: %v", err)
		}
	})
	t.Run("goes on when its caller loses patience", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, s := newWorld()
			w.slow = time.Second
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			if _, err := s.Start(ctx, 1, auto); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
			<-time.After(time.Second)
			synctest.Wait()
			if p := s.Get(1); p.State != Open {
				t.Errorf("the profile is %s", p.State)
			}
			_ = s.Stop(t.Context(), 1)
		})
	})
	t.Run("that fails leaves the profile closed, and the next one works", func(t *testing.T) {
		w, s := newWorld()
		w.fail = fault.New(fault.CodeBrowserLaunch, "no", "")
		if _, err := s.Start(t.Context(), 1, auto); code(err) != "E_BROWSER_LAUNCH" || s.Get(1).State != Closed {
			t.Errorf("got %v, %s", err, s.Get(1).State)
		}
		failed := s.Get(1).Failed
		if failed == nil || failed.Err.Code != fault.CodeBrowserLaunch || failed.At.IsZero() {
			t.Errorf("the failure is not kept: %+v", failed)
		}
		w.fail = nil
		if _, err := s.Start(t.Context(), 1, auto); err != nil || s.Get(1).Failed != nil {
			t.Errorf("%v, %+v", err, s.Get(1).Failed)
		}
	})
	t.Run("that the person stops has not failed", func(t *testing.T) {
		w, s := newWorld()
		w.slow = time.Hour
		started := make(chan error, 1)
		go func() { _, err := s.Start(context.Background(), 1, auto); started <- err }()
		for s.Get(1).State != Starting {
			runtime.Gosched()
		}
		_ = s.Stop(t.Context(), 1)
		if err := <-started; code(err) != "E_STOPPED" || s.Get(1).Failed != nil {
			t.Errorf("%v, %+v", err, s.Get(1).Failed)
		}
	})
	t.Run("waits for a stop that is under way", func(t *testing.T) {
		_, s := newWorld()
		for range 20 {
			if _, err := s.Start(t.Context(), 1, auto); err != nil {
				t.Fatal(err)
			}
			go func() { _ = s.Stop(context.Background(), 1) }()
			for s.Get(1).State == Open {
				runtime.Gosched()
			}
			if _, err := s.Start(t.Context(), 1, auto); err != nil {
				t.Fatal(err)
			}
			_ = s.Stop(t.Context(), 1)
		}
	})
	t.Run("that found a person's browser says so", func(t *testing.T) {
		w, s := newWorld()
		w.found = nil
		s.runner = adopting{w}
		p, err := s.Start(t.Context(), 1, auto)
		if code(err) != "E_BROWSER_OPEN_ORDINARY" || p.Mode != Ordinary || s.Get(1).State != Open {
			t.Errorf("got %+v, %v, %s", p, err, s.Get(1).State)
		}
	})
}

// adopting finds a person's browser wherever it starts one.
type adopting struct{ *world }

func (a adopting) Start(ctx context.Context, p profile.Profile, w Options) (Browser, error) {
	return a.world.Start(ctx, p, Options{Mode: Ordinary})
}

func TestQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld()
		w.slow = time.Second
		var mu sync.Mutex
		var codes []string
		var all sync.WaitGroup
		for i := range 70 {
			all.Go(func() {
				_, err := s.Start(t.Context(), profile.ID(i+1), Options{Mode: Automation})
				mu.Lock()
				defer mu.Unlock()
				codes = append(codes, code(err))
			})
		}
		all.Wait()
		if w.most != 2 {
			t.Errorf("%d launches at a time", w.most)
		}
		busy := 0
		for _, c := range codes {
			if c == "E_TOO_MANY_LAUNCHES" {
				busy++
			} else if c != "" {
				t.Errorf("got %s", c)
			}
		}
		if busy != 70-2-maxWaiting {
			t.Errorf("%d were refused", busy)
		}
		if err := s.StopAll(t.Context()); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if n := len(s.Running()); n != 0 {
			t.Errorf("%d are still open", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld()
		w.slow = 90 * time.Second
		var all sync.WaitGroup
		for i := range 3 {
			all.Go(func() {
				_, err := s.Start(t.Context(), profile.ID(i+1), Options{Mode: Automation})
				if err != nil && code(err) != "E_TOO_MANY_LAUNCHES" {
					t.Errorf("got %v", err)
				}
			})
		}
		all.Wait()
		if len(w.started) != 2 {
			t.Errorf("%d launches; the third should have waited a minute in vain", len(w.started))
		}
		_ = s.StopAll(t.Context())
	})
}

func TestStop(t *testing.T) {
	t.Run("of a closed profile is fine", func(t *testing.T) {
		_, s := newWorld()
		if err := s.Stop(t.Context(), 7); err != nil {
			t.Error(err)
		}
	})
	t.Run("while starting ends the start", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, s := newWorld()
			w.slow = time.Minute
			started := make(chan error, 1)
			go func() {
				_, err := s.Start(t.Context(), 1, Options{Mode: Automation})
				started <- err
			}()
			<-time.After(time.Second)
			if err := s.Stop(t.Context(), 1); err != nil {
				t.Error(err)
			}
			if err := <-started; code(err) != "E_STOPPED" {
				t.Errorf("the start answers %v", err)
			}
			if p := s.Get(1); p.State != Closed || p.End != Stopped {
				t.Errorf("the profile is %+v", p)
			}
		})
	})
	t.Run("tells the reason when a browser ends by itself", func(t *testing.T) {
		for _, why := range []EndReason{Exited, Crashed} {
			w, s := newWorld()
			sub := s.Subscribe()
			_, _ = s.Start(t.Context(), 1, Options{Mode: Automation})
			w.browsers[1].end(why)
			var states []string
			for p := range sub.C() {
				states = append(states, fmt.Sprintf("%s %s", p.State, p.End))
				if p.State == Closed {
					break
				}
			}
			if want := []string{"starting ", "open ", "closed " + string(why)}; !slices.Equal(states, want) {
				t.Errorf("got %q", states)
			}
			if p := s.Get(1); p.State != Closed || p.End != why || !slices.Equal(w.closed, []profile.ID{1}) {
				t.Errorf("the profile is %+v, closed %v", p, w.closed)
			}
		}
	})
}

func TestRecover(t *testing.T) {
	w, s := newWorld()
	w.found = map[profile.ID]Browser{
		3: &fakeBrowser{world: w, mode: Automation, done: make(chan struct{})},
		5: &fakeBrowser{world: w, mode: Ordinary, done: make(chan struct{})},
	}
	if err := s.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	running := s.Running()
	if len(running) != 2 || running[0].ID != 3 || running[0].State != Open ||
		running[0].Mode != Automation || running[1].Mode != Ordinary {
		t.Fatalf("got %+v", running)
	}
	if err := s.Stop(t.Context(), 5); err != nil || s.Get(5).State != Closed {
		t.Fatalf("got %v, %s", err, s.Get(5).State)
	}
}

func TestAnIllegalMovePanics(t *testing.T) {
	_, s := newWorld()
	defer func() {
		if recover() == nil {
			t.Fatal("closed → open was let through")
		}
	}()
	s.move(s.newRun(1, Automation), Open)
}

func TestABrowserThatAClientCloses(t *testing.T) {
	auto := Options{Mode: Automation}
	open := func(t *testing.T) (*world, *Supervisor, *fakeBrowser) {
		w, s := newWorld()
		if _, err := s.Start(t.Context(), 1, auto); err != nil {
			t.Fatal(err)
		}
		return w, s, w.browsers[1]
	}
	t.Run("is stopping until it is gone", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, s, b := open(t)
			close(b.begun)
			synctest.Wait()
			if got := s.Get(1).State; got != Stopping {
				t.Errorf("the state is %s", got)
			}
			b.end(Stopped)
			synctest.Wait()
			if got := s.Get(1); got.State != Closed || got.End != Stopped {
				t.Errorf("then it is %+v", got)
			}
		})
	})
	t.Run("is waited for by a start, also when the news of it is late", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			w, s, b := open(t)
			b.closing.Store(true)
			go func() {
				<-time.After(time.Second)
				b.end(Stopped)
			}()
			if _, err := s.Start(t.Context(), 1, auto); err != nil {
				t.Fatal(err)
			}
			if len(w.started) != 2 || s.Get(1).State != Open {
				t.Errorf("started %v, now %+v", w.started, s.Get(1))
			}
			_ = s.Stop(t.Context(), 1)
		})
	})
	t.Run("may be stopped as well", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			_, s, b := open(t)
			close(b.begun)
			synctest.Wait()
			if err := s.Stop(t.Context(), 1); err != nil || s.Get(1).State != Closed {
				t.Errorf("stop: %v, then %s", err, s.Get(1).State)
			}
		})
	})
}

func TestAStartThatWaitsUsesTheProfileAsItIsWhenItsTurnComes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, s := newWorld()
		w.slow, w.host = time.Second, "old"
		var all sync.WaitGroup
		for id := range profile.ID(3) { // two at a time
			all.Go(func() { _, _ = s.Start(t.Context(), id+1, Options{Mode: Automation}) })
		}
		synctest.Wait()

		w.mu.Lock()
		w.host = "new"
		w.mu.Unlock()
		all.Wait()
		if want := []string{"old", "old", "new"}; !slices.Equal(w.through, want) {
			t.Errorf("the starts went through %v, not %v", w.through, want)
		}
		for _, b := range w.browsers {
			b.end(Stopped)
		}
		synctest.Wait()
	})
}
