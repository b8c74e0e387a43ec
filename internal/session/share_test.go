package session

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// TestASharingThatFails says what happened, how it ended, and the next step.
func TestASharingThatFails(t *testing.T) {
	share := Options{Mode: Automation, Shared: true}
	for name, row := range map[string]struct {
		slow time.Duration
		fail error
		do   func(w *world, s *Supervisor)
		code string
		end  EndReason
		text string
	}{
		"because the person refused": {
			fail: fault.New(fault.CodeAdoptRefused, "no", "hint"), code: "E_ADOPT_REFUSED", end: Refused, text: "no"},
		"because its keeper died": {
			slow: time.Minute, fail: ErrShareKeeperEnded(1),
			do:   func(w *world, _ *Supervisor) { w.browsers[1].end(KeeperEnded) },
			code: "E_ADOPT_LOST", end: KeeperEnded, text: "connection to your browser was lost"},
		"because the browser was quit": {
			slow: time.Minute, fail: fault.New(fault.CodeAdoptLost, "quit", "hint"),
			do:   func(w *world, _ *Supervisor) { w.browsers[1].end(BrowserQuit) },
			code: "E_ADOPT_LOST", end: BrowserQuit, text: "quit"},
		"because nobody answered": {
			slow: time.Hour, code: "E_TIMEOUT", end: Stopped, text: "30 minutes"},
		"because somebody stopped it": {
			slow: time.Hour, do: func(_ *world, s *Supervisor) { _ = s.Stop(context.Background(), 1) },
			code: "E_STOPPED", end: Stopped, text: "cancelled before it was allowed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, s := newWorld()
				w.external = profile.External{DataDir: "/x", Dir: "Default"}
				w.slow, w.fail = row.slow, row.fail
				failed := make(chan error)
				go func() {
					_, err := s.Start(t.Context(), 1, share)
					failed <- err
				}()
				synctest.Wait()
				if row.do != nil {
					row.do(w, s)
				}
				err := <-failed
				f := fault.From(err)
				if string(f.Code) != row.code || !strings.Contains(f.Text, row.text) {
					t.Errorf("%s: %s", f.Code, f.Text)
				}
				if row.fail == nil || row.end == KeeperEnded {
					if !strings.Contains(f.Hint, "press Cancel") || !strings.Contains(f.Hint, "cove adopt 1") {
						t.Errorf("the next step: %s", f.Hint)
					}
				}
				if got := s.Get(1); got.State != Closed || got.End != row.end {
					t.Errorf("%s, %q", got.State, got.End)
				}
			})
		})
	}
}

// TestAStartOfABrowserThatIsShared tells neither a person nor a program to share it.
func TestAStartOfABrowserThatIsShared(t *testing.T) {
	w, s := newWorld()
	w.external = profile.External{DataDir: "/x", Dir: "Default"}
	for _, o := range []Options{{Mode: Ordinary}, {Mode: Automation, Headless: true}, {Mode: Automation}} {
		if _, err := s.Start(t.Context(), 1, o); !strings.Contains(fault.From(err).Hint, "cove adopt 1") {
			t.Errorf("%+v of one that is not shared: %v", o, err)
		}
	}
	if _, err := s.Start(t.Context(), 1, Options{Mode: Automation, Shared: true}); err != nil {
		t.Fatal(err)
	}
	for _, o := range []Options{{Mode: Ordinary}, {Mode: Automation, Headless: true}, {Mode: Automation}} {
		_, err := s.Start(t.Context(), 1, o)
		if f := fault.From(err); !strings.Contains(f.Sentence(), "shared") ||
			!strings.Contains(f.Hint, "cove page tabs -p 1") || !strings.Contains(f.Hint, "cove adopt share 1") {
			t.Errorf("%+v: %s", o, f.Sentence())
		}
	}
}

// TestAProgramNeverSharesABrowser: not even one that starts the profile in the moment in which the sharing ends.
func TestAProgramNeverSharesABrowser(t *testing.T) {
	w, s := newWorld()
	w.external = profile.External{DataDir: "/x", Dir: "Default"}
	for range 2000 {
		if _, err := s.Start(t.Context(), 1, Options{Mode: Automation, Shared: true}); err != nil {
			t.Fatal(err)
		}
		asked := len(w.started)
		over := make(chan struct{})
		var programs sync.WaitGroup
		for range 4 {
			programs.Go(func() {
				for {
					select {
					case <-over:
						return
					default:
						_, _ = s.Start(t.Context(), 1, Options{Mode: Automation})
					}
				}
			})
		}
		err := s.Stop(t.Context(), 1)
		close(over)
		programs.Wait()
		if n := len(w.started) - asked; err != nil || n > 0 {
			t.Fatalf("programs asked the browser %d times; %v", n, err)
		}
	}
}

// TestAStopExplainsOnlyAnEndWithoutAReason: the end of a sharing has its own, also if somebody stops it at that moment.
func TestAStopExplainsOnlyAnEndWithoutAReason(t *testing.T) {
	for end, want := range map[EndReason]EndReason{
		"": Stopped, Crashed: Stopped, Exited: Stopped, Stopped: Stopped, LetGo: LetGo, Refused: Refused,
		SwitchedOff: SwitchedOff, BrowserQuit: BrowserQuit, KeeperEnded: KeeperEnded,
	} {
		_, s := newWorld()
		r := s.newRun(1, Automation)
		s.runs[1] = r
		r.stopped = true
		s.move(r, Starting)
		s.close(r, end)
		if got := s.Get(1).End; got != want {
			t.Errorf("%q, which was stopped, ended as %q", end, got)
		}
	}
}
