package process

import (
	"runtime/debug"
	"sync"
	"time"
)

// Scavenger returns freed memory to the system a moment after the last large message. Keepers and bridges live for
// days, and a screenshot or a long snapshot is copied many times on its way. The zero value is ready for use, from any
// goroutine.
type Scavenger struct {
	mu    sync.Mutex
	timer *time.Timer
}

const (
	largeMessage  = 16 << 10
	scavengePause = time.Second
)

// Handled says that a message of so many bytes was handled.
func (s *Scavenger) Handled(bytes int) {
	if bytes < largeMessage {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.timer == nil {
		s.timer = time.AfterFunc(scavengePause, debug.FreeOSMemory)
		return
	}
	s.timer.Reset(scavengePause)
}
