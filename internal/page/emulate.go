package page

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// Emulation is what a page is made to believe. The zero value is how things are.
type Emulation struct {
	Network       string
	CPU           float64
	Geolocation   string // latitude,longitude
	UserAgent     string
	ColorScheme   string
	ForcedColors  string
	Contrast      string
	ReducedMotion string
	Viewport      string // WIDTHxHEIGHTxSCALE[,mobile][,touch][,landscape]
	Headers       map[string]string
}

// emulation is what is in force in a tab. The tab's mu guards it.
type emulation struct {
	now Emulation
	own [3]float64 // the page's size before a viewport was emulated
}

// Emulation is what is in force.
func (t *Tab) Emulation() Emulation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shown.now
}

// networks are the conditions that people know from DevTools: milliseconds and bytes a second.
var networks = map[string]object{
	"":        {"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
	"Offline": {"offline": true, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
	"Slow 3G": {"offline": false, "latency": 2000, "downloadThroughput": 50000, "uploadThroughput": 50000},
	"Fast 3G": {"offline": false, "latency": 562.5, "downloadThroughput": 180000, "uploadThroughput": 84375},
	"Slow 4G": {"offline": false, "latency": 562.5, "downloadThroughput": 180000, "uploadThroughput": 84375},
	"Fast 4G": {"offline": false, "latency": 165, "downloadThroughput": 1012500, "uploadThroughput": 168750},
}

// Viewport is a window that a page is made to believe in.
type Viewport struct {
	Width, Height            int
	Scale                    float64
	Mobile, Touch, Landscape bool
}

// ParseViewport reads 400x800x2,mobile,touch.
func ParseViewport(text string) (v Viewport, err error) {
	parts := strings.Split(text, ",")
	numbers := strings.Split(parts[0], "x")
	bad := fault.Invalidf("%q is not a viewport.", text).WithHint("Write WIDTHxHEIGHTxSCALE with mobile, touch, landscape after commas: 400x800x2,mobile,touch.")
	if len(numbers) < 2 || len(numbers) > 3 {
		return v, bad
	}
	w, e1 := strconv.Atoi(numbers[0])
	h, e2 := strconv.Atoi(numbers[1])
	v.Width, v.Height, v.Scale = w, h, 1
	var e3 error
	if len(numbers) == 3 {
		v.Scale, e3 = strconv.ParseFloat(numbers[2], 64)
	}
	if e1 != nil || e2 != nil || e3 != nil || w < 1 || h < 1 || w > 10000 || h > 10000 || !(v.Scale > 0 && v.Scale <= 10) { //nolint:staticcheck // not a number is neither
		return v, bad
	}
	for _, word := range parts[1:] {
		switch strings.TrimSpace(word) {
		case "mobile":
			v.Mobile = true
		case "touch":
			v.Touch = true
		case "landscape":
			v.Landscape = true
		default:
			return v, bad
		}
	}
	return v, nil
}

// Emulate makes the page believe exactly this: what is left out is as it really is.
func (t *Tab) Emulate(ctx context.Context, e Emulation) error {
	ctx, cancel := t.attend(ctx)
	defer cancel()
	release, err := take(ctx, t.camera)
	if err != nil {
		return err
	}
	defer release()
	return t.emulate(ctx, e)
}

func (t *Tab) emulate(ctx context.Context, e Emulation) error {
	conditions, ok := networks[e.Network]
	if !ok {
		return fault.Invalidf("%q is not a network condition.", e.Network)
	}
	steps := []struct {
		method string
		params object
	}{{"Network.emulateNetworkConditions", conditions}, {"Emulation.setCPUThrottlingRate", object{"rate": max(e.CPU, 1)}}}
	add := func(method string, params object) {
		steps = append(steps, struct {
			method string
			params object
		}{method, params})
	}
	if e.Geolocation == "" {
		add("Emulation.clearGeolocationOverride", nil)
	} else {
		lat, long, err := parsePlace(e.Geolocation)
		if err != nil {
			return err
		}
		add("Emulation.setGeolocationOverride", object{"latitude": lat, "longitude": long, "accuracy": 1})
	}
	if e.UserAgent != "" || t.Emulation().UserAgent != "" {
		add("Emulation.setUserAgentOverride", object{"userAgent": e.UserAgent})
	}
	feature := func(name, value string) object {
		return object{"name": name, "value": strings.TrimPrefix(value, "auto")}
	}
	add("Emulation.setEmulatedMedia", object{"features": []object{feature("prefers-color-scheme", e.ColorScheme), feature("forced-colors", e.ForcedColors),
		feature("prefers-contrast", e.Contrast), feature("prefers-reduced-motion", e.ReducedMotion)}})
	if e.Viewport == "" {
		add("Emulation.clearDeviceMetricsOverride", nil)
		add("Emulation.setTouchEmulationEnabled", object{"enabled": false})
	} else {
		v, err := ParseViewport(e.Viewport)
		if err != nil {
			return err
		}
		orientation := object{"type": "portraitPrimary", "angle": 0}
		if v.Landscape {
			orientation = object{"type": "landscapePrimary", "angle": 90}
		}
		add("Emulation.setDeviceMetricsOverride", object{"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": v.Mobile, "screenOrientation": orientation})
		add("Emulation.setTouchEmulationEnabled", object{"enabled": v.Touch})
	}
	if e.Headers != nil || t.Emulation().Headers != nil {
		all := e.Headers
		if all == nil {
			all = map[string]string{}
		}
		add("Network.setExtraHTTPHeaders", object{"headers": all})
	}
	was := t.Emulation().Viewport
	if was == "" && e.Viewport != "" {
		own := t.size(ctx)
		t.mu.Lock()
		t.shown.own = own
		t.mu.Unlock()
	}
	for _, s := range steps {
		if err := t.do(ctx, s.method, s.params, nil); err != nil {
			return err
		}
	}
	t.mu.Lock()
	t.shown.now = e
	t.mu.Unlock()
	if was != "" && e.Viewport == "" {
		t.restoreSize(ctx)
	}
	return nil
}

// size is what the page knows of its window: width, height and scale.
func (t *Tab) size(ctx context.Context) (s [3]float64) {
	var r struct {
		Result struct {
			Value [3]float64 `json:"value"`
		} `json:"result"`
	}
	if t.do(ctx, "Runtime.evaluate", object{"expression": "[innerWidth, innerHeight, devicePixelRatio]", "returnByValue": true}, &r) == nil {
		s = r.Result.Value
	}
	return s
}

// restoreSize waits until a page whose viewport is emulated no longer has its real size again. The browser may bring the old
// viewport back a moment after it has ended it, when the two come close together; then it is told once more.
func (t *Tab) restoreSize(ctx context.Context) {
	t.mu.Lock()
	own := t.shown.own
	t.mu.Unlock()
	right := 0
	for try := 0; own[0] > 0 && right < 2 && try < 12 && ctx.Err() == nil; try++ {
		select {
		case <-ctx.Done():
		case <-time.After(60 * time.Millisecond):
		}
		if t.size(ctx) == own {
			right++
			continue
		}
		right = 0
		if try%3 == 2 {
			_ = t.do(ctx, "Emulation.setDeviceMetricsOverride", object{"width": 0, "height": 0, "deviceScaleFactor": 0, "mobile": false}, nil)
			_ = t.do(ctx, "Emulation.clearDeviceMetricsOverride", nil, nil)
		}
		if try%3 == 2 && try > 3 { // the browser itself has forgotten
			t.nudge(ctx, int(own[0]), int(own[1]))
		}
	}
}

// nudge has the window lay its page out anew, which it does only for another size.
func (t *Tab) nudge(ctx context.Context, width, height int) {
	var w struct {
		ID int `json:"windowId"`
	}
	if t.do(ctx, "Browser.getWindowForTarget", object{"targetId": t.id}, &w) != nil {
		return
	}
	for _, h := range []int{height + 1, height} {
		_ = t.do(ctx, "Browser.setContentsSize", object{"windowId": w.ID, "width": width, "height": h}, nil)
	}
}

func parsePlace(text string) (lat, long float64, err error) {
	a, b, ok := strings.Cut(strings.ReplaceAll(text, "x", ","), ",")
	lat, e1 := strconv.ParseFloat(strings.TrimSpace(a), 64)
	long, e2 := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if !ok || e1 != nil || e2 != nil || !(math.Abs(lat) <= 90) || !(math.Abs(long) <= 180) { //nolint:staticcheck // not a number is neither
		return 0, 0, fault.Invalidf("%q is not a place.", text).WithHint("Write latitude,longitude: 52.5,13.4.")
	}
	return lat, long, nil
}

// Lines tells what is in force.
func (e Emulation) Lines() (lines []string) {
	add := func(what, value string) {
		if value != "" && value != "auto" {
			lines = append(lines, "Emulating "+what+": "+value)
		}
	}
	add("network conditions", e.Network)
	add("geolocation", e.Geolocation)
	add("viewport", e.Viewport)
	add("user agent", e.UserAgent)
	if e.CPU > 1 {
		add("CPU throttling", fmt.Sprintf("%gx slowdown", e.CPU))
	}
	add("color scheme", e.ColorScheme)
	add("forced colors", e.ForcedColors)
	add("contrast", e.Contrast)
	add("reduced motion", e.ReducedMotion)
	if len(e.Headers) > 0 {
		add("extra HTTP headers", fmt.Sprint(len(e.Headers)))
	}
	return lines
}

// Resize gives the page's window this inner size.
func (t *Tab) Resize(ctx context.Context, width, height int) error {
	var w struct {
		ID     int `json:"windowId"`
		Bounds struct {
			Width  int    `json:"width"`
			Height int    `json:"height"`
			State  string `json:"windowState"`
		} `json:"bounds"`
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	release, err := take(ctx, t.camera)
	if err != nil {
		return err
	}
	defer release()
	if err := t.do(ctx, "Browser.getWindowForTarget", object{"targetId": t.id}, &w); err != nil {
		return err
	}
	if w.Bounds.State != "normal" {
		if err := t.do(ctx, "Browser.setWindowBounds", object{"windowId": w.ID, "bounds": object{"windowState": "normal"}}, nil); err != nil {
			return err
		}
	}
	if t.do(ctx, "Browser.setContentsSize", object{"windowId": w.ID, "width": width, "height": height}, nil) == nil && t.hasSize(ctx, width, height) {
		return nil
	}
	e := t.Emulation() // no window to resize, or the tab is not shown: the page is made to believe it
	e.Viewport = fmt.Sprintf("%dx%dx1", width, height)
	return t.emulate(ctx, e)
}

// hasSize waits a moment until the page has this size.
func (t *Tab) hasSize(ctx context.Context, width, height int) bool {
	for range 15 {
		var m struct {
			Viewport struct {
				Width  float64 `json:"clientWidth"`
				Height float64 `json:"clientHeight"`
			} `json:"cssLayoutViewport"`
		}
		if t.do(ctx, "Page.getLayoutMetrics", nil, &m) != nil {
			return false
		}
		if scroll := 20.0; m.Viewport.Width <= float64(width) && m.Viewport.Width > float64(width)-scroll && m.Viewport.Height <= float64(height) && m.Viewport.Height > float64(height)-scroll {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(20 * time.Millisecond):
		}
	}
	return false
}
