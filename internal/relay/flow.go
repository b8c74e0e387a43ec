package relay

import (
	"net/netip"
	"sync"

	"cove/internal/policy/site"
)

// flow is ongoing traffic to one origin: a connection, or a request on a shared connection.
type flow struct {
	origin site.Origin
	ip     netip.Addr // not valid if an upstream resolves names
	close  func()
}

// flows is a set of flows. It may be used from any goroutine.
type flows struct {
	mu  sync.Mutex
	all map[*flow]struct{}
}

// add adds a flow. It stays in the set until done is called.
func (s *flows) add(f *flow) (done func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.all == nil {
		s.all = map[*flow]struct{}{}
	}
	s.all[f] = struct{}{}

	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.all, f)
	}
}

// closeIf closes the flows for which match returns true.
func (s *flows) closeIf(match func(*flow) bool) {
	s.mu.Lock()
	var matched []*flow
	for f := range s.all {
		if match(f) {
			matched = append(matched, f)
		}
	}
	s.mu.Unlock()

	for _, f := range matched {
		f.close()
	}
}

// closeAll closes every flow.
func (s *flows) closeAll() { s.closeIf(func(*flow) bool { return true }) }
