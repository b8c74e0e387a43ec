//go:build e2e

package e2e

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
)

// awarePage is a page that tells its server of everything that a page can notice without being touched.
const awarePage = `<!doctype html><title>Notices</title><style>body{height:3000px;width:2000px}</style><h1>Notices</h1><a href=#x>link</a><script>
const tell = what => fetch('/told?' + what, {keepalive: true});
for (const type of ['resize', 'beforeprint', 'afterprint', 'focus', 'blur', 'scroll', 'pageshow', 'pagehide', 'orientationchange', 'deviceorientation', 'languagechange', 'online', 'offline'])
  addEventListener(type, e => tell(type + (e.target === window ? '' : '-inner')), true);
for (const type of ['visibilitychange', 'fullscreenchange', 'selectionchange', 'freeze', 'resume']) document.addEventListener(type, () => tell(type));
visualViewport.addEventListener('resize', () => tell('viewport-resize'));
visualViewport.addEventListener('scroll', () => tell('viewport-scroll'));
for (const q of ['print', '(prefers-color-scheme: dark)', '(hover: none)', '(pointer: coarse)', '(max-width: 700px)', '(min-width: 1500px)', '(orientation: portrait)', '(prefers-reduced-motion: reduce)', '(forced-colors: active)', '(resolution: 2dppx)'])
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
	a := start(t)
	a.open(1)
	m := startMCP(t, command{args: []string{cove, "mcp", "1", "--tools", "pdf"}, env: a.environ(), dir: t.TempDir()})
	m.initialize()
	m.works("navigate_page", object{"url": web.URL})
	wait(t, "the page", func() bool { return slices.Contains(web.heard(), "ready") })
	uid := m.find(`link "link"`)
	a.must("policy", "set", "1", "--preset", "read-only")
	w, _ := dialWire(t, a.socket(1))
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	w.must("", "Target.getTargets", object{}, &targets)
	var attached struct{ SessionID string }
	for _, one := range targets.TargetInfos {
		if one.Type == "page" && strings.HasPrefix(one.URL, web.URL) {
			w.must("", "Target.attachToTarget", object{"targetId": one.TargetID, "flatten": true}, &attached)
		}
	}
	// settled waits until everything that the page had to tell has come: two pictures of it lie in between.
	settled := func() {
		t.Helper()
		for range 3 {
			w.must(attached.SessionID, "Page.captureScreenshot", object{"format": "jpeg", "quality": 1, "clip": object{"x": 0, "y": 0, "width": 10, "height": 10, "scale": 1}}, nil)
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
		params object
	}{
		{"Page.captureScreenshot", object{}},
		{"Page.captureScreenshot", object{"captureBeyondViewport": true}},
		{"Page.captureScreenshot", object{"clip": object{"x": 0, "y": 0, "width": 200, "height": 300, "scale": 1}}},
		{"Page.captureScreenshot", object{"captureBeyondViewport": true, "clip": object{"x": 0, "y": 0, "width": 200, "height": 300, "scale": 1}}},
		{"Page.captureScreenshot", object{"clip": object{"x": 0, "y": 0, "width": 2000, "height": 3000, "scale": 1}}},
		{"Page.captureScreenshot", object{"captureBeyondViewport": true, "clip": object{"x": 0, "y": 0, "width": 2000, "height": 3000, "scale": 1}}},
		{"Page.captureScreenshot", object{"fromSurface": false}},
		{"Page.captureScreenshot", object{"clip": object{"x": 0, "y": 0, "width": 200, "height": 300, "scale": 2}}},
		{"Emulation.setDeviceMetricsOverride", object{"width": 400, "height": 300, "deviceScaleFactor": 2, "mobile": true}},
		{"Emulation.clearDeviceMetricsOverride", object{}},
		{"Emulation.setVisibleSize", object{"width": 300, "height": 300}},
		{"Emulation.setEmulatedMedia", object{"media": "print", "features": []object{{"name": "prefers-color-scheme", "value": "dark"}, {"name": "prefers-reduced-motion", "value": "reduce"}}}},
		{"Emulation.setTouchEmulationEnabled", object{"enabled": true}},
		{"Emulation.setScrollbarsHidden", object{"hidden": true}},
		{"Emulation.setFocusEmulationEnabled", object{"enabled": true}},
		{"Emulation.setFocusEmulationEnabled", object{"enabled": false}},
		{"Emulation.setDefaultBackgroundColorOverride", object{"color": object{"r": 0, "g": 0, "b": 0, "a": 0}}},
		{"Page.printToPDF", object{}},
		{"Browser.setWindowBounds", object{"windowId": 1, "bounds": object{"width": 500, "height": 500}}},
		{"Browser.setContentsSize", object{"windowId": 1, "width": 500, "height": 500}},
		{"Page.startScreencast", object{"format": "jpeg", "quality": 1, "everyNthFrame": 1}},
		{"Page.stopScreencast", object{}},
		{"Page.bringToFront", object{}},
		{"Page.setWebLifecycleState", object{"state": "frozen"}},
		{"DOM.enable", object{}}, {"CSS.enable", object{}}, {"Overlay.enable", object{}}, {"Accessibility.enable", object{}}, {"Animation.enable", object{}}, {"Audits.enable", object{}},
		{"DOM.getDocument", object{"depth": -1, "pierce": true}},
		{"DOMSnapshot.captureSnapshot", object{"computedStyles": []string{"color"}, "includePaintOrder": true}},
		{"Accessibility.getFullAXTree", object{}},
		{"Page.getLayoutMetrics", object{}},
		{"Network.setCacheDisabled", object{"cacheDisabled": false}},
		{"Page.createIsolatedWorld", object{}},
		{"Runtime.enable", object{}}, {"Page.enable", object{}}, {"Inspector.enable", object{}}, {"Log.enable", object{}}, {"Performance.enable", object{}},
	} {
		_ = w.do(attached.SessionID, c.method, c.params, nil)
		noticed(fmt.Sprint(c.method, c.params))
	}
	for name, args := range map[string]object{"take_snapshot": {"verbose": true}, "take_screenshot": {"fullPage": true}, "list_pages": {}, "select_page": {"pageId": 1, "bringToFront": true},
		"wait_for": {"text": []string{"Notices"}}, "save_pdf": {"filePath": filepath.Join(t.TempDir(), "x.pdf")}, "list_console_messages": {}, "list_network_requests": {}} {
		_ = m.tool(name, args)
		noticed(name)
	}
	m.works("take_screenshot", object{"uid": uid})
	m.works("take_screenshot", nil)
	noticed("take_screenshot of an element")
	_ = w.ws.CloseNow()
	m.works("take_snapshot", nil)
	if all := web.heard(); len(all) > before {
		t.Errorf("leaving was noticed: %v", all[before:])
	}
}
