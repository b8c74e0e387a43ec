// Package emulation makes a page see another network, device, location or window than the real one.
package emulation

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/page/target"
)

type object = map[string]any

// Conditions describes what a tab emulates. The zero value emulates nothing: the page sees what is real.
type Conditions struct {
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

// Emulator applies conditions to one tab and remembers which are in force. All methods may be called from any
// goroutine.
type Emulator struct {
	target   *target.Target
	viewport target.Mutex // locked while the page's size changes

	mu     sync.Mutex
	now    Conditions
	agent  string // whose they are
	actual extent // the page's size before its viewport was emulated
}

// New returns the emulator of a tab. Everything that captures images of the page must lock the same viewport.
func New(t *target.Target, viewport target.Mutex) *Emulator {
	return &Emulator{target: t, viewport: viewport}
}

// extent is how wide and high a page is, without its scroll bars.
type extent struct {
	Width  float64 `json:"clientWidth"`
	Height float64 `json:"clientHeight"`
}

// Current returns the conditions in force.
func (e *Emulator) Current() Conditions {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.now
}

// network returns the parameters of a network condition that has this name in DevTools. Latency is in milliseconds,
// throughput in bytes a second.
func network(name string) (object, bool) {
	conditions := func(offline bool, latency, down, up float64) (object, bool) {
		return object{"offline": offline, "latency": latency, "downloadThroughput": down, "uploadThroughput": up}, true
	}
	switch name {
	case "":
		return conditions(false, 0, -1, -1)
	case "Offline":
		return conditions(true, 0, 0, 0)
	case "Slow 3G":
		return conditions(false, 2000, 50000, 50000)
	case "Fast 3G", "Slow 4G":
		return conditions(false, 562.5, 180000, 84375)
	case "Fast 4G":
		return conditions(false, 165, 1012500, 168750)
	}
	return nil, false
}

// Apply puts exactly these conditions of an agent into force. What they leave out is real again.
func (e *Emulator) Apply(ctx context.Context, agent string, c Conditions) error {
	ctx, cancel := e.target.Watchdog(ctx)
	defer cancel()
	unlock, err := e.viewport.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return e.apply(ctx, agent, c)
}

// Clear makes everything real again, if an agent's conditions are still in force. It waits for nobody.
func (e *Emulator) Clear(agent string) {
	e.mu.Lock()
	due := e.agent == agent
	e.mu.Unlock()
	if due {
		go func() { _ = e.Apply(e.target.Life(), "", Conditions{}) }()
	}
}

// Restore gives the page its emulated viewport again, if it has one, for a caller that has locked the viewport. The
// browser does nothing for a size that it believes to be in force, so it gets the real one in between.
func (e *Emulator) Restore(ctx context.Context) {
	v, err := ParseViewport(e.Current().Viewport)
	if err != nil {
		return
	}
	_ = e.target.Do(ctx, "Emulation.clearDeviceMetricsOverride", nil, nil)
	_ = e.target.Do(ctx, "Emulation.setDeviceMetricsOverride", v.metrics(), nil)
}

// apply is Apply for a caller that has locked the viewport.
func (e *Emulator) apply(ctx context.Context, agent string, c Conditions) error {
	before := e.Current()
	commands, err := c.commands(before)
	if err != nil {
		return err
	}
	if before.Viewport == "" && c.Viewport != "" {
		if actual, err := e.extent(ctx); err == nil {
			e.mu.Lock()
			e.actual = actual
			e.mu.Unlock()
		}
	}
	for _, one := range commands {
		if err := e.target.Do(ctx, one.method, one.params, nil); err != nil {
			e.undo(ctx, before, c)
			return err
		}
	}

	e.mu.Lock()
	e.now, e.agent = c, agent
	actual := e.actual
	e.mu.Unlock()
	if before.Viewport != "" && c.Viewport == "" { // the page gets its size back a little later
		e.awaitSize(ctx, actual.Width, actual.Height)
	}
	return nil
}

// undo puts the conditions before into force again, after a part of c was.
func (e *Emulator) undo(ctx context.Context, before, c Conditions) {
	commands, _ := before.commands(c) // they have been in force
	for _, one := range commands {
		_ = e.target.Do(ctx, one.method, one.params, nil)
	}
}

type command struct {
	method string
	params object
}

// commands lists the commands that replace the conditions before by c.
func (c Conditions) commands(before Conditions) (all []command, err error) {
	add := func(method string, params object) { all = append(all, command{method, params}) }
	conditions, ok := network(c.Network)
	if !ok {
		return nil, fault.Invalidf("%q is not a network condition.", c.Network)
	}
	if c.CPU > 1 || before.CPU > 1 { // where it is not allowed, nothing else is done
		add("Emulation.setCPUThrottlingRate", object{"rate": max(c.CPU, 1)})
	}
	add("Network.emulateNetworkConditions", conditions)
	if c.Geolocation == "" {
		add("Emulation.clearGeolocationOverride", nil)
	} else {
		lat, long, err := parseLocation(c.Geolocation)
		if err != nil {
			return nil, err
		}
		add("Emulation.setGeolocationOverride", object{"latitude": lat, "longitude": long, "accuracy": 1})
	}
	if c.UserAgent != "" || before.UserAgent != "" {
		add("Emulation.setUserAgentOverride", object{"userAgent": c.UserAgent})
	}
	feature := func(name, value string) object {
		return object{"name": name, "value": strings.TrimPrefix(value, "auto")}
	}
	add("Emulation.setEmulatedMedia", object{"features": []object{
		feature("prefers-color-scheme", c.ColorScheme), feature("forced-colors", c.ForcedColors),
		feature("prefers-contrast", c.Contrast), feature("prefers-reduced-motion", c.ReducedMotion)}})
	if c.Viewport == "" {
		add("Emulation.clearDeviceMetricsOverride", nil)
		add("Emulation.setTouchEmulationEnabled", object{"enabled": false})
	} else {
		v, err := ParseViewport(c.Viewport)
		if err != nil {
			return nil, err
		}
		add("Emulation.setDeviceMetricsOverride", v.metrics())
		add("Emulation.setTouchEmulationEnabled", object{"enabled": v.Touch})
	}
	if c.Headers != nil || before.Headers != nil {
		headers := c.Headers
		if headers == nil {
			headers = map[string]string{}
		}
		add("Network.setExtraHTTPHeaders", object{"headers": headers})
	}
	return all, nil
}

func (v Viewport) metrics() object {
	orientation := object{"type": "portraitPrimary", "angle": 0}
	if v.Landscape {
		orientation = object{"type": "landscapePrimary", "angle": 90}
	}
	return object{"width": v.Width, "height": v.Height, "deviceScaleFactor": v.Scale, "mobile": v.Mobile,
		"screenOrientation": orientation}
}

// Resize gives the page's window this inner size. Where it cannot, it emulates a viewport of this size for an agent.
func (e *Emulator) Resize(ctx context.Context, agent string, width, height int) error {
	var w struct {
		ID     int `json:"windowId"`
		Bounds struct {
			Width  int    `json:"width"`
			Height int    `json:"height"`
			State  string `json:"windowState"`
		} `json:"bounds"`
	}
	ctx, cancel := e.target.Watchdog(ctx)
	defer cancel()
	unlock, err := e.viewport.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if err := e.target.Do(ctx, "Browser.getWindowForTarget", object{"targetId": e.target.ID}, &w); err != nil {
		return err
	}
	if w.Bounds.State != "normal" {
		params := object{"windowId": w.ID, "bounds": object{"windowState": "normal"}}
		if err := e.target.Do(ctx, "Browser.setWindowBounds", params, nil); err != nil {
			return err
		}
	}
	params := object{"windowId": w.ID, "width": width, "height": height}
	if e.target.Do(ctx, "Browser.setContentsSize", params, nil) == nil &&
		e.awaitSize(ctx, float64(width), float64(height)) {
		return nil
	}

	c := e.Current() // there is no window to resize, or the tab is not shown
	c.Viewport = fmt.Sprintf("%dx%dx1", width, height)
	return e.apply(ctx, agent, c)
}

// awaitSize waits a moment until the page has this size, with or without scroll bars.
func (e *Emulator) awaitSize(ctx context.Context, width, height float64) bool {
	const bar = 20
	for range 30 {
		now, err := e.extent(ctx)
		if err != nil {
			return false
		}
		if now.Width <= width && now.Width > width-bar && now.Height <= height && now.Height > height-bar {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
	return false
}

func (e *Emulator) extent(ctx context.Context) (extent, error) {
	var m struct {
		Viewport extent `json:"cssLayoutViewport"`
	}
	err := e.target.Do(ctx, "Page.getLayoutMetrics", nil, &m)
	return m.Viewport, err
}
