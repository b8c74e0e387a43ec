package relay

import (
	"sync"

	"cove/internal/policy/site"
)

// failure is why traffic to an origin failed: the rule that refused it, or the error of the connection.
type failure struct{ rule, err string }

// failures remembers the last failure of each origin, for LastFailure. It may be used from any goroutine.
type failures struct {
	mu       sync.Mutex
	byOrigin map[hostPort]failure
}

type hostPort struct {
	host string
	port int
}

// maxFailures bounds how many failures are remembered. When there are more, all are forgotten.
const maxFailures = 500

// put remembers a failure and reports whether it differs from the origin's last one.
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
