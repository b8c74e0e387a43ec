package target

import (
	"context"
)

// Life returns a context that ends when the tab closes or crashes, with ErrClosed or ErrCrashed as its cause.
func (t *Target) Life() context.Context {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.life
}

// End records that the tab has crashed or closed. Everything that waits for the tab fails.
func (t *Target) End(crashed bool) {
	t.mu.Lock()
	t.crashed = crashed
	t.setDialog(nil)
	if crashed {
		t.die(ErrCrashed)
	} else {
		if t.life.Err() != nil { // the tab had crashed before
			t.life, t.die = context.WithCancelCause(context.Background())
		}
		t.die(ErrClosed)
		t.close()
	}
	t.mu.Unlock()
	t.Changed.Broadcast()
}

// Revive makes a crashed tab usable again and reports whether it had crashed. The caller then loads its page again.
func (t *Target) Revive() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.crashed {
		return false
	}

	t.crashed, t.silent = false, false
	t.life, t.die = context.WithCancelCause(context.Background())
	return true
}

// Crashed reports whether the tab has crashed and has not been revived since.
func (t *Target) Crashed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crashed
}

// Gone returns a context that ends when the tab is closed. Unlike Life it outlasts a crash.
func (t *Target) Gone() context.Context { return t.gone }

// Closed reports whether the tab is gone.
func (t *Target) Closed() bool { return t.gone.Err() != nil }

// MarkLived records that the tab has a document.
func (t *Target) MarkLived() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lived = true
}

// Discarded reports whether the browser has restored the tab from the last session without its page.
func (t *Target) Discarded() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.crashed && !t.lived
}
