package relay

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/proxy"

	"cove/internal/profile"
)

// newRoute returns a function that returns the proxy for a host: the profile's own, or else the one that the
// environment names, as the browser itself would use it. The zero proxy means a direct connection. Hosts on this
// computer always get one. speaksHTTP says that one of the proxies is an HTTP proxy.
func newRoute(up profile.Proxy) (route func(scheme, host string) (profile.Proxy, error), speaksHTTP bool) {
	if up.Set() {
		return func(_, host string) (profile.Proxy, error) {
			if isLocalAddress(host) {
				return profile.Proxy{}, nil
			}
			return up, nil
		}, up.Type != "socks5"
	}

	for _, scheme := range []string{"http", "https"} { // the browser must know the protocol before its first request
		if p, err := environmentRoute(scheme, "site.invalid"); err == nil && p.Set() && p.Type != "socks5" {
			speaksHTTP = true
		}
	}

	return environmentRoute, speaksHTTP
}

// environmentRoute returns the proxy that the environment names for a host.
func environmentRoute(scheme, host string) (profile.Proxy, error) {
	if isLocalAddress(host) {
		return profile.Proxy{}, nil
	}
	u, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: host}})
	if u == nil || err != nil {
		return profile.Proxy{}, err
	}

	return fromURL(u)
}

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

// dialThrough connects to address through an upstream. The upstream resolves names.
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
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address,
		Header: http.Header{}}
	if up.Login != "" || up.Password != "" {
		login := base64.StdEncoding.EncodeToString([]byte(up.Login + ":" + up.Password))
		req.Header.Set("Proxy-Authorization", "Basic "+login)
	}
	if err := req.Write(conn); err != nil {
		return nil, err
	}

	br := bufio.NewReader(conn)
	res, err := http.ReadResponse(br, req)
	if err != nil {
		return nil, err
	}
	_ = res.Body.Close() // the answer to CONNECT has no body; the tunnel follows
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the proxy answered %s", res.Status)
	}
	_ = conn.SetDeadline(time.Time{})

	return &bufferedConn{conn, br}, nil
}

// bufferedConn is a connection that first reads the bytes that came with the proxy's answer.
type bufferedConn struct {
	net.Conn
	r *bufio.Reader
}

// Read implements net.Conn.
func (b *bufferedConn) Read(p []byte) (int, error) { return b.r.Read(p) }

// CloseWrite closes our direction and leaves the other open.
func (b *bufferedConn) CloseWrite() error {
	if half, ok := b.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}

	return b.Close()
}
