package keeper

import (
	"context"
	"log/slog"
	"runtime"
	"time"
)

// gauge writes into the log how much the keeper holds, for tests that look for what grows.
func gauge(ctx context.Context, log *slog.Logger, every time.Duration) {
	if every <= 0 {
		return
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			log.Info("gauge", "goroutines", runtime.NumGoroutine(), "heap", m.HeapAlloc)
		}
	}
}
