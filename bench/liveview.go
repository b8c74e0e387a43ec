package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"cove/api"
	"cove/internal/cdp"
)

// newLiveView opens the page in a profile, and takes control of it by the API.
func newLiveView(ctx context.Context, a *app, port int) (*liveView, func(), error) {
	tab, err := openLivePage(ctx, port)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	v := &liveView{name: "the live view", frames: make(chan seen, 1000), failed: make(chan error, 1)}
	numbers := make(chan int, 1000)
	if err := v.follow(ctx, a, tab, numbers); err != nil {
		cancel()
		return nil, nil, err
	}
	control := api.LiveControl{Tab: tab, On: true}
	if err := a.Do(ctx, http.MethodPost, "/browser_profiles/1/live/control", control, nil); err != nil {
		cancel()
		return nil, nil, err
	}
	last := <-numbers
	wait(ctx, time.Second) // the frames follow each other by now
	send := func(events ...api.LiveEvent) error {
		for len(numbers) > 0 {
			last = <-numbers
		}
		in := api.LiveInput{Tab: tab, Pic: last, Events: events}
		var got api.LiveInputResult
		err := a.Do(ctx, http.MethodPost, "/browser_profiles/1/live/input", in, &got)
		if err == nil && got.Done != len(events) {
			err = fmt.Errorf("%d of %d events were sent", got.Done, len(events))
		}
		return err
	}
	v.press = func() error {
		return send(api.LiveEvent{T: "down", X: 0.5, Y: 0.5, N: 1}, api.LiveEvent{T: "up", X: 0.5, Y: 0.5, N: 1})
	}
	v.move = merged(ctx, func(x float64) error { return send(api.LiveEvent{T: "move", X: x, Y: 0.5}) }, v.failed)
	return v, cancel, nil
}

// openLivePage opens the page through the profile's debugging port, and returns the id of its tab.
func openLivePage(ctx context.Context, port int) (tab string, err error) {
	p, err := connect(ctx, port)
	if err != nil {
		return "", err
	}
	defer p.close()
	if err := p.conn.Call(ctx, p.session, "Page.navigate", map[string]any{"url": livePage}, nil); err != nil {
		return "", err
	}
	var where struct{ TargetInfo struct{ TargetID string } }
	err = p.conn.Call(ctx, p.session, "Target.getTargetInfo", nil, &where)
	return where.TargetInfo.TargetID, err
}

// follow reads the live view of a tab until ctx ends: its frames, and the number of each.
func (v *liveView) follow(ctx context.Context, a *app, tab string, numbers chan<- int) error {
	address := a.Base + "/v1.0/browser_profiles/1/live?tab=" + url.QueryEscape(tab)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+a.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	go func() {
		defer func() { _ = res.Body.Close() }()
		lines := bufio.NewScanner(res.Body)
		lines.Buffer(nil, 64<<20)
		for lines.Scan() {
			var l api.Live
			if json.Unmarshal(lines.Bytes(), &l) != nil || l.Picture == nil {
				continue
			}
			at := time.Now()
			if data, err := base64.StdEncoding.DecodeString(l.Picture.Data); err == nil {
				numbers <- l.Picture.N
				v.frames <- seen{at, data}
			}
		}
	}()
	return nil
}

// merged sends moves as the window does: one is under way, and of those that come meanwhile only the last counts.
func merged(ctx context.Context, send func(x float64) error, failed chan<- error) (move func(x float64) error) {
	next := make(chan float64, 1)
	go func() {
		for {
			select {
			case x := <-next:
				if err := send(x); err != nil {
					select {
					case failed <- err:
					default:
					}
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return func(x float64) error {
		select {
		case <-next: // an older one that nobody has sent yet
		default:
		}
		next <- x
		return nil
	}
}

// newBareView opens the page in a browser without Cove, and follows its own screencast.
func newBareView(ctx context.Context, dir string) (*liveView, func(), error) {
	port, stop, err := direct(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	v := &liveView{name: "the browser's own screencast", frames: make(chan seen, 1000)}
	acks := make(chan int, 1000)
	p, err := connectWith(ctx, port, func(e cdp.Event) {
		var frame struct {
			Data      []byte `json:"data"`
			SessionID int    `json:"sessionId"`
		}
		if e.Method == "Page.screencastFrame" && json.Unmarshal(e.Params, &frame) == nil {
			v.frames <- seen{time.Now(), frame.Data}
			acks <- frame.SessionID
		}
	})
	if err != nil {
		stop()
		return nil, nil, err
	}
	go func() {
		for id := range acks {
			_ = p.conn.Post(p.session, "Page.screencastFrameAck", map[string]any{"sessionId": id})
		}
	}()
	width, err := startScreencast(ctx, p)
	if err != nil {
		stop()
		return nil, nil, err
	}
	v.press = func() error {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			params := map[string]any{"type": kind, "x": 400, "y": 300, "button": "left", "clickCount": 1}
			if err := p.conn.Call(ctx, p.session, "Input.dispatchMouseEvent", params, nil); err != nil {
				return err
			}
		}
		return nil
	}
	v.move = func(x float64) error {
		params := map[string]any{"type": "mouseMoved", "x": x * width, "y": 300}
		return p.conn.Post(p.session, "Input.dispatchMouseEvent", params)
	}
	return v, func() { p.close(); stop() }, nil
}

// startScreencast opens the page and starts the screencast of it. It returns how wide the page is.
func startScreencast(ctx context.Context, p *page) (width float64, err error) {
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil},
		{"Page.navigate", map[string]any{"url": livePage}},
		{"Page.startScreencast", map[string]any{"format": "jpeg", "quality": 75, "everyNthFrame": 1}},
	} {
		if err := p.conn.Call(ctx, p.session, c.method, c.params, nil); err != nil {
			return 0, err
		}
		wait(ctx, time.Second) // the page may move to another process
	}
	var size struct{ Result struct{ Value float64 } }
	expression := map[string]any{"expression": "innerWidth"}
	err = p.conn.Call(ctx, p.session, "Runtime.evaluate", expression, &size)
	return size.Result.Value, err
}
