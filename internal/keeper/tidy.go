package keeper

import (
	"runtime/debug"
	"sync"
	"time"
)

// Tidy gives memory back to the system a moment after the last large message: keepers and bridges live for days, and a picture
// or a long snapshot is handled in many copies.
type Tidy struct {
	mu    sync.Mutex
	timer *time.Timer
}

const (
	tidySize = 16 << 10
	tidyTime = time.Second
)

// Passed tells that a message of so many bytes was handled.
func (t *Tidy) Passed(bytes int) {
	if bytes < tidySize {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.timer == nil {
		t.timer = time.AfterFunc(tidyTime, debug.FreeOSMemory)
		return
	}
	t.timer.Reset(tidyTime)
}
