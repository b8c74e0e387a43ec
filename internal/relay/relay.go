// Package relay is the proxy on loopback between a browser and the network. It carries the traffic to the profile's own proxy, whose
// credentials the browser's command line cannot hold, or straight to the sites; and it holds the traffic of agents' browsers to the
// profile's rules for sites, whichever tab, worker or extension asks.
package relay

import (
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
	"cove/internal/profile"
)

// Config is what a relay works for.
type Config struct {
	// Upstream is the profile's own proxy; the zero value goes where the environment says, mostly straight to the sites.
	Upstream profile.Proxy
	// Port to listen on; 0 is any. A browser that outlived its keeper needs the same again.
	Port int
	// Desk has the rules for sites; nil lets everything through.
	Desk *policy.Enforcer
	// Own tells the ports of this computer that are Cove's own: pages never reach them. nil is none.
	Own func(port int) bool
	Log *slog.Logger
}

// Relay listens for one browser.
type Relay struct {
	Config
	routes   func(scheme, host string) (profile.Proxy, error)
	listener net.Listener
	http     *http.Server // nil where the relay speaks SOCKS
	direct   *http.Transport
	through  *http.Transport
	flows    flows
	refused  flows // connections that wait to be told why they are refused
	notes    notes
	led      led
	done     chan struct{}
	// Notice is the header's value that marks pages of our own.
	Notice string
}

// NoticeHeader marks a page that says that a site was refused; its value is the relay's Notice, which no site knows.
const NoticeHeader = "Cove-Refused"

const dialTimeout = 30 * time.Second

// Listen opens the relay on a port of loopback. With an HTTP proxy behind it, it speaks HTTP, because such a proxy may forward
// requests but dig no tunnels to every port. Else it speaks SOCKS: then pages load byte for byte as without it, and a site that does not
// answer is an error and no page.
func Listen(c Config) (*Relay, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Port)))
	if err != nil {
		return nil, fmt.Errorf("open the relay: %w", err)
	}
	c.Port = l.Addr().(*net.TCPAddr).Port
	r := &Relay{Config: c, listener: l, done: make(chan struct{}), Notice: rand.Text()}
	var speaksHTTP bool
	r.routes, speaksHTTP = routes(c.Upstream)
	if speaksHTTP || c.Desk == nil { // a person's browser may outlive its keeper, and the profile's proxy change meanwhile
		r.serveHTTP()
	} else {
		go r.serveSocks()
	}
	if r.Desk != nil {
		r.Desk.OnRulesChange(r.follow)
	}
	return r, nil
}

func (r *Relay) serveHTTP() {
	r.direct = &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 32, DialContext: r.dialDirect}
	r.through = &http.Transport{DisableCompression: true, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 32, ResponseHeaderTimeout: 2 * time.Minute,
		Proxy: func(req *http.Request) (*url.URL, error) {
			up, err := r.routes("http", req.URL.Host)
			return proxyURL(up), err
		}}
	r.http = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(r.Log.Handler(), slog.LevelDebug)}
	go func() { _ = r.http.Serve(r.listener) }()
}

// Scheme is what the browser has to speak: http or socks5.
func (r *Relay) Scheme() string {
	if r.http != nil {
		return "http"
	}
	return "socks5"
}

// Address is what a browser is told that may go other ways, too.
func (r *Relay) Address() string { return r.Scheme() + "://127.0.0.1:" + strconv.Itoa(r.Port) }

// Close ends the relay and every connection through it.
func (r *Relay) Close() {
	close(r.done)
	_ = r.listener.Close()
	if r.http != nil {
		_ = r.http.Close()
		r.direct.CloseIdleConnections()
		r.through.CloseIdleConnections()
	}
	r.flows.cut(func(*flow) bool { return true })
	r.refused.cut(func(*flow) bool { return true })
}

// follow puts a change of the rules into force for what is open, too.
func (r *Relay) follow() {
	book := r.Desk.Rules()
	r.notes.forget()
	r.flows.cut(func(f *flow) bool { return r.judgeFlow(book, f) != nil })
	r.refused.cut(func(*flow) bool { return true }) // it may be allowed now, and the browser asks on a new connection
}

// Why says what the relay last did with an address when it did not let it through: the rule that refused it, or how the connection
// failed. Both are empty for an address that it knows nothing bad of.
func (r *Relay) Why(address string) (rule, failure string) {
	u, err := url.Parse(address)
	if err != nil {
		return "", ""
	}
	o, ok := policy.OriginOf(u)
	if !ok {
		return "", ""
	}
	return r.notes.get(o)
}

func (r *Relay) fail(o policy.Origin, up profile.Proxy, err error) string {
	if !up.Set() {
		text := "The site " + o.String() + " cannot be reached: " + reason(err) + "."
		r.notes.put(o, "", reason(err))
		return text
	}
	r.Log.Warn("the profile's proxy failed", "proxy", up.Address(), "err", redact(err))
	r.notes.put(o, "", "the profile's proxy does not work")
	return "The profile's proxy " + up.Address() + " does not work: check its address, login and password."
}

// reason is why a connection was not made, in the browser's own words where it has some.
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

// redact keeps the credentials of a proxy URL out of the log.
func redact(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}
