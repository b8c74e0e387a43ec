//go:build e2e

package compat

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
	"cove/internal/proxy/proxytest"
)

// Each client runs end to end with its own requests: only the address and the token are ours.
func TestClientsOfDolphin(t *testing.T) {
	for _, name := range []string{"pyanty", "skills-dolphin-anty", "dolphin-anty-tuner"} {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t)
			p := newPlayer(t, a)
			through := proxytest.Start(t, proxytest.Config{Type: "http", Login: "u", Password: "p"})
			p.names["proxyhost"], p.names["proxyport"] = "127.0.0.1", strconv.Itoa(through.Proxy().Port)
			r := read(t, name)
			p.play(r)
			if name == "dolphin-anty-tuner" && len(through.Requested()) == 0 {
				t.Error("the page was not loaded through the profile's proxy")
			}
		})
	}
}

func TestClientsOfAdsPower(t *testing.T) {
	for name, key := range map[string]string{"adspower-browser": "required", "localapi-python": "off",
		"localapi-js": "off"} {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t)
			p := newPlayer(t, a)
			port := strconv.Itoa(harness.FreePort(t))
			harness.MustSucceed(t, a.Own("PUT", "/v1.0/settings/adspower.key", `{"value":"`+key+`"}`))
			harness.MustSucceed(t, a.Own("PUT", "/v1.0/settings/adspower.port", `{"value":"`+port+`"}`))
			p.base, p.names["adsport"] = "http://127.0.0.1:"+port, port
			p.play(read(t, name))
		})
	}
}

// newPlayer returns a player with an API token of an app, and a page to open.
func newPlayer(t *testing.T, a *harness.App) player {
	t.Helper()
	made := a.Own("POST", "/v1.0/tokens", `{"name":"script"}`)
	harness.MustSucceed(t, made)
	token, _ := harness.Member(made.Body, "data", "token").(string)
	page := harness.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Welcome</title>"))
	})
	return player{T: t, base: a.Base, page: page, names: map[string]string{"token": token}}
}

// open opens the page with the tool that the client uses.
func (p player) open(s step) {
	p.Helper()
	address := p.fill(s.Address)
	if s.Open == "json/new" {
		p.openByHTTP(address, s)
		return
	}
	var got struct{ Title string }
	harness.Node(p.T, &got, "compat.mjs", s.Open, address, p.page, p.names["driver"])
	if got.Title != "Welcome" {
		p.Errorf("%s: %s at %s sees %q", s.Source, s.Open, address, got.Title)
	}
}

// openByHTTP opens the page with PUT /json/new, and waits until it has loaded.
func (p player) openByHTTP(address string, s step) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut,
		"http://"+address+"/json/new?"+url.QueryEscape(p.page), nil)
	if err != nil {
		p.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		p.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var tab struct{ ID, URL string }
	if err := json.NewDecoder(res.Body).Decode(&tab); err != nil || res.StatusCode != http.StatusOK || tab.ID == "" {
		p.Fatalf("%s: %d, %+v, %v", s.Source, res.StatusCode, tab, err)
	}
	harness.Wait(p.T, "the page to load", func() bool {
		res, err := harness.Get(p.T, "http://"+address+"/json/list")
		if err != nil {
			return false
		}
		defer func() { _ = res.Body.Close() }()
		var tabs []struct{ ID, Title string }
		if json.NewDecoder(res.Body).Decode(&tabs) != nil {
			return false
		}
		for _, one := range tabs {
			if one.ID == tab.ID && strings.Contains(one.Title, "Welcome") {
				return true
			}
		}
		return false
	})
}
