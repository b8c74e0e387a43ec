package keeper

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/keeper/install"
	"cove/internal/keeper/undo"
	"cove/internal/keeperclient"
	"cove/internal/relay"
	"cove/internal/session"
)

// claim makes sure that no other browser has the data folder. It reports true when a person's browser has it, which
// this keeper adopts.
func (k *keeper) claim(previous keeperclient.Record) (adopt bool, err error) {
	if k.shares() { // there is no browser of the profile's own
		_ = os.Remove(k.spec.Dir.ActivePort())
		return false, nil
	}
	dataDir := k.spec.Options.DataDir
	owner, open := chromium.FindOwner(dataDir, previous.Browser)
	if !open && chromium.HasTabsAside(dataDir) {
		// A keeper was killed while its browser installed extensions. That browser may not have locked the folder yet,
		// and would take the tabs once they are put back.
		owner, open = chromium.FindStarting(dataDir)
	}
	switch {
	case !open:
	case owner.Host != "":
		return false, fault.New(fault.CodeProfileLocked,
			fmt.Sprintf("The profile's data folder is locked by a browser on the computer %q.", owner.Host),
			"Close that browser. If there is none, remove the file "+filepath.Join(dataDir, "SingletonLock"))
	case !owner.Debugged:
		k.browser.ID = owner.ID
		return true, nil
	default:
		// Its keeper died, so its pipe is closed and it is exiting. This keeper holds the profile's lock: nobody else
		// owns that browser.
		k.log.Warn("waiting for the browser of a dead keeper", "browser", owner.PID)
		if err := chromium.EndOrphan(k.life, owner.ID, k.log); err != nil {
			return false, err
		}
	}
	chromium.ClearLocks(dataDir)
	_ = os.Remove(k.spec.Dir.ActivePort())
	return false, nil
}

// adopt takes charge of a person's browser whose keeper is gone.
func (k *keeper) adopt(previous keeperclient.Record) {
	k.record.Mode, k.record.Browser = session.Ordinary, k.browser.ID
	if previous.Browser == k.browser.ID {
		k.record.RunID, k.record.Headless, k.record.Relay = previous.RunID, previous.Headless, previous.Relay
	}
	k.events.discard()
	// It has used the data since, so what is there counts.
	if err := undo.Commit(k.spec.Options.DataDir); err != nil {
		k.log.Warn("the copy from before an import could not be removed", "err", err)
	}
	k.log.Info("adopted an ordinary browser", "browser", k.browser.PID)
	// Without a proxy there is no relay: a browser that was opened with one gets errors, and never a direct connection.
	if k.record.Relay == 0 || !k.spec.Proxy.Set() {
		return
	}
	var err error
	k.relay, err = relay.Listen(relay.Config{Upstream: k.spec.Proxy, Port: k.record.Relay, Log: k.log})
	if err != nil {
		k.log.Error("the adopted browser has no way to its proxy", "err", err)
	}
}

// launch starts the browser.
func (k *keeper) launch(ctx context.Context) (*chromium.Process, error) {
	o := &k.spec.Options
	o.Pipe = k.spec.Requested.Mode != session.Ordinary
	if err := k.openRelay(); err != nil {
		return nil, err
	}
	if err := k.storage.Prepare(); err != nil {
		return nil, err
	}
	// The log of the browser begins anew with each start.
	log, err := os.OpenFile(k.spec.Dir.BrowserLog(), os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, keeperclient.LaunchFault("The browser's log cannot be written", err)
	}
	defer func() { _ = log.Close() }()
	if err := k.installExtensions(ctx, log); err != nil {
		return nil, err
	}
	if o.Restored = !k.spec.Requested.NoTabs && chromium.HasTabs(o.DataDir); !o.Restored {
		if err := chromium.RemoveTabs(o.DataDir); err != nil {
			return nil, keeperclient.LaunchFault("The tabs of the last session cannot be put aside", err)
		}
	}
	if k.spec.Requested.NoTabs {
		o.Pages = nil
	}

	k.browser.launched, k.browser.display = time.Now(), chromium.Display()
	p, err := chromium.Launch(k.spec.Browser, *o, log)
	if err != nil {
		return nil, keeperclient.LaunchFault("The browser does not start", err)
	}

	k.browser.ID, k.record.Browser = p.ID, p.ID
	if p.Out != nil {
		k.mux = mux.New(cdp.NewPipe(p.Out, p.In), k.log, k.stopThen)
	}
	go k.browser.trimLog(k.life)
	return p, nil
}

// installExtensions makes the browser's extensions those of the profile. A browser that only reads or writes cookies
// keeps those that it has.
func (k *keeper) installExtensions(ctx context.Context, log *os.File) error {
	if k.maintains() {
		return nil
	}
	return install.Run(ctx, install.Config{
		Dir: k.spec.Dir, Browser: k.spec.Browser, Options: k.spec.Options, Want: k.spec.Extensions, Output: log,
		Log: k.log,
	})
}

// openRelay puts a relay between the browser and the network. Agents' browsers always have one, so that a rule that
// is set later holds at once. A person's browser has one only where it cannot use the profile's proxy itself.
func (k *keeper) openRelay() error {
	o := &k.spec.Options
	c := relay.Config{Upstream: k.spec.Proxy, Log: k.log}
	switch {
	case k.maintains():
		o.Offline = true
		return nil
	case o.Pipe:
		c.Enforcer, c.Own = k.enforcer, k.ports.contains
	case needsRelay(k.spec.Proxy):
	default:
		o.Proxy = k.spec.Proxy.Address()
		return nil
	}
	var err error
	if k.relay, err = relay.Listen(c); err != nil {
		return keeperclient.LaunchFault("The browser's way to the network cannot be opened", err)
	}
	if k.record.Relay = k.relay.Port(); o.Pipe {
		o.Relay = chromium.Relay{Scheme: k.relay.Scheme(), Port: k.relay.Port()}
	} else {
		o.Proxy = k.relay.Address()
	}
	return nil
}
