//go:build e2e

package tools

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"cove/internal/trace"
	"cove/internal/trace/report"
	"cove/internal/trace/task"

	"cove/e2e/harness"
)

// slowSite serves pages with known faults; what is below /slow/ waits as many milliseconds as ?wait says.
func slowSite(t *testing.T) *httptest.Server {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 500, 300))
	for i := range picture.Pix { // noise: a plain picture is too poor to be the largest contentful paint
		picture.Pix[i] = byte(rand.IntN(256))
	}
	var noise bytes.Buffer
	if err := png.Encode(&noise, picture); err != nil {
		t.Fatal(err)
	}
	routes := http.NewServeMux()
	for path, page := range slowPages {
		routes.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			// A page has its own server time, so that its first byte is not the navigation's beginning.
			harness.Delay(r.Context(), 30*time.Millisecond)
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte("<!doctype html><title>slow</title><body style='margin:0'>" + page))
		})
	}
	routes.HandleFunc("/slow/{name}", func(w http.ResponseWriter, r *http.Request) {
		ms, _ := time.ParseDuration(r.FormValue("wait") + "ms")
		harness.Delay(r.Context(), ms)
		w.Header().Set("Cache-Control", "no-store")
		switch name := r.PathValue("name"); {
		case strings.HasSuffix(name, ".png"):
			w.Header().Set("Content-Type", "image/png")
			_, _ = w.Write(noise.Bytes())
		case strings.HasSuffix(name, ".css"):
			w.Header().Set("Content-Type", "text/css")
			_, _ = w.Write([]byte("h1 { color: green }"))
		default:
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write([]byte("window.loaded = true"))
		}
	})
	routes.Handle("/old", http.RedirectHandler("/text", http.StatusFound))
	s := httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s
}

var slowPages = map[string]string{
	"/text":     `<h1 id=title>Only a few words here</h1><p>and some more`,
	"/hero":     `<h1>small</h1><img id=hero width=500 height=300 src="/slow/hero.png?wait=400">`,
	"/shift":    `<h1>above</h1><img id=late src="/slow/late.png?wait=400"><p id=moved>This line is pushed down when the picture comes.</p>`,
	"/click":    `<h1>click</h1><button id=go style="width:200px;height:80px">go</button><script>go.onclick = function heavy() { const t = performance.now(); while (performance.now() - t < 150); go.textContent = 'done'; }</script>`,
	"/blocking": `<link rel=stylesheet href="/slow/look.css?wait=400"><script src="/slow/first.js?wait=200"></script><script async src="/slow/later.js?wait=50"></script><h1>at last</h1>`,
	"/busy":     `<h1>busy</h1><script>setTimeout(function begin() { (function crunch() { const t = performance.now(); while (performance.now() - t < 200); })(); document.title = 'done'; }, 300)</script>`,
	"/all": `<link rel=stylesheet href="/slow/look.css?wait=100"><h1>all</h1><img id=hero width=300 height=180 src="/slow/hero.png?wait=300"><img id=late style="display:block" src="/slow/late.png?wait=700"><div style="height:250px;background:#cde">This is pushed down.</div>
		<button id=go style="width:200px;height:80px;position:absolute;left:520px;top:0">go</button><script>go.onclick = () => { const t = performance.now(); while (performance.now() - t < 150); go.textContent = 'done'; }</script>`,
}

// record makes a trace while something happens in a tab.
func record(t *testing.T, b *harness.Tab, do func()) report.Report {
	t.Helper()
	b.Call("Tracing.start", map[string]any{"transferMode": "ReturnAsStream",
		"traceConfig": map[string]any{"includedCategories": trace.Categories}}, nil)
	do()
	b.Call("Tracing.end", nil, nil)
	var done struct{ Stream string }
	if err := json.Unmarshal(b.Await("Tracing.tracingComplete"), &done); err != nil {
		t.Fatal(err)
	}
	tr, err := trace.Parse(&stream{b: b, handle: done.Stream})
	if err != nil {
		t.Fatal(err)
	}
	r := tr.Analyze()
	if t.Failed() || testing.Verbose() {
		t.Log(r.Summary())
	}
	return r
}

// stream reads a stream of the browser.
type stream struct {
	b      *harness.Tab
	handle string
	rest   []byte
	eof    bool
}

func (s *stream) Read(p []byte) (int, error) {
	for len(s.rest) == 0 && !s.eof {
		var r struct {
			Data          string
			EOF           bool
			Base64Encoded bool
		}
		s.b.Call("IO.read", map[string]any{"handle": s.handle, "size": 1 << 20}, &r)
		s.rest, s.eof = []byte(r.Data), r.EOF
		if r.Base64Encoded {
			s.rest, _ = base64.StdEncoding.DecodeString(r.Data)
		}
	}
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}

// paints waits until the page has shown two more frames, so that the trace holds what it shows.
const paints = `new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 100))))`

// taskOf returns the long task whose busiest function has a name. On a busy machine others may be longer.
func taskOf(tasks []task.Task, function string) task.Task {
	for _, one := range tasks {
		if one.Function.Function == function {
			return one
		}
	}
	return task.Task{}
}

func TestTraceOfPagesWithKnownFaults(t *testing.T) {
	a, web := harness.Start(t), slowSite(t)
	b := harness.NewTab(t, a.Open(1))
	load := func(t *testing.T, path, until string) report.Set {
		t.Helper()
		b.T = t
		r := record(t, b, func() {
			b.Visit(web.URL + path)
			if until != "" {
				b.Until(until)
			}
			b.Eval(paints, nil)
		})
		last := r.Sets[len(r.Sets)-1]
		if !strings.HasPrefix(last.ID, "NAVIGATION_") || !strings.HasPrefix(last.URL, web.URL) {
			t.Fatalf("the last set is %s of %s", last.ID, last.URL)
		}
		return last
	}
	path := func(address string) string {
		if u, err := url.Parse(address); err == nil {
			return u.Path
		}
		return address
	}

	t.Run("text is the largest paint, after a redirect", func(t *testing.T) {
		s := load(t, "/old", "")
		if s.LCP == nil || s.LCP.Image || !strings.HasPrefix(s.LCP.Element.Name, "H1 id='title'") ||
			len(s.LCP.Parts) != 2 || s.LCP.Request != nil {
			t.Errorf("LCP %+v", s.LCP)
		}
		if path(s.URL) != "/text" || s.Document == nil || s.Document.Redirects != 1 {
			t.Errorf("document %s %+v", s.URL, s.Document)
		}
		if s.CLS.Score != 0 || s.INP != nil || len(s.Blocking) != 0 {
			t.Errorf("a quiet page has CLS %v, INP %v, blocking %v", s.CLS, s.INP, s.Blocking)
		}
	})
	t.Run("a slow image is the largest paint", func(t *testing.T) {
		s := load(t, "/hero", "hero.complete")
		if s.LCP == nil || !s.LCP.Image || s.LCP.Request == nil || path(s.LCP.Request.URL) != "/slow/hero.png" ||
			!strings.HasPrefix(s.LCP.Element.Name, "IMG id='hero'") {
			t.Fatalf("LCP %+v", s.LCP)
		}
		var sum, loading time.Duration
		for _, p := range s.LCP.Parts {
			sum += p.Time
			if p.Name == "Load duration" {
				loading = p.Time
			}
		}
		if len(s.LCP.Parts) != 4 || loading < 400*time.Millisecond || sum != s.LCP.Time {
			t.Errorf("parts %v of %v", s.LCP.Parts, s.LCP.Time)
		}
		if s.CLS.Score != 0 {
			t.Errorf("an image with a size shifts: %+v", s.CLS)
		}
	})
	t.Run("another site is another process", func(t *testing.T) {
		b.T = t
		other := strings.Replace(web.URL, "127.0.0.1", "localhost", 1) + "/text"
		r := record(t, b, func() { b.Visit(other); b.Eval(paints, nil) })
		s := r.Sets[len(r.Sets)-1]
		if s.ID != "NAVIGATION_0" || s.URL != other || s.LCP == nil ||
			!strings.HasPrefix(s.LCP.Element.Name, "H1 id='title'") {
			t.Errorf("set %s of %s, LCP %+v", s.ID, s.URL, s.LCP)
		}
		// The browser does not always record the first moments of a new process; then the report says so.
		if r.Incomplete == "" && len(s.LCP.Parts) != 2 {
			t.Errorf("parts %v", s.LCP.Parts)
		}
	})
	t.Run("an image without a size shifts what is below it", func(t *testing.T) {
		s := load(t, "/shift", "late.complete")
		if len(s.CLS.Shifts) == 0 || s.CLS.Score <= 0 {
			t.Fatalf("CLS %+v", s.CLS)
		}
		shift := s.CLS.Shifts[len(s.CLS.Shifts)-1]
		if len(shift.Elements) == 0 || !strings.HasPrefix(shift.Elements[0].Name, "P id='moved'") {
			t.Errorf("moved: %v", shift.Elements)
		}
		if len(shift.Culprits) == 0 ||
			!strings.HasPrefix(shift.Culprits[0], "image without width and height: IMG id='late'") {
			t.Errorf("culprits: %v", shift.Culprits)
		}
	})
	t.Run("a busy handler makes a slow interaction", func(t *testing.T) {
		b.T = t
		b.Visit(web.URL + "/click")
		b.Eval(paints, nil)
		r := record(t, b, func() {
			b.Click("#go")
			b.Until("go.textContent === 'done'")
			b.Eval(paints, nil)
		})
		if len(r.Sets) != 1 || r.Sets[0].ID != "NO_NAVIGATION" || r.Sets[0].URL != web.URL+"/click" {
			t.Fatalf("sets: %+v", r.Sets)
		}
		set := r.Sets[0]
		i := set.INP
		if i == nil || i.Type != "click" || i.Count != 1 || i.Processing < 150*time.Millisecond ||
			i.InputDelay+i.Processing+i.Presentation != i.Time {
			t.Errorf("INP %+v", i)
		}
		if busy := taskOf(set.Tasks, "heavy"); busy.Script.Function != "heavy" {
			t.Errorf("tasks %+v", set.Tasks)
		}
	})
	t.Run("slow files in the head block the first paint", func(t *testing.T) {
		s := load(t, "/blocking", "window.loaded")
		var names []string
		for _, r := range s.Blocking {
			names = append(names, path(r.URL))
			if r.Start+r.Duration > s.FCP {
				t.Errorf("%s ends after the first paint that it blocks", r.URL)
			}
		}
		if strings.Join(names, " ") != "/slow/look.css /slow/first.js" {
			t.Errorf("blocking: %v", names)
		}
	})
	t.Run("a long task is told with its function", func(t *testing.T) {
		s := load(t, "/busy", "document.title === 'done'")
		busy := taskOf(s.Tasks, "crunch")
		if busy.Duration < 200*time.Millisecond || busy.Kind != "timer callback" ||
			busy.Script.Function != "begin" || path(busy.Function.URL) != "/busy" {
			t.Errorf("tasks %+v", s.Tasks)
		}
		if s.TBT < busy.Blocking {
			t.Errorf("total blocking time %v", s.TBT)
		}
	})
}
