package keeper

import (
	"context"
	"errors"
	"fmt"

	"cove/internal/chromium"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/session"
)

var errExited = errors.New("the browser ended before it was ready")

// startFault explains a start that failed.
func (k *keeper) startFault(err error) *fault.Error {
	stopped := false
	select {
	case <-k.stopping:
		stopped = true
	default:
	}
	switch {
	case stopped && k.shares():
		return session.ErrShareStopped(k.spec.ID)
	case stopped:
		return fault.New(fault.CodeStopped, "The profile was stopped while it was starting.",
			"Start it again.")
	case k.shares() && fault.KindOf(err) == fault.Internal && errors.Is(err, context.DeadlineExceeded):
		return session.ErrShareLate(k.spec.ID).Because(err)
	case k.shares():
		return fault.From(external.Lost(err))
	}
	output := k.browser.output()
	select {
	case <-k.browser.exited:
		return k.exitFault(output).Because(err)
	default:
	}
	f := keeperclient.LaunchFault("The browser did not become ready", err)
	if f.Code == fault.CodeDiskFull || output == "" {
		return f
	}
	return fault.New(fault.CodeBrowserLaunch,
		fmt.Sprintf("The browser did not become ready: %v. Last output: %s", err, output),
		"Start it again; the whole log is "+k.spec.Dir.BrowserLog()).Because(err)
}

// exitFault says why a browser ended before it was ready.
func (k *keeper) exitFault(output string) *fault.Error {
	// Code 0 right away may be a second browser that handed its pages to the first, and 21 says the same. A browser
	// that loses its display ends with 0, too. So the code counts only if another browser has the folder.
	code := k.browser.exitCode
	if (code == 0 || code == 21) && chromium.LockedByOther(k.spec.Options.DataDir, k.browser.ID) {
		return fault.New(fault.CodeProfileLocked, "Another browser has the profile's data folder open.",
			"Close that browser, then start the profile again.")
	}
	if output == "" {
		output = "none"
	}
	text := fmt.Sprintf("The browser ended with code %d before it was ready. Last output: %s", code, output)
	hint := "Check the browser and the profile's extra arguments; the whole log is " + k.spec.Dir.BrowserLog()
	if !k.spec.Options.Headless && (k.browser.display == "" || chromium.Display() != k.browser.display) {
		text = fmt.Sprintf("The display went away while the browser was starting, and the browser ended with code %d."+
			" Last output: %s", code, output)
		hint = "Start it again where there is a display, or without a window:" +
			" cove start " + k.spec.ID.String() + " --headless"
	}
	return fault.New(fault.CodeBrowserLaunch, text, hint)
}
