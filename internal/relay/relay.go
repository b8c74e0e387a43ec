// Package relay is a proxy on loopback that passes a browser's traffic to the profile's own proxy and adds the credentials,
// which the browser's command line cannot carry.
package relay

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"golang.org/x/net/proxy"

	"cove/internal/profile"
)

// Relay listens for one browser.
type Relay struct {
	upstream  profile.Proxy
	transport *http.Transport
	http      *http.Server
	port      int
	log       *slog.Logger
}

const dialTimeout = 30 * time.Second

// Listen opens the relay on a port of loopback, any free one for 0. A browser that outlived its keeper needs the same again.
func Listen(upstream profile.Proxy, port int, log *slog.Logger) (*Relay, error) {
	l, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("open the relay to the proxy: %w", err)
	}
	r := &Relay{upstream: upstream, port: l.Addr().(*net.TCPAddr).Port, log: log}
	r.transport = &http.Transport{Proxy: http.ProxyURL(r.url()), DisableCompression: true, IdleConnTimeout: time.Minute, ResponseHeaderTimeout: 2 * time.Minute}
	r.http = &http.Server{Handler: r, ReadHeaderTimeout: time.Minute, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	go func() { _ = r.http.Serve(l) }()
	return r, nil
}

// Port is where the relay listens.
func (r *Relay) Port() int { return r.port }

// Address is what the browser is told.
func (r *Relay) Address() string { return "http://127.0.0.1:" + strconv.Itoa(r.port) }

// Close ends the relay.
func (r *Relay) Close() {
	_ = r.http.Close()
	r.transport.CloseIdleConnections()
}

func (r *Relay) host() string {
	return net.JoinHostPort(r.upstream.Host, strconv.Itoa(r.upstream.Port))
}

func (r *Relay) url() *url.URL {
	u := &url.URL{Scheme: r.upstream.Type, Host: r.host()}
	if r.upstream.Login != "" || r.upstream.Password != "" {
		u.User = url.UserPassword(r.upstream.Login, r.upstream.Password)
	}
	return u
}

func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method == http.MethodConnect:
		r.tunnel(w, req)
	case req.URL.IsAbs() && req.URL.Scheme == "http":
		r.forward(w, req)
	default: // a page that looks at our port, not a browser that uses its proxy
		http.Error(w, "This is a proxy.", http.StatusBadRequest)
	}
}

// hopByHop are headers for the next hop only.
var hopByHop = []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func (r *Relay) forward(w http.ResponseWriter, req *http.Request) {
	out := req.Clone(req.Context())
	out.RequestURI = ""
	for _, h := range hopByHop {
		out.Header.Del(h)
	}
	res, err := r.transport.RoundTrip(out)
	if err != nil {
		r.fail(w, err)
		return
	}
	defer func() { _ = res.Body.Close() }()
	for _, h := range hopByHop {
		res.Header.Del(h)
	}
	for k, vs := range res.Header {
		w.Header()[k] = vs
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(flusher{w}, res.Body)
}

// flusher lets each piece of a stream through as it comes.
type flusher struct{ http.ResponseWriter }

func (f flusher) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	if err == nil {
		_ = http.NewResponseController(f.ResponseWriter).Flush()
	}
	return n, err
}

func (r *Relay) fail(w http.ResponseWriter, err error) {
	r.log.Warn("the profile's proxy failed", "proxy", r.upstream.Address(), "err", redact(err))
	http.Error(w, "The profile's proxy "+r.upstream.Address()+" does not work: check its address, login and password.", http.StatusBadGateway)
}

// redact keeps the credentials of a proxy URL out of the log.
func redact(err error) string {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err.Error()
	}
	return err.Error()
}

func (r *Relay) tunnel(w http.ResponseWriter, req *http.Request) {
	ctx, cancel := context.WithTimeout(req.Context(), dialTimeout)
	defer cancel()
	up, err := r.dial(ctx, req.Host)
	if err != nil {
		r.fail(w, err)
		return
	}
	defer func() { _ = up.Close() }()
	down, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer func() { _ = down.Close() }()
	if _, err := io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { pass(up, buffered.Reader) })
	both.Go(func() { pass(down, up) })
	both.Wait()
}

// pass copies one direction and tells the other side that it is over.
func pass(to net.Conn, from io.Reader) {
	_, _ = io.Copy(to, from)
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}

// dial connects to address through the upstream; names are resolved there.
func (r *Relay) dial(ctx context.Context, address string) (net.Conn, error) {
	if r.upstream.Type == "socks5" {
		var auth *proxy.Auth
		if r.upstream.Login != "" || r.upstream.Password != "" {
			auth = &proxy.Auth{User: r.upstream.Login, Password: r.upstream.Password}
		}
		d, err := proxy.SOCKS5("tcp", r.host(), auth, &net.Dialer{})
		if err != nil {
			return nil, err
		}
		return d.(proxy.ContextDialer).DialContext(ctx, "tcp", address)
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", r.host())
	if err != nil {
		return nil, err
	}
	if r.upstream.Type == "https" {
		conn = tls.Client(conn, &tls.Config{ServerName: r.upstream.Host, MinVersion: tls.VersionTLS12})
	}
	through, err := r.connect(ctx, conn, address)
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return through, nil
}

// connect asks an HTTP proxy for a tunnel.
func (r *Relay) connect(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(deadline)
	}
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: http.Header{}}
	if r.upstream.Login != "" || r.upstream.Password != "" {
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(r.upstream.Login+":"+r.upstream.Password)))
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
