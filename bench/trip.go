package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"

	"cove/api"
	"cove/internal/cdp"
	"cove/internal/chromium"
)

// page is a script's connection to one page, through the gate or straight to a browser.
type page struct {
	conn    *cdp.Conn
	session string
	close   func()
}

func connect(ctx context.Context, port int) (*page, error) { return connectWith(ctx, port, nil) }

// connectWith is connect with a function that hears of the page's events. It must not wait.
func connectWith(ctx context.Context, port int, heard func(cdp.Event)) (*page, error) {
	address := fmt.Sprintf("http://127.0.0.1:%d/json/version", port)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var v struct {
		WebSocketDebuggerURL string `json:"webSocketDebuggerUrl"`
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil || json.Unmarshal(raw, &v) != nil {
		return nil, fmt.Errorf("no version: %w", err)
	}
	ws, _, err := websocket.Dial(ctx, v.WebSocketDebuggerURL, nil)
	if err != nil {
		return nil, err
	}
	ws.SetReadLimit(-1)
	p := &page{close: func() { _ = ws.CloseNow() }}
	p.conn = cdp.NewConn(func(raw []byte) error {
		return ws.Write(context.Background(), websocket.MessageText, raw)
	}, heard)
	go func() {
		for {
			_, raw, err := ws.Read(context.Background())
			if err != nil {
				p.conn.Close()
				return
			}
			p.conn.Receive(raw)
		}
	}()
	var made struct{ TargetID string }
	if err := p.conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &made); err != nil {
		return nil, err
	}
	var s struct{ SessionID string }
	attach := map[string]any{"targetId": made.TargetID, "flatten": true}
	if err := p.conn.Call(ctx, "", "Target.attachToTarget", attach, &s); err != nil {
		return nil, err
	}
	p.session = s.SessionID
	return p, nil
}

// direct starts a browser with a debugging port of its own, as people do without Cove.
func direct(ctx context.Context, dir string, more ...string) (port int, stop func(), err error) {
	browser, err := chromium.Find(ctx)
	if err != nil {
		return 0, nil, err
	}
	o := chromium.Options{
		DataDir:  filepath.Join(dir, "direct"+strconv.Itoa(len(more))),
		Headless: !chromium.HasDisplay(), NoSandbox: chromium.NoSandbox(browser.Path) != "",
		Extra: slices.Concat([]string{"--remote-debugging-port=0"}, quiet, more),
	}
	_ = os.RemoveAll(o.DataDir)
	cmd := exec.CommandContext(context.WithoutCancel(ctx), browser.Path, o.Flags()...)
	if err := cmd.Start(); err != nil {
		return 0, nil, err
	}
	stop = func() { _ = cmd.Process.Signal(os.Interrupt); _ = cmd.Wait() }
	for range 500 {
		if raw, err := os.ReadFile(filepath.Join(o.DataDir, "DevToolsActivePort")); err == nil {
			if _, err := fmt.Sscanf(strings.TrimSpace(string(raw)), "%d", &port); err == nil {
				return port, stop, nil
			}
		}
		wait(ctx, 20*time.Millisecond)
	}
	stop()
	return 0, nil, errors.New("the direct browser did not start")
}

// pair opens a page through the gate and one straight to a browser.
func pair(ctx context.Context, a *app, dir string) (ours, theirs *page, stop func(), err error) {
	s, err := a.Start(ctx, 1, api.StartOptions{Automation: true})
	if err != nil {
		return nil, nil, nil, err
	}
	port, end, err := direct(ctx, dir)
	if err != nil {
		return nil, nil, nil, err
	}
	if ours, err = connect(ctx, s.Automation.Port); err == nil {
		theirs, err = connect(ctx, port)
	}
	if err != nil {
		end()
		return nil, nil, nil, err
	}
	return ours, theirs, func() { ours.close(); theirs.close(); end(); _ = a.Stop(ctx, 1) }, nil
}

// alternate times do on both pages in turn.
func alternate(ours, theirs *page, rounds int, do func(*page) error) (mine, other []time.Duration, err error) {
	for range rounds {
		for _, one := range []struct {
			p  *page
			to *[]time.Duration
		}{{ours, &mine}, {theirs, &other}} {
			began := time.Now()
			if err := do(one.p); err != nil {
				return nil, nil, err
			}
			*one.to = append(*one.to, time.Since(began))
		}
	}
	return mine, other, nil
}

func roundTrips(ctx context.Context, a *app, dir string) error {
	ours, theirs, stop, err := pair(ctx, a, dir)
	if err != nil {
		return err
	}
	defer stop()
	evaluate := func(p *page) error {
		return p.conn.Call(ctx, p.session, "Runtime.evaluate", map[string]any{"expression": "1+1"}, nil)
	}
	if _, _, err := alternate(ours, theirs, 200, evaluate); err != nil {
		return err
	}
	mine, other, err := alternate(ours, theirs, 3000, evaluate)
	if err != nil {
		return err
	}
	printRatio("Runtime.evaluate('1+1') through the gate : direct", median(mine), median(other), "< 1.5")
	return nil
}

// noise fills the page with pixels that do not compress, so that its screenshot has about ten megabytes.
const noise = `(() => {
	document.body.style.margin = 0;
	const c = document.createElement('canvas');
	c.width = 1900;
	c.height = 1800;
	document.body.append(c);
	const g = c.getContext('2d'), d = g.createImageData(c.width, c.height);
	for (let i = 0; i < d.data.length; i += 65536) {
		crypto.getRandomValues(d.data.subarray(i, Math.min(i + 65536, d.data.length)));
	}
	for (let i = 3; i < d.data.length; i += 4) d.data[i] = 255;
	g.putImageData(d, 0, 0);
	return 1;
})()`

func screenshots(ctx context.Context, a *app, dir string) error {
	ours, theirs, stop, err := pair(ctx, a, dir)
	if err != nil {
		return err
	}
	defer stop()
	var size int
	for _, p := range []*page{ours, theirs} {
		metrics := map[string]any{"width": 1900, "height": 1800, "deviceScaleFactor": 1, "mobile": false}
		if err := p.conn.Call(ctx, p.session, "Emulation.setDeviceMetricsOverride", metrics, nil); err != nil {
			return err
		}
		fill := map[string]any{"expression": noise}
		if err := p.conn.Call(ctx, p.session, "Runtime.evaluate", fill, nil); err != nil {
			return err
		}
	}
	shot := func(p *page) error {
		var r struct{ Data string }
		err := p.conn.Call(ctx, p.session, "Page.captureScreenshot", nil, &r)
		size = len(r.Data) / 4 * 3
		return err
	}
	if _, _, err := alternate(ours, theirs, 2, shot); err != nil {
		return err
	}
	mine, other, err := alternate(ours, theirs, 15, shot)
	if err != nil {
		return err
	}
	m, o := median(mine), median(other)
	rate := func(d time.Duration) float64 { return float64(size) / 1e6 / d.Seconds() }
	fmt.Printf("| screenshots of %.1f MB through the gate : direct | %.1f MB/s | %.1f MB/s | %.2f | ≥ 0.80 |\n",
		float64(size)/1e6, rate(m), rate(o), rate(m)/rate(o))
	return nil
}
