package relay

import (
	"net/netip"
	"net/url"

	"cove/internal/policy"
	"cove/internal/policy/site"
)

// refusal is the error for traffic that a rule forbids.
type refusal struct{ rule string }

func (r *refusal) Error() string { return r.rule }

var errOwnPort = &refusal{"Cove's own ports are closed to pages"}

// judge returns the rule that refuses traffic to an origin, or nil. If either is set, the rules allow only one of http
// and https, and the scheme of the traffic is not known yet.
func (r *Relay) judge(o site.Origin) (refused *refusal, either bool) {
	// judgeAddress is too late for this: an upstream that runs on this computer would connect to the port itself.
	if MeansThisComputer(o.Host) && r.isOwnPort(o.Port) {
		return errOwnPort, false
	}
	if r.enforcer == nil {
		return nil, false
	}

	return judge(r.enforcer.Rules(), o)
}

func judge(rules *policy.Rules, o site.Origin) (refused *refusal, either bool) {
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

	permitted := 0
	for _, o.Scheme = range schemes {
		if v := rules.Origin(o); rules.Permits(v) {
			permitted++
		} else {
			refused = &refusal{v.Rule}
		}
	}

	return refused, permitted > 0 && refused != nil
}

// differs reports whether the rules allow exactly one of http and https to an origin.
func (r *Relay) differs(o site.Origin) bool {
	o.Scheme = "http"
	plain, _ := r.judge(o)
	o.Scheme = "https"
	secure, _ := r.judge(o)

	return (plain == nil) != (secure == nil)
}

// isOwnPort reports whether a port of this computer is closed to pages.
func (r *Relay) isOwnPort(port int) bool {
	return port == r.port || (r.ownPort != nil && r.ownPort(port))
}

// judgeAddress returns why the relay must not connect to an IP address of an origin, or nil.
func (r *Relay) judgeAddress(o site.Origin, ip netip.Addr) error {
	if isLoopback(ip) && r.isOwnPort(o.Port) {
		return errOwnPort
	}
	if r.enforcer == nil {
		return nil
	}
	if v := r.enforcer.Rules().Address(o, ip, isThisComputer); v.Blocked {
		return &refusal{v.Rule}
	}

	return nil
}

// judgeFlow returns why a flow must end, or nil.
func judgeFlow(rules *policy.Rules, f *flow) error {
	if refused, _ := judge(rules, f.origin); refused != nil {
		return refused
	}
	if v := rules.Address(f.origin, f.ip, isThisComputer); f.ip.IsValid() && v.Blocked {
		return &refusal{v.Rule}
	}

	return nil
}

// startFlow adds a flow, then judges it again: the rules may have changed since its origin was judged.
func (r *Relay) startFlow(f *flow) (done func(), refused error) {
	done = r.flows.add(f)
	if r.enforcer == nil {
		return done, nil
	}
	if err := judgeFlow(r.enforcer.Rules(), f); err != nil {
		done()
		return nil, err
	}

	return done, nil
}

// Blocks returns the rule that blocks the IP address of a site, or "" if there is none. For a name it uses the IP
// address that the relay last connected to, and returns "" if the relay never did.
func (r *Relay) Blocks(rules *policy.Rules, address string) (rule string) {
	u, err := url.Parse(address)
	if err == nil && (u.Scheme == "blob" || u.Scheme == "filesystem") {
		u, err = url.Parse(u.Opaque)
	}
	if err != nil {
		return ""
	}
	o, ok := site.OriginOf(u)
	if !ok {
		return ""
	}

	ip, err := netip.ParseAddr(o.Host)
	if err != nil {
		ip = r.resolved.get(o.Host)
	}
	if !ip.IsValid() {
		return ""
	}

	return rules.Address(o, ip, isThisComputer).Rule
}
