// Package relay is the proxy on loopback between a browser and the network. It carries the traffic to the profile's own
// proxy, whose credentials cannot stand on the browser's command line, or straight to the sites. It enforces the
// profile's rules for sites on the traffic of agents' browsers, whichever tab, worker or extension sends it.
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
	"cove/internal/profile"
)

// Config is what a relay works for.
type Config struct {
	// Upstream is the profile's own proxy. The zero value goes where the environment says, mostly straight to the
	// sites.
	Upstream profile.Proxy
	// Port is the port to listen on; 0 is any. A browser that outlived its keeper needs the same port again.
	Port int
	// Enforcer has the rules for sites; nil lets everything through.
	Enforcer *policy.Enforcer
	// Own reports whether a port of this computer is Cove's own: pages never reach it. If it is nil, no port is.
	Own func(port int) bool
	Log *slog.Logger
}

// Relay is the proxy of one browser.
//
// Listen opens it and Close ends it with every connection through it. It judges each connection and each request before
// it goes on, and again when the rules change: what they no longer allow ends at once. Its methods may be called from
// any goroutine.
type Relay struct {
	enforcer *policy.Enforcer
	ownPort  func(port int) bool
	port     int
	log      *slog.Logger

	route    func(scheme, host string) (profile.Proxy, error)
	listener net.Listener
	http     *http.Server // nil where the relay speaks SOCKS
	direct   *http.Transport
	through  *http.Transport
	flows    flows
	waiting  flows // connections that wait to be told why they are refused
	failures failures
	resolved addresses
	ctx      context.Context // ends with the relay
	cancel   context.CancelFunc
	notice   string
}

// NoticeHeader marks a page that says that a site was refused. Its value is the relay's Notice, which no site knows.
const NoticeHeader = "Cove-Refused"

const dialTimeout = 30 * time.Second

// Listen opens a relay on a port of loopback. With an HTTP proxy behind it, the relay speaks HTTP, because such a proxy
// may forward requests but open no tunnels to every port. Else it speaks SOCKS: then pages load byte for byte as
// without it, and a site that does not answer is an error and no page.
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
	// A person's browser may outlive its keeper, and the profile's proxy may change meanwhile: it always speaks HTTP.
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
	r.http = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute,
		ErrorLog: slog.NewLogLogger(r.log.Handler(), slog.LevelDebug)}
	go func() { _ = r.http.Serve(r.listener) }()
}

// Port returns the port that the relay listens on.
func (r *Relay) Port() int { return r.port }

// Notice returns the value of NoticeHeader in the relay's own pages.
func (r *Relay) Notice() string { return r.notice }

// Scheme returns what the browser has to speak: http or socks5.
func (r *Relay) Scheme() string {
	if r.http != nil {
		return "http"
	}

	return "socks5"
}

// Address returns the relay's address for a browser that may go other ways too.
func (r *Relay) Address() string { return r.Scheme() + "://127.0.0.1:" + strconv.Itoa(r.port) }

// Close ends the relay and every connection through it.
func (r *Relay) Close() {
	r.cancel()
	_ = r.listener.Close()
	if r.http != nil {
		_ = r.http.Close()
		r.direct.CloseIdleConnections()
		r.through.CloseIdleConnections()
	}
	r.flows.closeAll()
	r.waiting.closeAll()
}

// applyRules enforces changed rules on traffic that goes on.
func (r *Relay) applyRules() {
	rules := r.enforcer.Rules()
	r.failures.clearAll()
	r.flows.closeIf(func(f *flow) bool { return judgeFlow(rules, f) != nil })
	r.waiting.closeAll() // the site may be allowed now, and the browser asks again on a new connection
}

// LastFailure returns why the relay last did not let an address through: the rule that refused it, or how the
// connection failed. Both are empty if the last attempt succeeded or there was none.
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

// recordFailure remembers that an origin could not be reached. It returns a sentence about that.
func (r *Relay) recordFailure(o site.Origin, up profile.Proxy, err error) string {
	if !up.Set() {
		r.failures.put(o, failure{err: reason(err)})
		return "The site " + o.String() + " cannot be reached: " + reason(err) + "."
	}

	r.log.Warn("the profile's proxy failed", "proxy", up.Address(), "err", withoutURL(err))
	r.failures.put(o, failure{err: "the profile's proxy does not work"})

	return "The profile's proxy " + up.Address() + " does not work: check its address, login and password."
}

// reason returns why a connection was not made, in the browser's own words where it has some.
func reason(err error) string {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns) && dns.IsNotFound:
		return "net::ERR_NAME_NOT_RESOLVED"
	case refusedConnection(err):
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
