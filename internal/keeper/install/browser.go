package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/chromium/oneshot"
	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/process"
)

// browser is a browser without a window that only installs extensions.
type browser struct {
	*oneshot.Browser
	session string // of its page of extensions
}

// closeLimit bounds each way to end the browser.
const closeLimit = 10 * time.Second

// inBrowser runs do in a browser on the profile's data folder, and closes that browser. It has no network: what
// extensions do there would come from a browser without a window, with the profile's cookies.
func inBrowser(c Config, do func(*browser) error) error {
	o := c.Options
	o.Install, o.Offline = true, true
	b, err := oneshot.Start(c.Browser, o, c.Output)
	if err != nil {
		return err
	}
	err = do(&browser{Browser: b})
	if closed := b.Close(closeLimit); closed != nil {
		c.Log.Warn("the browser that installs extensions did not close well", "err", closed)
	}
	if _, open := chromium.FindOwner(o.DataDir, process.ID{}); !open {
		chromium.ClearLocks(o.DataDir)
	}
	return err
}

// change installs, enables, disables and removes, so that the browser has what is wanted.
func (b *browser) change(ctx context.Context, had, want []extension.Install) error {
	if err := b.openPage(ctx); err != nil {
		return err
	}
	// Without it the browser disables extensions of folders at its next start.
	const developerMode = `chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})`
	if len(want) > 0 {
		if err := b.evaluate(ctx, developerMode); err != nil {
			return err
		}
	}
	for _, e := range had {
		if !slices.ContainsFunc(want, func(w extension.Install) bool { return w.BrowserID == e.BrowserID }) {
			if err := b.uninstall(ctx, e); err != nil {
				return err
			}
		}
	}
	var loaded []extension.Install
	for _, e := range want {
		i := slices.IndexFunc(had, func(h extension.Install) bool { return h.BrowserID == e.BrowserID })
		if i < 0 && !e.Enabled {
			continue // nothing of it runs before it is enabled
		}
		// The person can disable an extension in the browser, too. That stays.
		toggle := i < 0 || had[i].Enabled != e.Enabled
		isNew, err := b.apply(ctx, e, toggle)
		if err != nil {
			return err
		}
		if isNew {
			loaded = append(loaded, e)
		}
	}
	return b.keep(ctx, loaded)
}

// keep makes the browser keep what was loaded over the protocol. In version 156 of Chromium such an extension is gone
// after a restart, unless the page of extensions reloads it. Before that, a new one handles its installation.
func (b *browser) keep(ctx context.Context, loaded []extension.Install) error {
	b.awaitWorkers(ctx, loaded, beginLimit)
	for _, e := range loaded {
		if err := b.evaluate(ctx, fmt.Sprintf("chrome.developerPrivate.reload(%q, {failQuietly: false})",
			e.BrowserID)); err != nil {
			return err
		}
	}
	b.awaitWorkers(ctx, loaded, againLimit)
	return nil
}

// openPage opens the browser's own page of extensions, which alone can enable and disable them.
func (b *browser) openPage(ctx context.Context) error {
	var created struct{ TargetID string }
	if err := b.Call(ctx, "", "Target.createTarget", map[string]any{"url": "chrome://extensions/"},
		&created); err != nil {
		return err
	}
	var attached struct{ SessionID string }
	if err := b.Call(ctx, "", "Target.attachToTarget",
		map[string]any{"targetId": created.TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	b.session = attached.SessionID
	for ctx.Err() == nil { // the page loads
		if b.evaluate(ctx, `chrome.developerPrivate.getProfileConfiguration()`) == nil {
			return nil
		}
		pause(ctx, 20*time.Millisecond)
	}
	return errors.New("the browser's page of extensions does not open")
}

// evaluate runs a script in the page of extensions and waits for its promise.
func (b *browser) evaluate(ctx context.Context, script string) error {
	var result struct{ ExceptionDetails *struct{ Text string } }
	err := b.Call(ctx, b.session, "Runtime.evaluate",
		map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &result)
	if err == nil && result.ExceptionDetails != nil {
		err = errors.New("the browser's page of extensions refused: " + result.ExceptionDetails.Text)
	}
	return err
}

// apply installs an extension in its present version. With toggle it also enables or disables it. isNew reports that
// the browser did not have this version.
func (b *browser) apply(ctx context.Context, e extension.Install, toggle bool) (isNew bool, err error) {
	there, err := b.installed(ctx)
	if err != nil {
		return false, err
	}
	if isNew = e.Enabled && there[e.BrowserID].Path != e.Path; isNew {
		if err := b.load(ctx, e); err != nil {
			return false, err
		}
		if there, err = b.installed(ctx); err != nil {
			return false, err
		}
	}
	if one, ok := there[e.BrowserID]; !toggle || !ok || one.Enabled == e.Enabled {
		return isNew, nil
	}
	return isNew, b.evaluate(ctx, fmt.Sprintf("chrome.management.setEnabled(%q, %t)", e.BrowserID, e.Enabled))
}

// load installs a folder as an extension.
func (b *browser) load(ctx context.Context, e extension.Install) error {
	var loaded struct{ ID string }
	err := b.Call(ctx, "", "Extensions.loadUnpacked", map[string]any{"path": e.Path}, &loaded)
	var refusal *cdp.Error
	if errors.As(err, &refusal) {
		return fault.New(fault.CodeExtension,
			fmt.Sprintf("The browser does not accept the extension %q: %s.", e.Name,
				strings.TrimSuffix(refusal.Message, ".")),
			"Get a version that fits this browser, or disable it in the profile: cove extension disable ID PROFILE")
	}
	if err != nil {
		return err
	}
	if loaded.ID != e.BrowserID {
		return fmt.Errorf("the browser calls the extension %s and not %s", loaded.ID, e.BrowserID)
	}
	return nil
}

// unpacked is an extension of a folder, as the browser has it.
type unpacked struct {
	ID, Path string
	Enabled  bool
}

// installed returns the extensions of folders by their ids.
func (b *browser) installed(ctx context.Context) (map[string]unpacked, error) {
	var list struct{ Extensions []unpacked }
	if err := b.Call(ctx, "", "Extensions.getExtensions", nil, &list); err != nil {
		return nil, err
	}
	there := map[string]unpacked{}
	for _, e := range list.Extensions {
		there[e.ID] = e
	}
	return there, nil
}

// uninstall removes an extension with everything that it stored.
func (b *browser) uninstall(ctx context.Context, e extension.Install) error {
	there, err := b.installed(ctx)
	if err != nil {
		return err
	}
	if _, ok := there[e.BrowserID]; !ok {
		// Its copy may be gone, and then the browser knows nothing of it but its data. An empty extension of the same
		// id takes that over.
		if err := b.loadEmpty(ctx, e); err != nil {
			return err
		}
	}
	return b.Call(ctx, "", "Extensions.uninstall", map[string]any{"id": e.BrowserID}, nil)
}

// loadEmpty installs an extension of that id which does nothing.
func (b *browser) loadEmpty(ctx context.Context, e extension.Install) error {
	dir, err := os.MkdirTemp("", "cove-extension-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	raw, err := json.Marshal(map[string]any{"manifest_version": 3, "name": e.Name, "version": "0", "key": e.Key})
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "manifest.json"), raw, 0o600); err != nil {
		return err
	}
	e.Path = dir
	return b.load(ctx, e)
}

// Limits of the wait for new extensions: until their background code has begun, the first time and after that, and for
// what it does then.
const (
	beginLimit = 10 * time.Second
	againLimit = 3 * time.Second
	settleTime = 700 * time.Millisecond
)

// awaitWorkers gives new extensions the time to handle their installation, which a browser tells them once.
func (b *browser) awaitWorkers(ctx context.Context, started []extension.Install, limit time.Duration) {
	started = slices.DeleteFunc(slices.Clone(started), func(e extension.Install) bool { return !e.Background })
	if len(started) == 0 {
		return
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	sessions := b.workers(waiting, started)
	b.await(waiting, sessions, "!self.registration || registration.active?.state === 'activated'")
	// On a machine where they were slow to begin, what they do next is slow, too.
	pause(waiting, max(settleTime, time.Since(began)/2))
	b.await(waiting, sessions, "true")
}

// workers waits until the background code of all extensions is there, and returns sessions of it.
func (b *browser) workers(ctx context.Context, started []extension.Install) (sessions []string) {
	for _, e := range started {
		target := ""
		for ctx.Err() == nil && target == "" {
			if target = b.background(ctx, e); target == "" {
				pause(ctx, 30*time.Millisecond)
			}
		}
		var attached struct{ SessionID string }
		if b.Call(ctx, "", "Target.attachToTarget",
			map[string]any{"targetId": target, "flatten": true}, &attached) == nil {
			sessions = append(sessions, attached.SessionID)
		}
	}
	return sessions
}

// background returns the target of an extension's background code; "" if there is none yet.
func (b *browser) background(ctx context.Context, e extension.Install) string {
	var list struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	if b.Call(ctx, "", "Target.getTargets", nil, &list) != nil {
		return ""
	}
	for _, t := range list.TargetInfos {
		if strings.HasPrefix(t.URL, "chrome-extension://"+e.BrowserID+"/") {
			return t.TargetID
		}
	}
	return ""
}

// answerLimit is how long a busy thread may take to answer before it is asked again. It forgets what it is asked while
// it begins.
const answerLimit = time.Second

// await waits until an expression is true in background code. Busy code answers when it is done.
func (b *browser) await(ctx context.Context, sessions []string, expression string) {
	for _, session := range sessions {
		for ctx.Err() == nil && !b.isTrue(ctx, session, expression) {
			pause(ctx, 30*time.Millisecond)
		}
	}
}

func (b *browser) isTrue(ctx context.Context, session, expression string) bool {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var result struct{ Result struct{ Value any } }
	err := b.Call(ctx, session, "Runtime.evaluate", map[string]any{"expression": expression}, &result)
	return err == nil && result.Result.Value == true
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
