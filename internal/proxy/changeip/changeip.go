// Package changeip calls the link by which the provider of a proxy gives it another exit address.
package changeip

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"
	"time"

	"cove/internal/fault"
	"cove/internal/proxy"
)

// Limit bounds one call.
const Limit = 30 * time.Second

const (
	maxRedirects = 5
	maxAnswer    = 64 << 10
)

// Caller calls links. A link may lead to the local network, where many modems are, and never to this computer's own
// services. Its methods may be called from any goroutine.
type Caller struct {
	// Own reports whether a port is one of Cove's own. Nil means that none is.
	Own func(port int) bool
	// except allows an address in tests, where only loopback can be reached.
	except func(address string) bool
}

// errAddress is the refusal of an address.
var errAddress = errors.New("the address is closed to links")

// Call calls the link directly, not through the proxy. Errors have neither the link nor the words of the answer: many
// links hold a key.
func (c Caller) Call(ctx context.Context, link string) error {
	u, err := url.Parse(link)
	if err != nil || u.Hostname() == "" || !isWeb(u) {
		return fault.Unprocessablef("changeIpUrl", "The link that changes the IP address is not a web address.").
			WithHint("Write a full URL that begins with http:// or https://.")
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, link, nil)
	if err != nil {
		return failed("The link that changes the IP address cannot be called.", err)
	}
	req.Header.Set("User-Agent", "Cove")

	transport := &http.Transport{DialContext: c.dial, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	client := http.Client{Transport: transport, CheckRedirect: checkRedirect}
	res, err := client.Do(req)
	switch {
	case errors.Is(err, errAddress):
		return proxy.LocalLink()
	case ctx.Err() != nil:
		return failed("The link that changes the IP address did not answer in time.", ctx.Err())
	case err != nil:
		return failed("The link that changes the IP address cannot be reached.", withoutLink(err))
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.CopyN(io.Discard, res.Body, maxAnswer)
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return failed(fmt.Sprintf("The link that changes the IP address answered with status %d.", res.StatusCode), nil)
	}

	return nil
}

func failed(text string, cause error) error {
	return fault.New(fault.CodeChangeIP, text, "Check the link, or ask the provider of the proxy.").Because(cause)
}

// withoutLink drops the URL from the error of a client.
func withoutLink(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

func isWeb(u *url.URL) bool { return u.Scheme == "http" || u.Scheme == "https" }

func checkRedirect(req *http.Request, via []*http.Request) error {
	if !isWeb(req.URL) || len(via) > maxRedirects {
		return errors.New("the link redirects too often, or to something else than a page")
	}
	req.Header.Del("Referer") // it would tell the next host the key in the link
	return nil
}

// dial connects to a host. Each address is judged immediately before it is dialled, so that no second lookup can change
// it in between.
func (c Caller) dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		return c.judge(address)
	}}

	return d.DialContext(ctx, network, address)
}

// judge refuses an address that no link may lead to.
func (c Caller) judge(address string) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return errAddress
	}
	ip := a.Addr().WithZone("").Unmap()
	switch {
	case c.except != nil && c.except(address):
		return nil
	case proxy.ClosedToLinks(ip):
		return errAddress
	case c.Own != nil && c.Own(int(a.Port())) && isThisComputer(ip):
		return errAddress
	}

	return nil
}

// isThisComputer reports whether this computer has an address on one of its networks.
func isThisComputer(ip netip.Addr) bool {
	all, _ := net.InterfaceAddrs()
	for _, a := range all {
		if prefix, err := netip.ParsePrefix(a.String()); err == nil && prefix.Addr().WithZone("").Unmap() == ip {
			return true
		}
	}

	return false
}
