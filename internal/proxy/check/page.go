package check

import (
	"bufio"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"cove/internal/proxy"
	"cove/internal/proxy/dial"
)

const (
	maxAnswer    = 64 << 10
	maxBytes     = 1 << 20 // of an answer with its headers
	maxRedirects = 5
)

// pageError is the failure of the check page, not of the proxy.
type pageError struct{ text string }

func (e *pageError) Error() string { return e.text }

// fetch gets the check page through the proxy, never directly.
func (c Checker) fetch(ctx context.Context, p proxy.Proxy) (proxy.Check, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return proxy.Check{}, &pageError{"The setting proxy.check is not a web address."}
	}
	first := u
	for range maxRedirects {
		got, err := c.get(ctx, p, u)
		if err != nil {
			return proxy.Check{}, err
		}
		switch {
		case got.status == http.StatusProxyAuthRequired:
			return proxy.Check{}, &dial.Error{Reason: dial.LoginRefused, Err: errStatus(got.status)}
		case got.status >= 300 && got.status < 400 && got.location != "":
			next, err := u.Parse(got.location)
			if err != nil || next.Hostname() != first.Hostname() || (next.Scheme != "http" && next.Scheme != "https") {
				return proxy.Check{}, &pageError{
					"The check page redirects to another host, which Cove does not follow."}
			}
			u = next
			continue
		case got.status != http.StatusOK:
			return proxy.Check{}, &pageError{"The check page answered with status " + strconv.Itoa(got.status) + "."}
		}
		return readAnswer(got.body)
	}

	return proxy.Check{}, &pageError{"The check page redirects too often."}
}

type errStatus int

func (e errStatus) Error() string { return "status " + strconv.Itoa(int(e)) }

// answer is what the check page, or an HTTP proxy in its place, sent back.
type answer struct {
	status   int
	location string
	body     []byte
}

// get sends one request through the proxy and reads its answer. It keeps no cookies and no connection.
func (c Checker) get(ctx context.Context, p proxy.Proxy, u *url.URL) (answer, error) {
	d := dial.Dialer{TLS: c.TLS}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return answer{}, err
	}
	req.Close = true
	req.Header.Set("Accept", "application/json, text/plain")
	req.Header.Set("User-Agent", "Cove")

	// HTTP proxies are asked for plain pages as browsers do it: many open tunnels to port 443 only.
	forwarded := u.Scheme == "http" && (p.Type == "http" || p.Type == "https")
	var conn net.Conn
	if forwarded {
		conn, err = d.Open(ctx, p)
		dial.SetLogin(req.Header, p)
	} else {
		conn, err = d.Through(ctx, p, address(u))
	}
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = conn.Close() }()
	defer context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })()

	if u.Scheme == "https" {
		conn, err = c.secure(ctx, conn, u.Hostname())
		if err != nil {
			return answer{}, err
		}
	}
	write := req.Write
	if forwarded {
		write = req.WriteProxy
	}
	if err := write(conn); err != nil {
		return answer{}, ended(ctx, err)
	}
	res, err := http.ReadResponse(bufio.NewReader(io.LimitReader(conn, maxBytes)), req)
	if err != nil {
		return answer{}, ended(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
	if err != nil {
		return answer{}, ended(ctx, err)
	}
	if len(body) > maxAnswer {
		return answer{}, &pageError{"The answer of the check page is larger than 64 KiB."}
	}

	return answer{res.StatusCode, res.Header.Get("Location"), body}, nil
}

// secure makes the TLS handshake with the check page.
func (c Checker) secure(ctx context.Context, conn net.Conn, host string) (net.Conn, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.TLS != nil {
		config = c.TLS.Clone()
	}
	config.ServerName, config.NextProtos = host, nil
	secure := tls.Client(conn, config)
	if err := secure.HandshakeContext(ctx); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &pageError{"No secure connection to the check page was possible through the proxy."}
	}

	return secure, nil
}

// ended prefers the end of ctx to the error that it causes.
func ended(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

func address(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}
