package signin

import (
	"sync"
	"time"
)

// unlockLife is how long a window can go on without sending the PIN again.
const unlockLife = 15 * time.Minute

// Unlocks remembers the windows that have sent the PIN.
type Unlocks struct {
	mu    sync.Mutex
	until map[string]time.Time
}

// Add lets a window go on without the PIN for a while.
func (u *Unlocks) Add(window string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	now := time.Now()
	if u.until == nil {
		u.until = map[string]time.Time{}
	}
	for w, until := range u.until {
		if now.After(until) {
			delete(u.until, w)
		}
	}
	u.until[window] = now.Add(unlockLife)
}

// Has reports whether a window can go on without the PIN. The empty name is a program, which never can.
func (u *Unlocks) Has(window string) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return window != "" && time.Now().Before(u.until[window])
}

// Forget locks every window, because the PIN has changed.
func (u *Unlocks) Forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.until = nil
}
