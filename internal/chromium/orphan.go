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

// EndOrphan waits until a browser is gone whose keeper is dead. Its pipe is closed, so it exits on its own; one that
// hangs is interrupted, and then killed. If ctx ends first, EndOrphan leaves the browser as it is and returns an error.
// The caller makes sure that the browser has no other keeper.
func EndOrphan(ctx context.Context, browser process.ID, log *slog.Logger) error {
	for _, step := range []struct {
		limit time.Duration
		end   func() error
	}{{orphanLimit, browser.Interrupt}, {interruptLimit, browser.Kill}} {
		wait, cancel := context.WithTimeout(ctx, step.limit)
		err := browser.Wait(wait)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		log.Warn("the browser of a dead keeper does not exit; ending it", "browser", browser.PID)
		_ = step.end()
	}
	return browser.Wait(ctx)
}
