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
		for range 16 { // the answer is long under way, and never rests
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			harness.Delay(r.Context(), 30*time.Millisecond)
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
	if err := g.Eval("() => o.textContent", &shown); err != nil || shown != strings.Repeat("x", 16) {
		t.Errorf("the answer did not wait for a body that the page reads: %q %v", shown, err)
	}
}

// What a page asks for while it opens is in the log of who reads it next, and so is what its scripts say to the answer.
func TestTheLogWaitsForYoungRequests(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>cart</title><script>
fetch('/first').then((r) => r.text()).then(() => fetch('/second')).then((r) => { if (!r.ok) nowhere.total })
</script>`)
	})
	mux.HandleFunc("/first", func(w http.ResponseWriter, r *http.Request) {
		harness.Delay(r.Context(), 300*time.Millisecond)
		_, _ = io.WriteString(w, "one")
	})
	mux.HandleFunc("/second", func(w http.ResponseWriter, r *http.Request) {
		harness.Delay(r.Context(), 100*time.Millisecond)
		w.WriteHeader(http.StatusInternalServerError)
	})
	stop := make(chan struct{})
	mux.HandleFunc("/stream", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>stream</title><script>console.log('here'); fetch('/never')</script>`)
	})
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	})
	base := host(t, mux)
	t.Cleanup(func() { close(stop) })
	g := harness.NewOurs(t, harness.Start(t), 1)

	g.Call("navigate_page", harness.Object{"url": base + "/"})
	if s := g.Call("list_console_messages", nil); !strings.Contains(s.Text, "nowhere is not defined") {
		t.Errorf("the console: %s", s.Text)
	}
	g.Call("navigate_page", harness.Object{"url": base + "/"})
	if s := g.Call("list_network_requests", nil); !strings.Contains(s.Text, "/second [500]") {
		t.Errorf("the requests: %s", s.Text)
	}
	g.Call("navigate_page", harness.Object{"url": base + "/stream"})
	if s := g.Call("list_network_requests", nil); !strings.Contains(s.Text, "/never [pending]") {
		t.Errorf("a request without an answer: %s", s.Text)
	}
	if s := g.Call("list_console_messages", nil); !strings.Contains(s.Text, "here") {
		t.Errorf("its console: %s", s.Text)
	}
}
