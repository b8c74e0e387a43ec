package relay

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/net/proxy"

	"cove/internal/policy"
	"cove/internal/profile"
)

// routes says which proxy leads to a host: the profile's own, else what the environment names, as the browser itself would do it. What
// is on this computer is reached directly. speaksHTTP: one of them is an HTTP proxy.
func routes(up profile.Proxy) (route func(scheme, host string) (profile.Proxy, error), speaksHTTP bool) {
	if up.Set() {
		return func(_, host string) (profile.Proxy, error) {
			if near(host) {
				return profile.Proxy{}, nil
			}
			return up, nil
		}, up.Type != "socks5"
	}
	ask := func(scheme, host string) (profile.Proxy, error) {
		if near(host) {
			return profile.Proxy{}, nil
		}
		u, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: host}})
		if u == nil || err != nil {
			return profile.Proxy{}, err
		}
		return fromURL(u)
	}
	for _, scheme := range []string{"http", "https"} { // the browser must know before it asks
		if p, err := ask(scheme, "site.invalid"); err == nil && p.Set() && p.Type != "socks5" {
			speaksHTTP = true
		}
	}
	return ask, speaksHTTP
}

// near: the browser never asks a proxy for these unless it is told to ask for everything, as ours is.
func near(hostport string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.Unmap()
		return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
	}
	return local(host)
}

// local: these names stand for this computer, whatever a name server says.
func local(host string) bool { return host == "localhost" || strings.HasSuffix(host, ".localhost") }

func fromURL(u *url.URL) (profile.Proxy, error) {
	p := profile.Proxy{Type: strings.TrimSuffix(u.Scheme, "h"), Host: u.Hostname()}
	p.Login = u.User.Username()
	p.Password, _ = u.User.Password()
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080"}[p.Type]
	}
	if port == "" {
		port = "80"
	}
	var err error
	p.Port, err = strconv.Atoi(port)
	return p, err
}

func proxyURL(up profile.Proxy) *url.URL {
	u := &url.URL{Scheme: up.Type, Host: hostOf(up)}
	if up.Login != "" || up.Password != "" {
		u.User = url.UserPassword(up.Login, up.Password)
	}
	return u
}

func hostOf(up profile.Proxy) string { return net.JoinHostPort(up.Host, strconv.Itoa(up.Port)) }

// dial connects to an origin, through the upstream that leads to it. The flow is noted until the connection is closed.
func (r *Relay) dial(ctx context.Context, o policy.Origin) (net.Conn, profile.Proxy, error) {
	address := net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	up, err := r.routes("https", address)
	if err != nil {
		return nil, up, err
	}
	if !up.Set() {
		c, err := r.dialOrigin(ctx, o)
		return c, up, err
	}
	c, err := dialThrough(ctx, up, address)
	return c, up, err
}

// dialDirect is dialOrigin for a transport.
func (r *Relay) dialDirect(ctx context.Context, _, address string) (net.Conn, error) {
	o, ok := policy.OriginOfHost(address)
	if !ok {
		return nil, fmt.Errorf("%q is no address", address)
	}
	o.Scheme = "http"
	c, err := r.dialOrigin(ctx, o)
	if err != nil {
		return nil, err
	}
	f := &flow{origin: o, ip: remote(c), cut: func() { _ = c.Close() }}
	done, err := r.enter(f)
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return &notedConn{Conn: c, done: done}, nil
}

// notedConn leaves the flows when it is closed.
type notedConn struct {
	net.Conn
	done func()
}

func (c *notedConn) Close() error {
	c.done()
	return c.Conn.Close()
}

func remote(c net.Conn) netip.Addr {
	a, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.Addr{}
	}
	return a.AddrPort().Addr().Unmap()
}

// dialOrigin connects straight to an origin. Each address is judged where it is dialled: no second lookup can change it in between.
func (r *Relay) dialOrigin(ctx context.Context, o policy.Origin) (net.Conn, error) {
	hosts := []string{o.Host}
	if local(o.Host) { // as the browser does, which asks nobody
		hosts = []string{"127.0.0.1", "::1"}
	}
	d := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return r.judgeAddress(o, a.Addr())
	}}
	var c net.Conn
	var first error
	for _, host := range hosts {
		var err error
		if c, err = d.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(o.Port))); err == nil {
			r.led.put(o.Host, remote(c))
			return c, nil
		}
		var refused *refusal
		if first == nil || errors.As(err, &refused) {
			first = err
		}
	}
	return nil, first
}

// dialThrough connects to address through an upstream; names are resolved there.
func dialThrough(ctx context.Context, up profile.Proxy, address string) (net.Conn, error) {
	if up.Type == "socks5" {
		var auth *proxy.Auth
		if up.Login != "" || up.Password != "" {
			auth = &proxy.Auth{User: up.Login, Password: up.Password}
		}
		d, err := proxy.SOCKS5("tcp", hostOf(up), auth, &net.Dialer{})
		if err != nil {
			return nil, err
		}
		return d.(proxy.ContextDialer).DialContext(ctx, "tcp", address)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", hostOf(up))
	if err != nil {
		return nil, err
	}
	if up.Type == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: up.Host, MinVersion: tls.VersionTLS12})
	}
	through, err := connect(ctx, up, conn, address)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return through, nil
}

// connect asks an HTTP proxy for a tunnel.
func connect(ctx context.Context, up profile.Proxy, conn net.Conn, address string) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if up.Login != "" || up.Password != "" {
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(up.Login+":"+up.Password)))
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	br := bufio.NewReader(conn)
	res, err := http.ReadResponse(br, req)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close() // of CONNECT there is none; what follows is the tunnel
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the proxy answered %s", res.Status)
	}
	_ = conn.SetDeadline(time.Time{})
	return &bufferedConn{conn, br}, nil
}

// bufferedConn reads first what came with the proxy's answer.
type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

func (b *bufferedConn) Read(p []byte) (int, error) { return b.r.Read(p) }

// CloseWrite ends our direction and leaves the other open.
func (b *bufferedConn) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return b.Close()
}
