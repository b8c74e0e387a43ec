// Package dial connects to sites through a proxy, which always resolves their names.
package dial

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"time"

	"cove/internal/proxy"
)

// Dialer connects through proxies. The zero value is ready to use. Its methods may be called from any goroutine.
type Dialer struct {
	// TLS is the configuration for https proxies; nil means the default.
	TLS *tls.Config
}

// Through connects to address through p. Its error is an *Error.
func (d Dialer) Through(ctx context.Context, p proxy.Proxy, address string) (net.Conn, error) {
	return d.open(ctx, p, func(c net.Conn) (net.Conn, error) {
		switch p.Type {
		case "socks4":
			return c, socks4(c, p, address)
		case "socks5":
			if err := socks5Login(c, p); err != nil {
				return nil, err
			}
			return c, socks5Connect(c, address)
		}
		return connect(c, p, address)
	})
}

// Greet finds out whether p answers, without connecting to a site: it connects, makes a TLS handshake with an https
// proxy, and logs in to a socks5 proxy. The logins of the other types are not tried. Its error is an *Error.
func (d Dialer) Greet(ctx context.Context, p proxy.Proxy) error {
	c, err := d.open(ctx, p, func(c net.Conn) (net.Conn, error) {
		if p.Type == "socks5" {
			return c, socks5Login(c, p)
		}
		return c, nil
	})
	if err != nil {
		return err
	}
	return c.Close()
}

// Open connects to p itself and makes the TLS handshake with an https proxy, for a request that an HTTP proxy forwards.
// Its error is an *Error.
func (d Dialer) Open(ctx context.Context, p proxy.Proxy) (net.Conn, error) {
	return d.open(ctx, p, func(c net.Conn) (net.Conn, error) { return c, nil })
}

// SetLogin adds the login of an HTTP proxy, if it has one, to the headers of a request.
func SetLogin(h http.Header, p proxy.Proxy) {
	if p.Login == "" && p.Password == "" {
		return
	}
	login := base64.StdEncoding.EncodeToString([]byte(p.Login + ":" + p.Password))
	h.Set("Proxy-Authorization", "Basic "+login)
}

// open connects to the proxy itself. The end of ctx also ends the handshake.
func (d Dialer) open(ctx context.Context, p proxy.Proxy, handshake func(net.Conn) (net.Conn, error)) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.HostPort())
	if err != nil {
		return nil, unreachable(ctx, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	ready := c
	if p.Type == "https" {
		secure := tls.Client(c, d.config(p.Host))
		if err = secure.HandshakeContext(ctx); err != nil {
			err = &Error{NoTLS, err}
		}
		ready = secure
	}
	if err == nil {
		ready, err = handshake(ready)
	}
	if err == nil && !stop() {
		err = ctx.Err()
	}
	if err != nil {
		_ = c.Close()
		return nil, failed(ctx, err)
	}
	return ready, nil
}

func (d Dialer) config(host string) *tls.Config {
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if d.TLS != nil {
		c = d.TLS.Clone()
	}
	c.ServerName, c.NextProtos = host, nil
	return c
}

// maxAnswer bounds the answer of an HTTP proxy to CONNECT. Whoever answers there may send headers without end.
const maxAnswer = 256 << 10

// connect asks an HTTP proxy for a tunnel.
func connect(c net.Conn, p proxy.Proxy, address string) (net.Conn, error) {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address,
		Header: http.Header{}}
	SetLogin(req.Header, p)
	if err := req.Write(c); err != nil {
		return nil, err
	}

	bounded := &io.LimitedReader{R: c, N: maxAnswer}
	br := bufio.NewReader(bounded)
	res, err := http.ReadResponse(br, req)
	if err != nil {
		return nil, &Error{NotAProxy, err}
	}
	bounded.N = math.MaxInt64 // the tunnel has no limit
	_ = res.Body.Close()      // the answer to CONNECT has no body; the tunnel follows
	switch {
	case res.StatusCode == http.StatusProxyAuthRequired:
		return nil, &Error{LoginRefused, statusError(res.StatusCode)}
	case res.StatusCode != http.StatusOK:
		return nil, &Error{SiteRefused, statusError(res.StatusCode)}
	}

	return &bufferedConn{c, br}, nil
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
