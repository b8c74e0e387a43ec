package chromium

import (
	"context"
	"log/slog"
	"time"

	"cove/internal/process"
)

// The time that a browser without a keeper has to exit, and then to close what it has open.
const (
	orphanLimit    = 10 * time.Second
	interruptLimit = 5 * time.Second
)

// EndOrphan waits until a browser is gone whose keeper is dead. Its pipe is closed, so it exits on its own. One that
// hangs is ended. The caller makes sure that the browser has no other keeper.
func EndOrphan(ctx context.Context, browser process.ID, log *slog.Logger) {
	gone := func(limit time.Duration) bool {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		return browser.Wait(ctx) == nil
	}
	if gone(orphanLimit) {
		return
	}
	log.Warn("the browser of a dead keeper does not end by itself", "browser", browser.PID)
	_ = browser.Interrupt()
	if gone(interruptLimit) {
		return
	}
	_ = browser.Kill()
	gone(interruptLimit)
}
