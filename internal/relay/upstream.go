package relay

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"cove/internal/proxy"
)

// newRoute returns a function that returns the proxy for a host: the profile's own, or else the one that the
// environment names, as the browser itself would use it. The zero proxy means a direct connection. Hosts on this
// computer always get one. speaksHTTP says that one of the proxies is an HTTP proxy.
func newRoute(up proxy.Proxy) (route func(scheme, host string) (proxy.Proxy, error), speaksHTTP bool) {
	if up.Set() {
		return func(_, host string) (proxy.Proxy, error) {
			if isLocalAddress(host) {
				return proxy.Proxy{}, nil
			}
			return up, nil
		}, !isSocks(up)
	}

	for _, scheme := range []string{"http", "https"} { // the browser must know the protocol before its first request
		if p, err := environmentRoute(scheme, "site.invalid"); err == nil && p.Set() && !isSocks(p) {
			speaksHTTP = true
		}
	}

	return environmentRoute, speaksHTTP
}

// environmentRoute returns the proxy that the environment names for a host.
func environmentRoute(scheme, host string) (proxy.Proxy, error) {
	if isLocalAddress(host) {
		return proxy.Proxy{}, nil
	}
	u, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: host}})
	if u == nil || err != nil {
		return proxy.Proxy{}, err
	}

	return fromURL(u)
}

// isSocks reports whether an upstream speaks SOCKS. Such a proxy only opens connections; it does not forward requests.
func isSocks(up proxy.Proxy) bool { return strings.HasPrefix(up.Type, "socks") }

func fromURL(u *url.URL) (proxy.Proxy, error) {
	p := proxy.Proxy{Type: u.Scheme, Host: u.Hostname()}
	p.Login = u.User.Username()
	p.Password, _ = u.User.Password()
	port := u.Port()
	switch {
	case port != "":
	case p.Type == "https":
		port = "443"
	case isSocks(p):
		port = "1080"
	default:
		port = "80"
	}
	var err error
	if p.Port, err = strconv.Atoi(port); err != nil {
		return p, err
	}

	return p, p.Clean()
}

func proxyURL(up proxy.Proxy) *url.URL {
	u := &url.URL{Scheme: up.Type, Host: up.HostPort()}
	if up.Login != "" || up.Password != "" {
		u.User = url.UserPassword(up.Login, up.Password)
	}

	return u
}
