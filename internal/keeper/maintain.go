package keeper

import (
	"context"
	"time"

	"cove/internal/gate"
	"cove/internal/session"
)

// drives reports whether this keeper has the browser's pipe: the browser ends with it.
func (k *keeper) drives() bool { return k.record.Mode == session.Automation || k.maintains() }

// maintains reports whether the browser is open only so that Cove can read or write the data of a closed profile. It
// is hidden and has no network, no gate and no agents.
func (k *keeper) maintains() bool {
	return k.spec.Requested.Mode == session.Maintenance && k.record.Mode != session.Ordinary
}

// readyToMaintain waits until the browser answers. Its data needs no page.
func (k *keeper) readyToMaintain(ctx context.Context) error {
	newDriver(k.mux) // it receives what belongs to nobody else
	go func() {
		_ = k.mux.Run()
		k.browserClosing()
	}()
	var version gate.Version
	if err := k.mux.Call(ctx, "Browser.getVersion", nil, &version); err != nil {
		return k.browser.orExited(err)
	}
	k.version = version
	return nil
}

// maintainLimit bounds the life of a hidden browser, whatever its app does.
const maintainLimit = 5 * time.Minute

// endWithApp closes a hidden browser whose app is gone: nobody else would.
func (k *keeper) endWithApp() {
	ctx, cancel := context.WithTimeout(k.life, maintainLimit)
	defer cancel()
	if k.spec.App.PID != 0 {
		_ = k.spec.App.Wait(ctx)
	} else {
		<-ctx.Done()
	}
	k.unfinished.Lock() // what was begun is made whole: half of an import is another login
	defer k.unfinished.Unlock()
	k.stop()
}
