//go:build e2e

package external

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

// TestRequestsForClosedSitesAreNotTold: not those of a script, and not those of the person. Of cookies, a program hears
// of those of the tab's own site.
func TestRequestsForClosedSitesAreNotTold(t *testing.T) {
	s, p, _, d := bounds(t)
	at := d.attached("/open")
	var mu sync.Mutex
	var heard []string
	d.seen = func(raw []byte) {
		var e struct{ Method string }
		if json.Unmarshal(raw, &e) == nil && e.Method != "" {
			mu.Lock()
			defer mu.Unlock()
			heard = append(heard, string(raw))
		}
	}
	hears := func(text string) bool {
		d.must("", "Browser.getVersion", nil)
		mu.Lock()
		defer mu.Unlock()
		return strings.Contains(strings.Join(heard, "\n"), text)
	}
	for _, domain := range []string{"Page", "Network", "Log", "Console", "Audits"} {
		d.must(at, domain+".enable", nil)
	}
	for _, address := range []string{s.url(1, "/closed-image"), s.url(3, "/open-image"), "/own-image"} {
		d.must(at, "Runtime.evaluate", object{"expression": "void (new Image().src = '" + address + "')"})
	}
	for _, path := range []string{"/closed-image", "/open-image", "/own-image"} {
		harness.Wait(t, path, func() bool { return s.count(path) > 0 })
	}
	for _, words := range []string{"/open-image", "/own-image", "secret-ann-s2"} {
		harness.Wait(t, "the events with "+words, func() bool { return hears(words) })
	}
	p.Go(s.url(1, "/closed-page"))
	harness.Wait(t, "the page", func() bool { return s.saw("/closed-page") != "" })
	harness.Wait(t, "the tab to be hidden", func() bool { return len(d.pages("localhost")) == 0 })
	d.must("", "Browser.getVersion", nil)
	mu.Lock()
	defer mu.Unlock()
	for _, words := range []string{"/closed-image", "/closed-page", "secret-ann-s1", "secret-ann-s3"} {
		for _, event := range heard {
			if strings.Contains(event, words) {
				t.Errorf("the program hears of %s: %s", words, event)
			}
		}
	}
}

// TestAClosedPageStaysHiddenWhileAnotherLoads: the browser already says the next address of the tab.
func TestAClosedPageStaysHiddenWhileAnotherLoads(t *testing.T) {
	s, p, _, d := bounds(t)
	d.attached("/open")
	p.Go(s.url(1, "/private"))
	harness.Wait(t, "the page", func() bool { return s.saw("/private") != "" })
	harness.Wait(t, "the tab to be hidden", func() bool { return len(d.pages("localhost")) == 0 })
	p.Go(s.url(3, "/late"))
	harness.Wait(t, "the next request", func() bool { return s.saw("/late") != "" })
	harness.Never(t, 3*time.Second, func() string {
		if list := d.pages("localhost"); len(list) > 0 {
			return "the program sees the tab"
		}
		return ""
	})
	close(s.rest)
	harness.Wait(t, "the tab at its next page", func() bool { return len(d.pages("/late")) == 1 })
}

// TestADetourOverAClosedSite: sites send their users to a login elsewhere and back. Clients arrive, also where the page
// asks for something that ends at the closed site.
func TestADetourOverAClosedSite(t *testing.T) {
	s, _, a, _ := bounds(t)
	address := s.url(2, "/detour?to="+s.url(1, "/hop?to="+s.url(2, "/back")))
	in, err := json.Marshal(object{"endpoint": endpoint(a), "address": address})
	if err != nil {
		t.Fatal(err)
	}
	var ends []string
	harness.Node(t, &ends, "detour.mjs", string(in))
	if len(ends) != 2 || s.count("/hop") < 2 {
		t.Fatalf("%v, %d detours", ends, s.count("/hop"))
	}
	for _, end := range ends {
		if end != s.url(2, "/back")+" 200 /back" {
			t.Errorf("a client ends at %s", end)
		}
	}
}
