//go:build e2e

package policy

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// awarePage is a page that tells its server of everything that a page can notice without being touched.
const awarePage = `<!doctype html><title>Notices</title><style>body{height:3000px;width:2000px}</style><h1>Notices</h1><a href=#x>link</a><script>
const tell = what => fetch('/told?' + what, {keepalive: true});
for (const type of ['resize', 'beforeprint', 'afterprint', 'focus', 'blur', 'scroll', 'pageshow', 'pagehide',
  'orientationchange', 'deviceorientation', 'languagechange', 'online', 'offline'])
  addEventListener(type, e => tell(type + (e.target === window ? '' : '-inner')), true);
for (const type of ['visibilitychange', 'fullscreenchange', 'selectionchange', 'freeze', 'resume']) document.addEventListener(type, () => tell(type));
visualViewport.addEventListener('resize', () => tell('viewport-resize'));
visualViewport.addEventListener('scroll', () => tell('viewport-scroll'));
for (const q of ['print', '(prefers-color-scheme: dark)', '(hover: none)', '(pointer: coarse)',
  '(max-width: 700px)', '(min-width: 1500px)', '(orientation: portrait)', '(prefers-reduced-motion: reduce)',
  '(forced-colors: active)', '(resolution: 2dppx)'])
  matchMedia(q).addEventListener('change', () => tell('media ' + q));
new ResizeObserver((() => { let first = true; return () => { if (!first) tell('observed'); first = false } })()).observe(document.documentElement);
addEventListener('load', () => setTimeout(() => tell('ready'), 300));
window.quiet = () => tell('asked');
</script>`

type awareSite struct {
	*httptest.Server
	mu   sync.Mutex
	told []string
}

func newAwareSite(t *testing.T) *awareSite {
	t.Helper()
	s := &awareSite{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/told" {
			s.mu.Lock()
			s.told = append(s.told, r.URL.RawQuery)
			s.mu.Unlock()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, awarePage)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *awareSite) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.told)
}

// Whoever only looks is not noticed: neither a program nor a tool sets off a handler of the page under read-only.
func TestWhoeverOnlyLooksIsNotNoticed(t *testing.T) {
	web := newAwareSite(t)
	a := harness.Start(t)
	a.Open(1)
	m := harness.StartMCP(t, harness.Command{Args: []string{harness.Cove, "mcp", "1", "--tools", "pdf"},
		Env: a.Environ(), Dir: t.TempDir()})
	m.Initialize()
	m.Works("navigate_page", harness.Object{"url": web.URL})
	harness.Wait(t, "the page", func() bool { return slices.Contains(web.heard(), "ready") })
	uid := m.Find(`link "link"`)
	a.Must("policy", "set", "1", "--preset", "read-only")
	w, _ := dialWire(t, a.Socket(1))
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", harness.Object{}, &targets)
	var attached struct{ SessionID string }
	for _, one := range targets.TargetInfos {
		if one.Type == "page" && strings.HasPrefix(one.URL, web.URL) {
			w.must("", "Target.attachToTarget", harness.Object{"targetId": one.TargetID, "flatten": true}, &attached)
		}
	}
	// settled waits until everything that the page had to tell has come: two pictures of it lie in between.
	settled := func() {
		t.Helper()
		for range 3 {
			w.must(attached.SessionID, "Page.captureScreenshot",
				harness.Object{"format": "jpeg", "quality": 1, "clip": harness.Object{"x": 0, "y": 0, "width": 10,
					"height": 10, "scale": 1}}, nil)
		}
	}
	settled()
	before := len(web.heard())
	noticed := func(what string) {
		t.Helper()
		settled()
		if all := web.heard(); len(all) > before {
			t.Errorf("%s was noticed: %v", what, all[before:])
			before = len(all)
		}
	}
	for _, c := range []struct {
		method string
		params harness.Object
	}{
		{"Page.captureScreenshot", harness.Object{}},
		{"Page.captureScreenshot", harness.Object{"captureBeyondViewport": true}},
		{"Page.captureScreenshot",
			harness.Object{"clip": harness.Object{"x": 0, "y": 0, "width": 200, "height": 300, "scale": 1}}},
		{"Page.captureScreenshot",
			harness.Object{"captureBeyondViewport": true, "clip": harness.Object{"x": 0, "y": 0, "width": 200,
				"height": 300, "scale": 1}}},
		{"Page.captureScreenshot",
			harness.Object{"clip": harness.Object{"x": 0, "y": 0, "width": 2000, "height": 3000, "scale": 1}}},
		{"Page.captureScreenshot",
			harness.Object{"captureBeyondViewport": true, "clip": harness.Object{"x": 0, "y": 0, "width": 2000,
				"height": 3000, "scale": 1}}},
		{"Page.captureScreenshot", harness.Object{"fromSurface": false}},
		{"Page.captureScreenshot",
			harness.Object{"clip": harness.Object{"x": 0, "y": 0, "width": 200, "height": 300, "scale": 2}}},
		{"Emulation.setDeviceMetricsOverride", harness.Object{"width": 400, "height": 300, "deviceScaleFactor": 2,
			"mobile": true}},
		{"Emulation.clearDeviceMetricsOverride", harness.Object{}},
		{"Emulation.setVisibleSize", harness.Object{"width": 300, "height": 300}},
		{"Emulation.setEmulatedMedia",
			harness.Object{"media": "print",
				"features": []harness.Object{{"name": "prefers-color-scheme", "value": "dark"},
					{"name": "prefers-reduced-motion", "value": "reduce"}}}},
		{"Emulation.setTouchEmulationEnabled", harness.Object{"enabled": true}},
		{"Emulation.setScrollbarsHidden", harness.Object{"hidden": true}},
		{"Emulation.setFocusEmulationEnabled", harness.Object{"enabled": true}},
		{"Emulation.setFocusEmulationEnabled", harness.Object{"enabled": false}},
		{"Emulation.setDefaultBackgroundColorOverride",
			harness.Object{"color": harness.Object{"r": 0, "g": 0, "b": 0, "a": 0}}},
		{"Page.printToPDF", harness.Object{}},
		{"Browser.setWindowBounds",
			harness.Object{"windowId": 1, "bounds": harness.Object{"width": 500, "height": 500}}},
		{"Browser.setContentsSize", harness.Object{"windowId": 1, "width": 500, "height": 500}},
		{"Page.startScreencast", harness.Object{"format": "jpeg", "quality": 1, "everyNthFrame": 1}},
		{"Page.stopScreencast", harness.Object{}},
		{"Page.bringToFront", harness.Object{}},
		{"Page.setWebLifecycleState", harness.Object{"state": "frozen"}},
		{"DOM.enable", harness.Object{}}, {"CSS.enable", harness.Object{}}, {"Overlay.enable", harness.Object{}},
		{"Accessibility.enable", harness.Object{}}, {"Animation.enable", harness.Object{}},
		{"Audits.enable", harness.Object{}},
		{"DOM.getDocument", harness.Object{"depth": -1, "pierce": true}},
		{"DOMSnapshot.captureSnapshot", harness.Object{"computedStyles": []string{"color"}, "includePaintOrder": true}},
		{"Accessibility.getFullAXTree", harness.Object{}},
		{"Page.getLayoutMetrics", harness.Object{}},
		{"Network.setCacheDisabled", harness.Object{"cacheDisabled": false}},
		{"Page.createIsolatedWorld", harness.Object{}},
		{"Runtime.enable", harness.Object{}}, {"Page.enable", harness.Object{}}, {"Inspector.enable", harness.Object{}},
		{"Log.enable", harness.Object{}}, {"Performance.enable", harness.Object{}},
	} {
		_ = w.do(attached.SessionID, c.method, c.params, nil)
		noticed(fmt.Sprint(c.method, c.params))
	}
	for name, args := range map[string]harness.Object{"take_snapshot": {"verbose": true},
		"take_screenshot": {"fullPage": true}, "list_pages": {}, "select_page": {"pageId": 1, "bringToFront": true},
		"wait_for": {"text": []string{"Notices"}}, "save_pdf": {"filePath": filepath.Join(t.TempDir(),
			"x.pdf")}, "list_console_messages": {}, "list_network_requests": {}} {
		_ = m.Tool(name, args)
		noticed(name)
	}
	m.Works("take_screenshot", harness.Object{"uid": uid})
	m.Works("take_screenshot", nil)
	noticed("take_screenshot of an element")
	_ = w.ws.CloseNow()
	m.Works("take_snapshot", nil)
	if all := web.heard(); len(all) > before {
		t.Errorf("leaving was noticed: %v", all[before:])
	}
}

// restlessPage has one small button and changes all the time. Its title counts the clicks on the button and the others.
const restlessPage = `<!doctype html><title>0 and 0</title><body style="margin:0"><p id=p>0</p>
<button id=b style="position:absolute;left:600px;top:400px;width:40px;height:20px">Go</button><script>
let hits = 0, misses = 0
addEventListener('mousedown', e => { e.target === b ? hits++ : misses++; document.title = hits + ' and ' + misses })
setInterval(() => { p.textContent++; p.style.background = 'hsl(' + Math.random() * 360 + ' 50% 50%)' }, 30)
</script>`

// While a scaled page is captured, the browser takes the places of the mouse for others.
func TestWatchingAScaledPageMovesNoClick(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, restlessPage)
	}))
	t.Cleanup(site.Close)
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": site.URL})
	m.Works("emulate", harness.Object{"viewport": "1000x700x2"})
	v, end := a.Watch(1, "")
	defer end()
	const clicks = 20
	for n := range clicks {
		before := v.Pictures()
		harness.Wait(t, "the view to go on", func() bool { return v.Pictures() > before })
		m.Works("click", harness.Object{"uid": m.Find(`button "Go"`)})
		want := fmt.Sprintf("%d and 0", n+1)
		if got := m.Works("evaluate_script", harness.Object{"function": "() => document.title"}); !strings.Contains(got, want) {
			t.Fatalf("after %s: %s", want, got)
		}
	}
	a.AwaitPicture(1, "evaluate_script")
	end()
	m.Works("click", harness.Object{"uid": m.Find(`button "Go"`)})
	a.AwaitPicture(1, "click")
}
