//go:build e2e

package tools

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// An answer waits for requests that the page waits for, and for no others.
func TestRequestsThatNobodyReadsHoldNothingBack(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>requests</title>
<button onclick="fetch('/answer').then((r) => { window.kept = r; })">Unread</button>
<button onclick="fetch('/answer', { method: 'POST', body: 'x', keepalive: true }).then((r) => { window.kept = r; })">Kept alive</button>
<button onclick="fetch('/small').then((r) => { window.kept = r; })">Small</button>
<button onclick="fetch('/open', { method: 'POST', body: 'x' })">Open</button>
<button onclick="navigator.sendBeacon('/never', 'x')">Beacon</button>
<button onclick="window.px = new Image(); px.src = '/never'">Pixel</button>
<button onclick="fetch('/slowly').then((r) => r.text()).then((t) => { o.textContent = t; })">Slowly</button>
<button onclick="fetch('/never')">Never</button><output id=o></output>`)
	})
	mux.HandleFunc("/answer", func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, strings.Repeat("x", 8<<20))
	})
	mux.HandleFunc("/small", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok") })
	stop := make(chan struct{})
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/open", func(w http.ResponseWriter, r *http.Request) { // it answers, and does not end
		_, _ = io.WriteString(w, "x")
		w.(http.Flusher).Flush()
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/slowly", func(w http.ResponseWriter, r *http.Request) {
		for range 8 { // the answer is long under way, and never rests
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			harness.Delay(r.Context(), 60*time.Millisecond)
		}
	})
	base := host(t, mux)
	t.Cleanup(func() { close(stop) })
	g := harness.NewOurs(t, harness.Start(t), 1)
	if s := g.Call("navigate_page", harness.Object{"url": base + "/"}); s.Outcome() != "ok" {
		t.Fatal(s.Err, s.Text)
	}
	click := func(name string) (harness.Said, time.Duration) {
		t.Helper()
		began := time.Now()
		s := g.Do("click", harness.Object{"uid": `button "` + name + `"`})
		if s.Outcome() != "ok" {
			t.Fatal(name, s.Err, s.Text)
		}
		return s, time.Since(began)
	}
	s, never := click("Never")
	if !strings.Contains(s.Text, "still under way") {
		t.Errorf("a request without an answer: %s", s.Text)
	}
	for _, name := range []string{"Small", "Unread", "Open", "Kept alive", "Beacon", "Pixel"} {
		s, took := click(name)
		t.Logf("%s: %v", name, took)
		if strings.Contains(s.Text, "still under way") || took > never/2 {
			t.Errorf("%s held the answer back: %v, and %v for one that never comes: %s", name, took, never, s.Text)
		}
	}
	click("Slowly")
	var shown string
	if err := g.Eval("() => o.textContent", &shown); err != nil || shown != strings.Repeat("x", 8) {
		t.Errorf("the answer did not wait for a body that the page reads: %q %v", shown, err)
	}
}
