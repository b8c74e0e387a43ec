package keeper

import (
	"context"
	"log/slog"
	"runtime"
	"time"
)

// logMemstats logs the number of goroutines and the size of the heap, for tests that look for leaks.
func logMemstats(ctx context.Context, log *slog.Logger, every time.Duration) {
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
			log.Info("memstats", "goroutines", runtime.NumGoroutine(), "heap", m.HeapAlloc)
		}
	}
}
