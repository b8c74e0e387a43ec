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
		k.browser.awaitPage(k.spec.Options.DataDir)
		k.browser.end(k.life, ordinaryLimit)
		return
	}
	k.agents.flush(flushLimit) // the last step's screenshot, while the page exists
	ctx, cancel := context.WithTimeout(k.life, closeLimit)
	defer cancel()
	if err := k.mux.Call(ctx, "Browser.close", nil, nil); err != nil {
		k.log.Warn("the browser did not accept Browser.close", "err", err)
	}
	if k.browser.gone(ctx) {
		return
	}
	k.log.Warn("the browser did not close; interrupting it")
	k.browser.end(k.life, interruptLimit)
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
	k.log.Info("closed", "end", end, "exit", k.browser.exitCode)
	if !k.maintains() {
		k.events.event("closed", map[string]any{"end": end}, nil)
	}
	k.server.close(keeperclient.Status{State: session.Closed, End: end, Fault: failed})
}

// endReason says why the browser is gone.
func (k *keeper) endReason() session.EndReason {
	if k.shares() {
		return k.shared.endReason()
	}
	select {
	case <-k.stopping:
		return session.Stopped
	default:
	}
	if k.browser.exitCode == 0 {
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
		k.browser.exitCode = launched.Wait()
	case k.browser.Wait(k.life) != nil:
		return // the keeper ends before the adopted browser
	}
	close(k.browser.exited)
}
