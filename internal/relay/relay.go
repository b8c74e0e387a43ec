// Package relay is the proxy on loopback between a browser and the network. It forwards traffic to the profile's own
// proxy, whose credentials cannot be on the browser's command line, or directly to the sites. In browsers of agents it
// enforces the profile's site rules on all traffic, whichever tab, worker or extension sends it.
package relay

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/proxy"
	"cove/internal/proxy/dial"
)

// Config configures a Relay.
type Config struct {
	// Upstream is the profile's own proxy. If it is not set, the relay uses the proxies that the environment names, or
	// else connects directly to the sites.
	Upstream proxy.Proxy
	// Port is the port to listen on; 0 means any free port. A browser that outlived its keeper needs the same port
	// again.
	Port int
	// Enforcer has the site rules. If it is nil, all sites are allowed.
	Enforcer *policy.Enforcer
	// Own reports whether a port of this computer is one of Cove's own, which pages must not reach. If it is nil, only
	// the relay's own port is closed to pages.
	Own func(port int) bool
	Log *slog.Logger
}

// Relay is the proxy of one browser.
//
// Listen opens a Relay. Close ends it, together with every connection through it, but does not wait for the goroutines
// that serve these connections. The Relay judges each connection and each request before it forwards them. When the
// rules change, it judges them again and closes those that are no longer allowed. Its methods may be called from any
// goroutine.
type Relay struct {
	enforcer *policy.Enforcer
	ownPort  func(port int) bool
	port     int
	log      *slog.Logger

	route     func(scheme, host string) (proxy.Proxy, error)
	listener  net.Listener
	http      *http.Server // nil if the relay speaks SOCKS
	direct    *http.Transport
	through   *http.Transport // to HTTP proxies
	overSocks *http.Transport // through SOCKS proxies
	flows     flows
	waiting   flows // connections that wait to be told why they are refused
	failures  failures
	resolved  addresses
	ctx       context.Context // ends with the relay
	cancel    context.CancelFunc
	notice    string
}

// NoticeHeader marks the relay's own page about a refused site. Its value is the relay's Notice, which no site knows.
const NoticeHeader = "Cove-Refused"

const dialTimeout = 30 * time.Second

// Listen opens a relay on a port of loopback. The relay speaks HTTP if an upstream is an HTTP proxy, because such a
// proxy may forward requests without opening tunnels to every port. It also speaks HTTP without an Enforcer. Otherwise
// it speaks SOCKS: pages then load byte for byte as without a relay, and a site that does not answer causes a network
// error rather than an error page.
func Listen(c Config) (*Relay, error) {
	ctx, cancel := context.WithCancel(context.Background())
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		cancel()
		return nil, fmt.Errorf("open the relay: %w", err)
	}

	r := &Relay{enforcer: c.Enforcer, ownPort: c.Own, port: l.Addr().(*net.TCPAddr).Port, log: c.Log, listener: l,
		ctx: ctx, cancel: cancel, notice: rand.Text()}
	var speaksHTTP bool
	r.route, speaksHTTP = newRoute(c.Upstream)
	// A person's browser may outlive its keeper, and the profile's proxy may change in the meantime. So the relay of
	// such a browser always speaks HTTP.
	if speaksHTTP || r.enforcer == nil {
		r.serveHTTP()
	} else {
		go r.serveSocks()
	}
	if r.enforcer != nil {
		r.enforcer.OnRulesChange(r.applyRules)
	}

	return r, nil
}

func (r *Relay) serveHTTP() {
	r.direct = &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 32,
		DialContext: r.dialDirect}
	r.through = &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 32,
		ResponseHeaderTimeout: 2 * time.Minute,
		Proxy: func(req *http.Request) (*url.URL, error) {
			up, err := r.route("http", req.URL.Host)
			return proxyURL(up), err
		}}
	r.overSocks = &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 32,
		ResponseHeaderTimeout: 2 * time.Minute, DialContext: r.dialSocks}
	r.http = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(r.log.Handler(), slog.LevelDebug)}
	go func() { _ = r.http.Serve(r.listener) }()
}

// Port returns the port that the relay listens on.
func (r *Relay) Port() int { return r.port }

// Notice returns the value of NoticeHeader in the relay's own pages.
func (r *Relay) Notice() string { return r.notice }

// Scheme returns the protocol that the relay speaks: http or socks5.
func (r *Relay) Scheme() string {
	if r.http != nil {
		return "http"
	}

	return "socks5"
}

// Address returns the relay's address, for a browser that uses the relay as an ordinary proxy and may bypass it.
func (r *Relay) Address() string { return r.Scheme() + "://127.0.0.1:" + strconv.Itoa(r.port) }

// Close ends the relay and every connection through it.
func (r *Relay) Close() {
	r.cancel()
	_ = r.listener.Close()
	if r.http != nil {
		_ = r.http.Close()
		r.direct.CloseIdleConnections()
		r.through.CloseIdleConnections()
		r.overSocks.CloseIdleConnections()
	}
	r.flows.closeAll()
	r.waiting.closeAll()
}

// applyRules enforces changed rules on existing connections and requests.
func (r *Relay) applyRules() {
	rules := r.enforcer.Rules()
	r.failures.clearAll()
	r.flows.closeIf(func(f *flow) bool { return judgeFlow(rules, f) != nil })
	r.waiting.closeAll() // the site may be allowed now, and the browser asks again on a new connection
}

// LastFailure returns why the last attempt to reach an address failed: the rule that refused it, or the error of the
// connection. Both are empty if the last attempt succeeded or there was none.
func (r *Relay) LastFailure(address string) (rule, err string) {
	u, parseErr := url.Parse(address)
	if parseErr != nil {
		return "", ""
	}
	o, ok := site.OriginOf(u)
	if !ok {
		return "", ""
	}
	f := r.failures.get(o)

	return f.rule, f.err
}

// recordRefusal remembers that a rule refused an origin.
func (r *Relay) recordRefusal(o site.Origin, refused error) {
	if r.failures.put(o, failure{rule: refused.Error()}) {
		r.log.Info("refused", "site", o.String(), "rule", refused.Error())
	}
}

// recordFailure remembers that an origin could not be reached. It returns a sentence that says so.
func (r *Relay) recordFailure(o site.Origin, up proxy.Proxy, err error) string {
	if !up.Set() {
		r.failures.put(o, failure{err: reason(err)})
		return "The site " + o.String() + " cannot be reached: " + reason(err) + "."
	}

	r.log.Warn("the profile's proxy failed", "proxy", up.Address(), "err", withoutURL(err))
	r.failures.put(o, failure{err: "the profile's proxy does not work"})

	return "The profile's proxy " + up.Address() + " does not work: check its address, login and password."
}

// reason returns the browser's name for the error of a failed connection.
func reason(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "net::ERR_NAME_NOT_RESOLVED"
	case dial.IsRefused(err):
		return "net::ERR_CONNECTION_REFUSED"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "net::ERR_CONNECTION_TIMED_OUT"
	}

	return "net::ERR_CONNECTION_FAILED"
}

// withoutURL returns an error's text without the URL of a proxy, which may contain its credentials.
func withoutURL(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}

	return err.Error()
}
