//go:build e2e

package external

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// Only the person reaches the box, and neither the file with the port nor the setting proves that it is ticked.
func TestFactsOfTheSwitch(t *testing.T) {
	p := harness.NewPerson(t)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+port(p)+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "a.test"
	if got, err := http.DefaultClient.Do(r); err != nil {
		t.Error(err)
	} else if _ = got.Body.Close(); got.StatusCode != http.StatusInternalServerError {
		t.Errorf("another Host: %d", got.StatusCode)
	}

	const address = "chrome://inspect/#remote-debugging"
	d, _ := connect(p, p.Allow)
	if d == nil {
		t.Fatal("no connection")
	}
	p.Visit("Default", address)
	harness.Wait(t, "the new tab in its place", func() bool { return len(d.pages("chrome://new-tab-page")) == 1 })
	if len(d.pages("chrome://inspect")) > 0 {
		t.Error("a program opens the page with the box")
	}

	inspect := d.attach(d.must("", "Target.createTarget", object{"url": address})["targetId"])
	const box = "document.getElementById('remote-debugging-enabled')"
	harness.Wait(t, "the box", func() bool {
		got := d.must(inspect, "Runtime.evaluate", object{"expression": box + "?.checked"})
		return got["result"].(object)["value"] == true
	})
	_, _ = d.call(inspect, "Runtime.evaluate", object{"expression": box + ".click()"})
	if _, err := d.call("", "Browser.getVersion", nil); err == nil {
		t.Error("the connection goes on without the box")
	}
	if ws, _, err := dial(t.Context(), p, "/devtools/browser", nil); err == nil {
		_ = ws.CloseNow()
		t.Error("a connection without the box")
	}
	if _, err := os.Stat(filepath.Join(p.DataDir, "DevToolsActivePort")); err != nil {
		t.Errorf("the file with the port goes with the box: %v", err)
	}
	if !p.Open() {
		t.Error("the browser has gone")
	}
}

// One cookie that is not valid keeps the others of its call out, and none is kept for more than 400 days.
func TestFactsOfCookies(t *testing.T) {
	p := harness.NewPerson(t)
	d, _ := connect(p, p.Allow)
	if d == nil {
		t.Fatal("no connection")
	}
	const address = "https://a.test/"
	good := object{"name": "good", "value": "1", "url": address}
	if _, err := d.call("", "Storage.setCookies", object{"cookies": []object{good,
		{"name": "__Host-bad", "value": "1", "domain": ".a.test", "secure": true, "path": "/"}}}); err == nil {
		t.Error("a cookie that is not valid is set")
	}
	if got := d.values("", "Storage.getCookies"); strings.Contains(got, "good") {
		t.Errorf("one of a call that failed: %s", got)
	}
	const days = 24 * 60 * 60
	now := float64(time.Now().Unix())
	good["expires"] = now + 1000*days
	d.must("", "Storage.setCookies", object{"cookies": []object{good}})
	list, _ := d.must("", "Storage.getCookies", nil)["cookies"].([]any)
	if len(list) != 1 {
		t.Fatalf("the cookies are %v", list)
	}
	if end, _ := list[0].(object)["expires"].(float64); end < now+399*days || end > now+401*days {
		t.Errorf("it is kept for %.1f days", (end-now)/days)
	}
}

// The address of a tab is the one that it is about to load. What it shows is in its history.
func TestFactsOfATabThatLoads(t *testing.T) {
	s, p := newSites(t, 2), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/before"))
	d, _ := connect(p, p.Allow)
	harness.Wait(t, "the tab", func() bool { return len(d.pages("/before")) == 1 })
	at := d.attach(d.pages("/before")[0]["targetId"])
	p.Go(s.url(2, "/late"))
	harness.Wait(t, "the tab's next address", func() bool { return len(d.pages("/late")) == 1 })
	h := d.must(at, "Page.getNavigationHistory", nil)
	entries, _ := h["entries"].([]any)
	current, _ := h["currentIndex"].(float64)
	if shown, _ := entries[int(current)].(object); shown["url"] != s.url(1, "/before") {
		t.Errorf("the history says %v", h)
	}
	close(s.rest)
}
