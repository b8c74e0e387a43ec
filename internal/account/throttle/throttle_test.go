package throttle

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"cove/internal/fault"
)

func right() bool { return true }
func wrong() bool { return false }

// tryFor runs one try and tells how long it took.
func tryFor(t *testing.T, th *Throttle, email string, check func() bool) time.Duration {
	t.Helper()
	start := time.Now()
	if ok, err := th.Try(t.Context(), email, check); err != nil || ok != check() {
		t.Errorf("got %v, %v", ok, err)
	}
	return time.Since(start)
}

func TestThrottle(t *testing.T) {
	inBubble := func(name string, do func(*testing.T, *Throttle)) {
		t.Run(name, func(t *testing.T) { synctest.Test(t, func(t *testing.T) { do(t, &Throttle{}) }) })
	}
	spoil := func(t *testing.T, th *Throttle, email string, tries int) {
		for range tries {
			tryFor(t, th, email, wrong)
		}
	}
	inBubble("three wrong tries are free, then each waits twice as long, up to fifteen seconds",
		func(t *testing.T, th *Throttle) {
			var got []time.Duration
			for range 11 {
				got = append(got, tryFor(t, th, "a", wrong))
			}
			const s = time.Second
			if d := cmp.Diff([]time.Duration{0, 0, 0, s / 2, s, 2 * s, 4 * s, 8 * s, 15 * s, 15 * s, 15 * s},
				got); d != "" {
				t.Fatal(d)
			}
		})
	inBubble("very many wrong tries still wait fifteen seconds", func(t *testing.T, th *Throttle) {
		spoil(t, th, "a", 100)
		if d := tryFor(t, th, "a", wrong); d != maxDelay {
			t.Fatalf("waited %v", d)
		}
	})
	inBubble("a right password waits its turn, then all is forgotten", func(t *testing.T, th *Throttle) {
		spoil(t, th, "a", 5)
		if d := tryFor(t, th, "a", right); d != 2*time.Second {
			t.Fatalf("waited %v", d)
		}
		if len(th.turns) != 0 {
			t.Errorf("%d emails are remembered", len(th.turns))
		}
		for range freeTries {
			if d := tryFor(t, th, "a", wrong); d != 0 {
				t.Fatalf("waited %v", d)
			}
		}
	})
	inBubble("wrong tries of one email do not slow another", func(t *testing.T, th *Throttle) {
		spoil(t, th, "a", 10)
		if d := tryFor(t, th, "b", wrong); d != 0 {
			t.Fatalf("waited %v", d)
		}
	})
	inBubble("tries at the same time go one by one, each with its delay", func(t *testing.T, th *Throttle) {
		var running, most int // one at a time, or the race detector tells
		start := time.Now()
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				_, _ = th.Try(t.Context(), "a", func() bool {
					running++
					most = max(most, running)
					<-time.After(time.Second)
					running--
					return false
				})
			})
		}
		all.Wait()
		if took := time.Since(start); most != 1 || took != 5*time.Second+firstDelay+2*firstDelay {
			t.Fatalf("%d at once, %v", most, took)
		}
	})
	inBubble("refuses more than may wait, and takes them again later", func(t *testing.T, th *Throttle) {
		release := make(chan struct{})
		slow := func() bool { <-release; return true }
		var all sync.WaitGroup
		for range maxWaiting {
			all.Go(func() { tryFor(t, th, "a", slow) })
		}
		synctest.Wait()
		ran := false
		ok, err := th.Try(t.Context(), "a", func() bool { ran = true; return true })
		if fault.KindOf(err) != fault.Busy {
			t.Fatalf("got %v", err)
		}
		if ok || ran {
			t.Fatal("the password was tried all the same")
		}
		tryFor(t, th, "b", right)
		close(release)
		all.Wait()
		tryFor(t, th, "a", right)
	})
	inBubble("who gives up is not tried and not counted", func(t *testing.T, th *Throttle) {
		spoil(t, th, "a", freeTries)
		never := func() bool { t.Error("the password was tried"); return false }
		var all sync.WaitGroup
		for range maxWaiting { // one sleeps, the others queue behind it
			all.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), firstDelay/2)
				defer cancel()
				if ok, err := th.Try(ctx, "a", never); ok || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("got %v, %v", ok, err)
				}
			})
		}
		all.Wait()
		if d := tryFor(t, th, "a", wrong); d != firstDelay {
			t.Fatalf("waited %v", d)
		}
	})
}
