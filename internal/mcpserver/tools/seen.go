package tools

import (
	"fmt"
	"sync"

	"cove/internal/fault"
	"cove/internal/page"
	"cove/internal/snapshot/index"
)

// seenSnapshots are the snapshots that one agent has seen, so that the next one can be only what has changed.
type seenSnapshots struct {
	mu       sync.Mutex
	last     int // number of the last one
	byNumber map[int]seenSnapshot
}

// seenSnapshot is a snapshot that the agent has seen.
type seenSnapshot struct {
	number  int
	tab     *page.Tab
	version string
	shown   *index.Index
	whole   bool // it showed all of the page, or the changes since one that did
}

// Bounds of what an agent can compare with: how many snapshots, and how many lines they have together. The last two are
// always retained.
const (
	maxSnapshots     = 20
	maxSnapshotLines = 30_000
)

func (s *seenSnapshots) nextNumber() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	return s.last
}

// add retains a snapshot, unless it is a search through a whole library.
func (s *seenSnapshots) add(number int, one seenSnapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !one.whole && one.shown.Len() > maxSnapshotLines {
		return
	}

	if s.byNumber == nil {
		s.byNumber = map[int]seenSnapshot{}
	}
	s.byNumber[number] = one
	total := 0
	for n := number; n > 0 && n > number-maxSnapshots; n-- {
		if total += s.byNumber[n].shown.Len(); total > maxSnapshotLines && n < number-1 {
			delete(s.byNumber, n)
		}
	}
	delete(s.byNumber, number-maxSnapshots)
}

// get returns the snapshot of a page with this number; 0 is the last one of that page.
func (s *seenSnapshots) get(t *page.Tab, number int) (seenSnapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()

	for n := s.last; number == 0 && n > s.last-maxSnapshots; n-- {
		if s.byNumber[n].tab == t {
			number = n
		}
	}
	one, ok := s.byNumber[number]
	if !ok || one.tab != t {
		return seenSnapshot{}, fault.New(fault.CodeSnapshot,
			fmt.Sprintf("There is no snapshot %d of this page to compare with.", number), "Leave since out.")
	}
	return one, nil
}

// lastWhole returns the last snapshot of all of a page. It is empty when the agent has seen nothing of the page, or
// only parts of it.
func (s *seenSnapshots) lastWhole(t *page.Tab) seenSnapshot {
	s.mu.Lock()
	defer s.mu.Unlock()

	for n := s.last; n > s.last-maxSnapshots; n-- {
		if one, ok := s.byNumber[n]; ok && one.tab == t && one.whole {
			return one
		}
	}
	return seenSnapshot{}
}
