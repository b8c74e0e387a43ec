package keeper

import (
	"context"
	"errors"
	"os"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/session"
)

// How long each way of ending is given. A person's browser has no other way than an interrupt, which a page that asks before
// it closes can hold up; after 35 seconds the browser has written its cookies by itself.
const (
	closeLimit     = 10 * time.Second
	interruptLimit = 5 * time.Second
	ordinaryLimit  = 35 * time.Second
	pageLimit      = 10 * time.Second
	lastLimit      = 500 * time.Millisecond
	sureLimit      = time.Second
)

// stop closes the browser without losing what is in it. It returns at once; exited tells when it is done.
func (k *keeper) stop() { k.stopThen(func() {}) }

// stopThen also calls told once everybody who asks hears that the profile is closing, and before it does.
func (k *keeper) stopThen(told func()) {
	first := false
	k.stopOnce.Do(func() {
		first = true
		close(k.asked)
		if s := k.control.get(); s.State == session.Open {
			s.State = session.Stopping
			k.control.set(s)
		}
	})
	told()
	if first {
		go k.shutDown()
	}
}

// leaving tells everybody that the browser has begun to go by itself: from now on nobody is sent to its port.
func (k *keeper) leaving() {
	if k.control.leave() {
		_ = os.Remove(k.Dir.ActivePort())
	}
}

// surely makes sure that the browser is there before anybody is told so. One that was killed a moment ago has not been missed yet; one that
// hangs is there.
func (k *keeper) surely(ctx context.Context) {
	if k.control.get().State != session.Open {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sureLimit)
	defer cancel()
	switch {
	case k.mux != nil && errors.Is(k.mux.Call(ctx, "Browser.getVersion", nil, nil), cdp.ErrClosed):
		k.leaving()
	case k.mux == nil && !k.browser.Alive():
		k.leaving()
	}
}

// shutDown never uses SIGTERM: it loses the cookies of the last half minute.
func (k *keeper) shutDown() {
	if k.mux == nil {
		k.awaitPage()
		k.endProcess(ordinaryLimit)
		return
	}
	k.agents.flush(lastLimit) // the last step's picture, while there is something to see
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	if err := k.mux.Call(ctx, "Browser.close", nil, nil); err != nil {
		k.log.Warn("the browser did not take Browser.close", "err", err)
	}
	if k.gone(ctx) {
		return
	}
	k.log.Warn("the browser did not close; interrupting it")
	k.endProcess(interruptLimit)
}

// awaitPage waits until a person's browser shows something. It forgets an interrupt that comes while it starts, and a second one would
// end it at once, without what it has not written yet.
func (k *keeper) awaitPage() {
	limit := time.After(pageLimit)
	for !k.launched.IsZero() && !chromium.Shown(k.Options.DataDir, k.launched) {
		select {
		case <-k.exited:
			return
		case <-limit:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// endProcess interrupts the browser and kills it when that was not enough.
func (k *keeper) endProcess(limit time.Duration) {
	_ = k.browser.Interrupt()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if k.browser.Wait(ctx) == nil {
		return
	}
	k.log.Warn("the browser did not end; killing it")
	_ = k.browser.Kill()
	_ = k.browser.Wait(context.Background())
}

func (k *keeper) gone(ctx context.Context) bool {
	select {
	case <-k.exited:
		return true
	case <-ctx.Done():
		return false
	}
}
