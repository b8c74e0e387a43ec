package relay

import (
	"net/netip"
	"sync"

	"cove/internal/policy"
)

// refusal is why traffic is not let through.
type refusal struct{ rule string }

func (r *refusal) Error() string { return r.rule }

var errOwn = &refusal{"Cove's own ports are closed to pages"}

// judge asks whether traffic may go to an origin. open: the rules differ for http and https, and it is not known which it is.
func (r *Relay) judge(o policy.Origin) (refused error, open bool) { //nolint:revive // the error is the answer, not a failure
	if r.Desk == nil {
		return nil, false
	}
	return judge(r.Desk.Rules(), o)
}

func judge(book *policy.Rules, o policy.Origin) (refused error, open bool) { //nolint:revive // the error is the answer, not a failure
	schemes := []string{o.Scheme}
	if o.Scheme == "" {
		switch o.Port {
		case 443:
			schemes[0] = "https"
		case 80:
			schemes[0] = "http"
		default:
			schemes = []string{"http", "https"}
		}
	}
	let := 0
	for _, o.Scheme = range schemes {
		if v := book.Origin(o); book.Permits(v) {
			let++
		} else {
			refused = &refusal{v.Rule}
		}
	}
	return refused, let > 0 && refused != nil
}

// differs reports whether the rules let one of http and https go to an origin and not the other.
func (r *Relay) differs(o policy.Origin) bool {
	o.Scheme = "http"
	plain, _ := r.judge(o)
	o.Scheme = "https"
	secure, _ := r.judge(o)
	return (plain == nil) != (secure == nil)
}

// judgeAddress asks whether the address that an origin's name stands for may be reached.
func (r *Relay) judgeAddress(o policy.Origin, ip netip.Addr) error {
	if (ip.Unmap().IsLoopback() || ip.IsUnspecified()) && (o.Port == r.Port || (r.Own != nil && r.Own(o.Port))) {
		return errOwn
	}
	if r.Desk == nil {
		return nil
	}
	if v := r.Desk.Rules().Address(o, ip, here); v.Blocked {
		return &refusal{v.Rule}
	}
	return nil
}

// judgeFlow asks the same of traffic that goes on.
func (r *Relay) judgeFlow(book *policy.Rules, f *flow) error {
	if refused, _ := judge(book, f.origin); refused != nil {
		return refused
	}
	if v := book.Address(f.origin, f.ip, here); f.ip.IsValid() && v.Blocked {
		return &refusal{v.Rule}
	}
	return nil
}

// flow is traffic to one origin that goes on: a connection, or a request over a shared one.
type flow struct {
	origin policy.Origin
	ip     netip.Addr // not valid where an upstream resolves names
	cut    func()
}

// flows are all that go on.
type flows struct {
	mu  sync.Mutex
	all map[*flow]struct{}
}

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

// cut ends those of which which is true.
func (s *flows) cut(which func(*flow) bool) {
	s.mu.Lock()
	var ended []*flow
	for f := range s.all {
		if which(f) {
			ended = append(ended, f)
		}
	}
	s.mu.Unlock()
	for _, f := range ended {
		f.cut()
	}
}

// enter notes a flow and judges it: rules that have changed since it was first judged count.
func (r *Relay) enter(f *flow) (done func(), refused error) {
	done = r.flows.add(f)
	if r.Desk == nil {
		return done, nil
	}
	if err := r.judgeFlow(r.Desk.Rules(), f); err != nil {
		done()
		return nil, err
	}
	return done, nil
}

// notes remember why traffic to an origin was not let through, so that whoever asks for a page can be told.
type notes struct {
	mu   sync.Mutex
	said map[place]note
}

type place struct {
	host string
	port int
}

type note struct{ rule, failure string }

const maxNotes = 500

// put remembers; it reports whether that is news.
func (n *notes) put(o policy.Origin, rule, failure string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.said == nil || len(n.said) >= maxNotes {
		n.said = map[place]note{}
	}
	was := n.said[place{o.Host, o.Port}]
	n.said[place{o.Host, o.Port}] = note{rule, failure}
	return was != note{rule, failure}
}

func (n *notes) get(o policy.Origin) (rule, failure string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	said := n.said[place{o.Host, o.Port}]
	return said.rule, said.failure
}

// clear forgets an origin that was reached.
func (n *notes) clear(o policy.Origin) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.said, place{o.Host, o.Port})
}

func (n *notes) forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.said = nil
}
