package keeper

import (
	"context"
	"errors"
	"os"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/process"
	"cove/internal/session"
)

// Limits of the ways to end a browser. A person's browser ends only by an interrupt, which a page that asks before it
// closes can delay; after 35 seconds the browser has written its cookies on its own.
const (
	closeLimit     = 10 * time.Second
	interruptLimit = 5 * time.Second
	ordinaryLimit  = 35 * time.Second
	pageLimit      = 10 * time.Second
	flushLimit     = 500 * time.Millisecond
	checkLimit     = time.Second
)

// stop closes the browser without loss. It returns at once; exited is closed when the browser is gone.
func (k *keeper) stop() { k.stopThen(func() {}) }

// stopThen does the same and calls announced in between: everybody who asks hears that the profile is closing, and the
// browser is not closing yet.
func (k *keeper) stopThen(announced func()) {
	first := false
	k.stopOnce.Do(func() {
		first = true
		close(k.stopping)
		if s := k.server.get(); s.State == session.Open {
			s.State = session.Stopping
			k.server.set(s)
		}
	})
	announced()
	if first {
		go k.shutDown()
	}
}

// browserClosing notes that the browser has begun to exit on its own: from now on nobody is sent to its port.
func (k *keeper) browserClosing() {
	if k.server.markClosing() {
		_ = os.Remove(k.spec.Dir.ActivePort())
	}
}

// checkBrowser makes sure that the browser exists before anybody is told so. Nobody has noticed yet that it was
// killed a moment ago. A browser that hangs exists.
func (k *keeper) checkBrowser(ctx context.Context) {
	if k.server.get().State != session.Open {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	switch {
	case !k.shares() && k.browser.Dying():
		k.browserClosing()
	case k.mux != nil && errors.Is(k.mux.Call(ctx, "Browser.getVersion", nil, nil), cdp.ErrClosed):
		k.browserClosing()
	}
}

// shutDown never uses SIGTERM: the browser would lose the cookies of the last half minute.
func (k *keeper) shutDown() {
	if k.shares() {
		k.agents.flush(flushLimit)
		k.shared.letGo()
		return
	}
	if k.mux == nil {
		k.awaitPage()
		k.endProcess(ordinaryLimit)
		return
	}
	k.agents.flush(flushLimit) // the last step's screenshot, while the page exists
	ctx, cancel := context.WithTimeout(k.life, closeLimit)
	defer cancel()
	if err := k.mux.Call(ctx, "Browser.close", nil, nil); err != nil {
		k.log.Warn("the browser did not accept Browser.close", "err", err)
	}
	if k.gone(ctx) {
		return
	}
	k.log.Warn("the browser did not close; interrupting it")
	k.endProcess(interruptLimit)
}

// awaitPage waits until a person's browser shows a page. The browser forgets an interrupt that arrives while it
// starts, and a second one would end it at once, before it has written its data.
func (k *keeper) awaitPage() {
	limit := time.After(pageLimit)
	for !k.launched.IsZero() && !chromium.HasShownPage(k.spec.Options.DataDir, k.launched) {
		select {
		case <-k.exited:
			return
		case <-limit:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// endProcess interrupts the browser, and kills it after the limit.
func (k *keeper) endProcess(limit time.Duration) {
	_ = k.browser.Interrupt()
	life := context.WithoutCancel(k.life) // a keeper that ends must not kill a browser that is still closing
	ctx, cancel := context.WithTimeout(life, limit)
	defer cancel()
	if k.browser.Wait(ctx) == nil {
		return
	}
	k.log.Warn("the browser did not end; killing it")
	_ = k.browser.Kill()
	_ = k.browser.Wait(life)
}

// gone waits for the end of the browser. It reports false when ctx ends first.
func (k *keeper) gone(ctx context.Context) bool {
	select {
	case <-k.exited:
		return true
	case <-ctx.Done():
		return false
	}
}

// finish removes the keeper's files and tells everybody why the session is over.
func (k *keeper) finish(failed *fault.Error) {
	k.unfinished.Lock() // waits for the calls that outlive the browser
	defer k.unfinished.Unlock()
	if k.gate != nil {
		k.gate.Close()
	}
	k.closeRelay()
	end := k.endReason() // meanwhile agents that call are told that the browser has gone
	if failed != nil && failed.Code == fault.CodeAdoptRefused {
		end = session.Refused
	}
	if _, open := chromium.FindOwner(k.spec.Options.DataDir, process.ID{}); !open {
		chromium.ClearLocks(k.spec.Options.DataDir)
	}
	if k.maintains() {
		k.storage.Restore()
	}
	if failed != nil {
		k.server.awaitWatcher() // the app may not have connected yet to read the reason
	}
	keeperclient.RemoveRuntimeFiles(k.spec.Dir, k.record.Socket)

	k.agents.close(end)
	k.log.Info("closed", "end", end, "exit", k.exitCode)
	if !k.maintains() {
		k.events.event("closed", map[string]any{"end": end}, nil)
	}
	k.server.close(keeperclient.Status{State: session.Closed, End: end, Fault: failed})
}

// endReason says why the browser is gone.
func (k *keeper) endReason() session.EndReason {
	if k.shares() {
		return k.shareEnd()
	}
	select {
	case <-k.stopping:
		return session.Stopped
	default:
	}
	if k.exitCode == 0 {
		return session.Exited
	}
	return session.Crashed
}

func (k *keeper) closeRelay() {
	if k.relay != nil {
		k.relay.Close()
	}
}

// awaitExit closes exited when the browser is gone.
func (k *keeper) awaitExit(launched *chromium.Process) {
	switch {
	case k.shares():
		<-k.shared.ended
	case launched != nil:
		k.exitCode = launched.Wait()
	case k.browser.Wait(k.life) != nil:
		return // the keeper ends before the adopted browser
	}
	close(k.exited)
}
