package relay

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"syscall"

	"cove/internal/policy/site"
	"cove/internal/proxy"
	"cove/internal/proxy/dial"
)

// dial connects to an origin through its upstream, or directly if it has none. It also returns the upstream.
func (r *Relay) dial(ctx context.Context, o site.Origin) (net.Conn, proxy.Proxy, error) {
	address := net.JoinHostPort(o.Host, strconv.Itoa(o.Port))
	up, err := r.route("https", address)
	if err != nil {
		return nil, up, err
	}
	if !up.Set() {
		c, err := r.dialOrigin(ctx, o)
		return c, up, err
	}
	c, err := dial.Dialer{}.Through(ctx, up, address)

	return c, up, err
}

// dialSocks connects to a site through its upstream, as the DialContext of a transport. The upstream is never an HTTP
// proxy, and there always is one.
func (r *Relay) dialSocks(ctx context.Context, _, address string) (net.Conn, error) {
	up, err := r.route("http", address)
	if err != nil {
		return nil, err
	}
	if !isSocks(up) {
		return nil, fmt.Errorf("%s is not the address of a SOCKS proxy", up.Address())
	}

	return dial.Dialer{}.Through(ctx, up, address)
}

// dialDirect is dialOrigin as the DialContext of a transport. The connection is a flow until it is closed.
func (r *Relay) dialDirect(ctx context.Context, _, address string) (net.Conn, error) {
	o, ok := site.OriginOfHost(address)
	if !ok {
		return nil, fmt.Errorf("%q is no address", address)
	}
	o.Scheme = "http"
	c, err := r.dialOrigin(ctx, o)
	if err != nil {
		return nil, err
	}

	f := &flow{origin: o, ip: remote(c), close: func() { _ = c.Close() }}
	done, err := r.startFlow(f)
	if err != nil {
		_ = c.Close()
		return nil, err
	}

	return &trackedConn{Conn: c, done: done}, nil
}

// trackedConn is a connection that is a flow until it is closed. done ends the flow.
type trackedConn struct {
	net.Conn
	done func()
}

// Close implements net.Conn.
func (c *trackedConn) Close() error {
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

// dialOrigin connects straight to an origin. It judges each IP address immediately before dialling it, so that no
// second lookup can change the address in between.
func (r *Relay) dialOrigin(ctx context.Context, o site.Origin) (net.Conn, error) {
	hosts := []string{o.Host}
	if isLocalName(o.Host) { // browsers do not look up these names either
		hosts = []string{"127.0.0.1", "::1"}
	}
	d := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		a, err := netip.ParseAddrPort(address)
		if err != nil {
			return err
		}
		return r.judgeAddress(o, a.Addr())
	}}

	var first error
	for _, host := range hosts {
		c, err := d.DialContext(ctx, "tcp", net.JoinHostPort(host, strconv.Itoa(o.Port)))
		if err == nil {
			r.resolved.put(o.Host, remote(c))
			return c, nil
		}
		var refused *refusal
		if first == nil || errors.As(err, &refused) {
			first = err
		}
	}

	return nil, first
}
