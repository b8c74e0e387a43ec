//go:build e2e

package harness

import (
	"context"
	"testing"
	"time"
)

// Patience bounds a wait for something that must happen. It is generous because machines are slow, and it is never a
// measurement.
const Patience = 60 * time.Second

// Wait polls until ok holds, and ends the test when it does not within Patience.
func Wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	WaitLong(t, Patience, what, ok)
}

// WaitLong is Wait with a limit of its own, for what takes a slow machine minutes.
func WaitLong(t *testing.T, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	if !Poll(limit, ok) {
		t.Fatalf("waited in vain for %s", what)
	}
}

// Poll reports whether ok holds within limit. It looks often at first and less often later. It looks once more at the
// end: a machine that stood still all the time has not shown that ok does not hold.
func Poll(limit time.Duration, ok func() bool) bool {
	return poll(limit, 50*time.Millisecond, ok)
}

// Catch is Poll for a moment that passes quickly: it looks every millisecond.
func Catch(limit time.Duration, ok func() bool) bool {
	return poll(limit, time.Millisecond, ok)
}

// poll looks with pauses that grow up to longest.
func poll(limit, longest time.Duration, ok func() bool) bool {
	end := time.After(limit)
	for pause := time.Millisecond; ; pause = min(pause*3/2, longest) {
		if ok() {
			return true
		}

		select {
		case <-time.After(pause):
		case <-end:
			return ok()
		}
	}
}

// Never watches for a while that something does not happen. happened returns what has, or "". The test fails as soon as
// it has, and Never returns false.
func Never(t *testing.T, while time.Duration, happened func() string) bool {
	t.Helper()
	what := ""
	if Poll(while, func() bool { what = happened(); return what != "" }) {
		t.Error(what)
		return false
	}
	return true
}

// Delay lets time pass, or ends with ctx. It is for what is slow itself: the answer of a server that the test plays, the
// moment at which the test kills a process. It never stands for an event; Wait does.
func Delay(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}
