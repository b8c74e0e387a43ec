package picture

import (
	"sync"
	"time"
)

// Moment is what a tab showed at one time.
type Moment struct {
	Image []byte
	At    time.Time
	// Page is the address that the tab had.
	Page string
}

// Last remembers the last picture of each tab, so that a step can have the page as it was before. Its methods may be
// called from any goroutine.
type Last struct {
	mu    sync.Mutex
	byTab map[string]Moment
	acts  map[string]int // how many acting steps have begun in a tab
}

// Begin counts an acting step that begins in a tab, and returns its number there. A picture that is captured while
// another number is the Current one is not of the page as this step left it.
func (l *Last) Begin(tab string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.acts == nil {
		l.acts = map[string]int{}
	}
	l.acts[tab]++
	return l.acts[tab]
}

// Current returns the number of the last acting step that has begun in a tab.
func (l *Last) Current(tab string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.acts[tab]
}

// maxTabs is how many tabs have a last picture.
const maxTabs = 16

// Set remembers a picture of a tab. It forgets the oldest one when there are too many.
func (l *Last) Set(tab string, t Moment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.byTab == nil {
		l.byTab = map[string]Moment{}
	}
	l.byTab[tab] = t
	if len(l.byTab) <= maxTabs {
		return
	}

	oldest := tab
	for id, one := range l.byTab {
		if one.At.Before(l.byTab[oldest].At) {
			oldest = id
		}
	}
	delete(l.byTab, oldest)
}

// Forget forgets the pictures of a tab. Those that are being captured are of no step that is still the current one.
func (l *Last) Forget(tab string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byTab, tab)
	if l.acts[tab] > 0 {
		l.acts[tab]++
	}
}

// Of returns the last picture of a tab. It returns false if there is none.
func (l *Last) Of(tab string) (Moment, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, ok := l.byTab[tab]
	return t, ok
}

// oldTime is how old the last picture of a tab may become while one step follows another.
const oldTime = time.Second

// Old reports whether a tab has no picture of the last moments.
func (l *Last) Old(tab string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.byTab[tab].At) > oldTime
}
