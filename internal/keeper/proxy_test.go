//go:build unix

package keeper

import (
	"log/slog"
	"slices"
	"strconv"
	"testing"

	"cove/internal/chromium"
	"cove/internal/keeperclient"
	"cove/internal/proxy"
	"cove/internal/proxy/dial"
	"cove/internal/proxy/proxytest"
)

func TestAPersonsBrowserGetsOnlyAProxyThatItCanUse(t *testing.T) {
	for name, p := range map[string]proxy.Proxy{
		"socks5 without a login": {Type: "socks5", Host: "p.example", Port: 1080},
		"https without a login":  {Type: "https", Host: "p.example", Port: 443},
		"no proxy":               {},
	} {
		k := newKeeper(keeperclient.Spec{Proxy: p}, slog.New(slog.DiscardHandler))
		if err := k.openRelay(); err != nil || k.relay != nil || k.spec.Options.Proxy != p.Address() {
			t.Errorf("%s: the browser is given %q, %v", name, k.spec.Options.Proxy, err)
		}
	}

	// Chromium would resolve the names of sites itself, and it cannot log in to a socks5 proxy.
	for _, c := range []proxytest.Config{{Type: "socks4"}, {Type: "socks5", Login: "me", Password: "secret"}} {
		s := proxytest.Start(t, c)
		k := newKeeper(keeperclient.Spec{Proxy: s.Proxy()}, slog.New(slog.DiscardHandler))
		if err := k.openRelay(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(k.closeRelay)
		relay := proxy.Proxy{Type: "http", Host: "127.0.0.1", Port: k.record.Relay}
		if want := "http://127.0.0.1:" + strconv.Itoa(k.record.Relay); k.spec.Options.Proxy != want {
			t.Errorf("%s: the browser is given %q", c.Type, k.spec.Options.Proxy)
		}
		_, _ = dial.Dialer{}.Through(t.Context(), relay, "site.invalid:443")
		if !slices.Equal(s.Requested(), []string{"site.invalid:443"}) {
			t.Errorf("%s: the proxy was asked for %v", c.Type, s.Requested())
		}
	}
}

func TestAnAdoptedBrowserKeepsItsRelay(t *testing.T) {
	s := proxytest.Start(t, proxytest.Config{Type: "socks4"})
	old := newKeeper(keeperclient.Spec{Proxy: s.Proxy(), Options: chromium.Options{}}, slog.New(slog.DiscardHandler))
	if err := old.openRelay(); err != nil {
		t.Fatal(err)
	}
	old.closeRelay()

	adopt := func(p proxy.Proxy) *keeper {
		k := newKeeper(keeperclient.Spec{Proxy: p}, slog.New(slog.DiscardHandler))
		k.adopt(keeperclient.Record{Relay: old.record.Relay})
		t.Cleanup(k.closeRelay)
		return k
	}
	if k := adopt(proxy.Proxy{}); k.relay != nil {
		t.Error("a browser whose profile lost its proxy was given a direct connection")
	}
	k := adopt(s.Proxy())
	if k.relay == nil || k.relay.Port() != old.record.Relay {
		t.Fatal("the browser of a socks4 proxy has lost its relay")
	}
	_, _ = dial.Dialer{}.Through(t.Context(), proxy.Proxy{Type: "http", Host: "127.0.0.1", Port: k.record.Relay},
		"site.invalid:443")
	if !slices.Equal(s.Requested(), []string{"site.invalid:443"}) {
		t.Errorf("the proxy was asked for %v", s.Requested())
	}
}
