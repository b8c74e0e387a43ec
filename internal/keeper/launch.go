package keeper

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/gate"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/relay"
	"cove/internal/session"
)

// claim makes sure that nobody else has the data folder. True means that a person's browser has it, which we take on.
func (k *keeper) claim(previous Record) (adopt bool, err error) {
	holder, held := chromium.FindHolder(k.Options.DataDir, previous.Browser)
	switch {
	case !held:
	case holder.Host != "":
		return false, fault.New(fault.Conflict, "E_PROFILE_LOCKED", fmt.Sprintf("The profile's data folder is locked by a browser on the computer %q.", holder.Host),
			"Close that browser. If there is none, remove the file "+k.Options.DataDir+string(os.PathSeparator)+"SingletonLock")
	case !holder.Debugged:
		k.browser = holder.ID
		return true, nil
	default:
		// Its keeper died, so its pipe is cut and it is closing. We hold the keeper's lock: nobody else owns it.
		k.log.Warn("waiting for the browser of a dead keeper", "browser", holder.PID)
		k.browser = holder.ID
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if holder.Wait(ctx) != nil {
			k.endProcess(5 * time.Second)
		}
	}
	chromium.ClearLocks(k.Options.DataDir)
	_ = os.Remove(k.Dir.ActivePort())
	return false, nil
}

// adopt takes on a person's browser whose keeper is gone.
func (k *keeper) adopt(previous Record) {
	k.record.Mode, k.record.Browser = session.Ordinary, k.browser
	if previous.Browser == k.browser {
		k.record.RunID, k.record.Headless, k.record.Relay = previous.RunID, previous.Headless, previous.Relay
	}
	k.journal = journal.Nothing{}
	k.log.Info("adopted an ordinary browser", "browser", k.browser.PID)
	if k.record.Relay == 0 || !credentials(k.Proxy) {
		return
	}
	var err error
	if k.relay, err = relay.Listen(relay.Config{Upstream: k.Proxy, Port: k.record.Relay, Log: k.log}); err != nil {
		k.log.Error("the adopted browser has no way to its proxy", "err", err)
	}
}

// launch starts the browser.
func (k *keeper) launch() (*chromium.Process, error) {
	o := &k.Options
	o.Pipe = k.Want.Mode == session.Automation
	if err := k.openRelay(); err != nil {
		return nil, err
	}
	if o.Restored = !k.Want.NoTabs && chromium.Tabs(o.DataDir); !o.Restored {
		if err := chromium.ForgetTabs(o.DataDir); err != nil {
			return nil, launchFault("The tabs of the last session cannot be put aside", err)
		}
	}
	if k.Want.NoTabs {
		o.Pages = nil
	}
	// The browser's own words, from this start on.
	log, err := os.OpenFile(k.Dir.BrowserLog(), os.O_CREATE|os.O_TRUNC|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, launchFault("The browser's log cannot be written", err)
	}
	defer func() { _ = log.Close() }()
	k.launched = time.Now()
	p, err := chromium.Launch(k.Browser, *o, log)
	if err != nil {
		return nil, launchFault("The browser does not start", err)
	}
	k.browser, k.record.Browser = p.ID, p.ID
	if p.Out != nil {
		k.mux = gate.NewMux(cdp.NewPipe(p.Out, p.In), k.log, k.stopThen)
	}
	go k.trimBrowserLog()
	return p, nil
}

// openRelay puts our relay between the browser and the network: always for agents, so that a rule set later is in force at once; for a
// person only where the profile's proxy has a password.
func (k *keeper) openRelay() error {
	o := &k.Options
	c := relay.Config{Upstream: k.Proxy, Log: k.log}
	switch {
	case o.Pipe:
		c.Desk, c.Own = k.enforcer, k.ownPort
	case credentials(k.Proxy):
	default:
		o.Proxy = k.Proxy.Address()
		return nil
	}
	var err error
	if k.relay, err = relay.Listen(c); err != nil {
		return launchFault("The browser's way to the network cannot be opened", err)
	}
	if k.record.Relay = k.relay.Port; o.Pipe {
		o.Relay = chromium.Relay{Scheme: k.relay.Scheme(), Port: k.relay.Port}
	} else {
		o.Proxy = k.relay.Address()
	}
	return nil
}

// ownPort tells the app's port and that of this profile's gate: pages never reach them.
func (k *keeper) ownPort(port int) bool {
	if g := k.gatePort.Load(); g != 0 && int(g) == port {
		return true
	}
	var app struct {
		Port int `json:"api_port"`
	}
	raw, err := os.ReadFile(k.Dir.Home().AppFile())
	return err == nil && json.Unmarshal(raw, &app) == nil && app.Port == port
}

// trimBrowserLog keeps a talkative browser from filling the disk.
func (k *keeper) trimBrowserLog() {
	const most = 10 << 20
	for {
		select {
		case <-k.exited:
			return
		case <-time.After(time.Minute):
		}
		if info, err := os.Stat(k.Dir.BrowserLog()); err == nil && info.Size() > most {
			_ = os.Truncate(k.Dir.BrowserLog(), 0)
		}
	}
}

var errExited = errors.New("the browser ended before it was ready")

// ready waits until the browser can be used.
func (k *keeper) ready(ctx context.Context, launched *chromium.Process) error {
	switch {
	case launched == nil:
		return nil
	case k.mux != nil:
		return k.readyToDrive(ctx)
	default:
		return k.readyToUse(ctx)
	}
}

// showLimit is how long a person's browser is waited for that has its folder and shows nothing yet: a slow one is open all the same.
const showLimit = 3 * time.Second

// readyToUse waits until the browser has taken its data folder and begun to show a page; ordinary mode tells no more. The folder alone is too
// early: a browser that finds no display takes it first, and ends.
func (k *keeper) readyToUse(ctx context.Context) error {
	var holds time.Time
	for {
		if holds.IsZero() && chromium.Holds(k.Options.DataDir, k.browser) {
			holds = time.Now()
		}
		if !holds.IsZero() && (chromium.Shown(k.Options.DataDir, k.launched) || time.Since(holds) > showLimit) {
			return nil
		}
		select {
		case <-k.exited:
			return errExited
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// lastWords is the end of what the browser has said, short enough for a message.
func (k *keeper) lastWords() string {
	lines, _ := paths.Tail(k.Dir.BrowserLog(), 5)
	words := []rune(strings.Join(lines, " · "))
	return string(words[max(0, len(words)-1500):])
}

// startFault puts a failed start into words.
func (k *keeper) startFault(err error) *fault.Error {
	select {
	case <-k.asked:
		return fault.New(fault.Conflict, "E_STOPPED", "The profile was stopped while it was starting.", "Start it again.")
	default:
	}
	words := k.lastWords()
	select {
	case <-k.exited:
		return k.exitFault(words).Because(err)
	default:
	}
	if f := launchFault("The browser did not become ready", err); f.Code == "E_DISK_FULL" || words == "" {
		return f
	}
	return fault.New(fault.Internal, "E_BROWSER_LAUNCH", fmt.Sprintf("The browser did not become ready: %v. Its last words: %s", err, words),
		"Start it again; the whole log is "+k.Dir.BrowserLog()).Because(err)
}

// exitFault says why a browser ended before it was ready.
func (k *keeper) exitFault(words string) *fault.Error {
	// 0 right away may be a second browser that handed its pages to the first; 21 says the same. But a browser that loses its display ends with 0,
	// too: so it counts only if somebody else has the folder.
	if (k.code == 0 || k.code == 21) && chromium.Taken(k.Options.DataDir, k.browser) {
		return fault.New(fault.Conflict, "E_PROFILE_LOCKED", "Another browser has the profile's data folder open.", "Close that browser, then start the profile again.")
	}
	if words == "" {
		words = "none"
	}
	text, hint := fmt.Sprintf("The browser ended with code %d before it was ready. Its last words: %s", k.code, words), "Check the browser and the profile's extra arguments; the whole log is "+k.Dir.BrowserLog()
	if !k.Options.Headless && !chromium.HasDisplay() {
		text = fmt.Sprintf("The display went away while the browser was starting, and the browser ended with code %d. Its last words: %s", k.code, words)
		hint = "Start it again where there is a display, or without a window: cove start " + k.ID.String() + " --headless"
	}
	return fault.New(fault.Internal, "E_BROWSER_LAUNCH", text, hint)
}
