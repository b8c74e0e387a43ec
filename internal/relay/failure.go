package relay

import (
	"sync"

	"cove/internal/policy/site"
)

// failure is why traffic to an origin did not go through: the rule that refused it, or how the connection failed.
type failure struct{ rule, err string }

// failures remembers the last failure of each origin, for whoever asked for the page. It may be used from any
// goroutine.
type failures struct {
	mu       sync.Mutex
	byOrigin map[hostPort]failure
}

type hostPort struct {
	host string
	port int
}

// maxFailures bounds how many failures are remembered. Beyond it all are forgotten.
const maxFailures = 500

// put remembers a failure. It reports whether it differs from the last one of the origin.
func (s *failures) put(o site.Origin, f failure) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byOrigin == nil || len(s.byOrigin) >= maxFailures {
		s.byOrigin = map[hostPort]failure{}
	}
	at := hostPort{o.Host, o.Port}
	last := s.byOrigin[at]
	s.byOrigin[at] = f

	return last != f
}

func (s *failures) get(o site.Origin) failure {
	s.mu.Lock()
	defer s.mu.Unlock()

	return s.byOrigin[hostPort{o.Host, o.Port}]
}

// clear forgets the failure of an origin that was reached.
func (s *failures) clear(o site.Origin) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.byOrigin, hostPort{o.Host, o.Port})
}

func (s *failures) clearAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.byOrigin = nil
}
