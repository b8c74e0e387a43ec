package keeper

import (
	"context"
	"errors"
	"time"

	"cove/internal/chromium"
	"cove/internal/gate"
	"cove/internal/keeper/undo"
	"cove/internal/keeperclient"
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
		return k.orExited(err)
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

// prepareData restores what a hidden browser left when it was killed: the tabs of the last session that were apart, and
// half of an import. For a hidden browser it keeps the tabs apart, and prepares to undo what it will do.
func (k *keeper) prepareData() error {
	k.clearStages()
	dataDir := k.spec.Options.DataDir
	if err := undo.PutBack(dataDir); err != nil {
		return keeperclient.LaunchFault("An import that was interrupted cannot be taken back", err)
	}
	sort := chromium.PutTabsBack
	if k.maintains() {
		sort = chromium.PutTabsAside
	}
	if err := sort(dataDir); err != nil {
		return keeperclient.LaunchFault("The tabs of the last session cannot be put aside", err)
	}
	if !k.maintains() {
		return nil
	}
	if err := undo.Prepare(dataDir); err != nil {
		return keeperclient.LaunchFault("The cookies cannot be copied", err)
	}
	return nil
}

// restoreData restores the tabs after a hidden browser, and what it changed without an end. If it fails, the next start
// tries again.
func (k *keeper) restoreData() {
	err := errors.Join(chromium.PutTabsBack(k.spec.Options.DataDir), undo.PutBack(k.spec.Options.DataDir))
	if err != nil {
		k.log.Warn("the data from before a hidden browser could not be restored yet", "err", err)
	}
}
