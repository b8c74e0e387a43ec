package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/api"
	"cove/internal/chromium"
)

// policies measures what the rules for agents cost.
func policies(ctx context.Context, a *app, dir string) error {
	fmt.Println("| what | with the rules | without | ratio | aim |")
	fmt.Println("|---|---|---|---|---|")
	return pageLoads(ctx, a, dir)
}

// keeperFile is what a keeper tells of itself.
type keeperFile struct {
	Socket, Token string
	Relay         int
}

// rule sends a policy to the keeper of the profile 1 and answers where its relay is.
func (a *app) rule(ctx context.Context, policy map[string]any) (k keeperFile, err error) {
	raw, err := os.ReadFile(filepath.Join(a.home, "browser_profiles", "1", "keeper.json"))
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(raw, &k); err != nil {
		return k, err
	}
	body, err := json.Marshal(policy)
	if err != nil {
		return k, err
	}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", k.Socket)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: dial}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, "http://keeper/v1/policy",
		strings.NewReader(string(body)))
	if err != nil {
		return k, err
	}
	req.Header.Set("Authorization", "Bearer "+k.Token)
	res, err := client.Do(req)
	if err != nil {
		return k, err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 {
		text, _ := io.ReadAll(res.Body)
		return k, fmt.Errorf("policy: %s %s", res.Status, text)
	}
	return k, nil
}

const (
	parts      = 50
	loadPairs  = 4 // of browsers: one alone may happen to be slower all the time
	loadRounds = 30
)

// partTags are the tags of a page's parts; each has the number of its part.
var partTags = []string{"<script src=/%d.js></script>", "<link rel=stylesheet href=/%d.css>", "<img src=/%d.svg>"}

// partsPage is a page of many parts that no cache keeps: scripts, styles and images of 20 kB.
func partsPage(secure bool) *httptest.Server {
	filler := strings.Repeat("/* 0123456789 */", 1280)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		switch {
		case strings.HasSuffix(r.URL.Path, ".js"):
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, filler)
		case strings.HasSuffix(r.URL.Path, ".css"):
			w.Header().Set("Content-Type", "text/css")
			_, _ = io.WriteString(w, filler)
		case strings.HasSuffix(r.URL.Path, ".svg"):
			w.Header().Set("Content-Type", "image/svg+xml")
			const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!--%s--></svg>`
			_, _ = fmt.Fprintf(w, svg, filler)
		default:
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<!doctype html><title>parts</title>")
			for i := range parts {
				_, _ = fmt.Fprintf(w, partTags[i%len(partTags)], i)
			}
		}
	})
	if secure {
		return httptest.NewTLSServer(handler)
	}
	return httptest.NewServer(handler)
}

// loadEnd is the time at which the page had loaded, as soon as it has.
const loadEnd = `new Promise((ok) => {
	const answer = () => setTimeout(() => ok(performance.getEntriesByType('navigation')[0].loadEventEnd));
	document.readyState === 'complete' ? answer() : addEventListener('load', answer);
})`

// loadTime opens a page and asks it how long it took.
func loadTime(ctx context.Context, p *page, url string) (time.Duration, error) {
	if err := p.conn.Call(ctx, p.session, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return 0, err
	}
	var r struct{ Result struct{ Value float64 } }
	err := p.conn.Call(ctx, p.session, "Runtime.evaluate",
		map[string]any{"awaitPromise": true, "returnByValue": true, "expression": loadEnd}, &r)
	if err == nil && r.Result.Value == 0 {
		err = fmt.Errorf("%s did not load", url)
	}
	return time.Duration(r.Result.Value * float64(time.Millisecond)), err
}

// pageLoads compares two bare browsers: one goes to the site by itself, the other through a profile's relay with a list
// of 50 rules.
func pageLoads(ctx context.Context, a *app, dir string) error {
	if _, err := a.Start(ctx, 1, api.StartOptions{Automation: true}); err != nil {
		return err
	}
	defer func() { _ = a.Stop(ctx, 1) }()
	for _, secure := range []bool{false, true} {
		site := partsPage(secure)
		defer site.Close()
		if err := loads(ctx, a, dir, site.URL); err != nil {
			return err
		}
	}
	return nil
}

func loads(ctx context.Context, a *app, dir, site string) error {
	allow := []string{}
	for i := range 48 {
		allow = append(allow, fmt.Sprintf("https://*.site%d.example", i))
	}
	sites := map[string]any{"allow": append(allow, site), "block": []string{"https://blocked.example"}}
	k, err := a.rule(ctx, map[string]any{"sites": sites})
	if err != nil {
		return err
	}
	took := [2][]time.Duration{}
	for range loadPairs {
		if err := loadPair(ctx, dir, site, k.Relay, &took); err != nil {
			return err
		}
	}
	scheme, _, _ := strings.Cut(site, ":")
	what := fmt.Sprintf("an %s page of %d parts through the relay with 50 rules : straight", scheme, parts)
	printRatio(what, median(took[0]), median(took[1]), "≤ 1.10")
	return nil
}

// loadPair adds the times of two new browsers that load a site in turns, the first of them through the relay.
func loadPair(ctx context.Context, dir, site string, relay int, took *[2][]time.Duration) error {
	var pages []*page
	for _, flags := range [][]string{chromium.Relay{Scheme: "socks5", Port: relay}.Flags(), nil} {
		port, stop, err := direct(ctx, dir, append(flags, "--ignore-certificate-errors")...)
		if err != nil {
			return err
		}
		defer stop()
		p, err := connect(ctx, port)
		if err != nil {
			return err
		}
		defer p.close()
		pages = append(pages, p)
	}
	for round := range loadRounds {
		for i := range pages {
			i ^= round % 2 // nobody is always first
			d, err := loadTime(ctx, pages[i], site+"/")
			if err != nil {
				return err
			}
			if round >= 5 {
				took[i] = append(took[i], d)
			}
		}
	}
	return nil
}
