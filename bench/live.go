package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/url"
	"time"

	"cove/api"
	"cove/internal/cdp"
)

// livePage changes its colour with every press.
const livePage = `data:text/html,<body style="margin:0;background:black"><script>
onpointerdown = () => { document.body.style.background = document.body.style.background === 'black' ? 'white' : 'black' }
</script>`

// seen is a picture, and when it came.
type seen struct {
	at   time.Time
	data []byte
}

// lives measures how long a press takes to be seen in the live view, beside the browser's own screencast.
func lives(ctx context.Context, a *app, dir string) error {
	s, err := a.Start(ctx, 1, api.StartOptions{Automation: true})
	if err != nil {
		return err
	}
	defer func() { _ = a.Stop(ctx, 1) }()
	own, end, err := newLiveView(ctx, a, s.Automation.Port)
	if err != nil {
		return err
	}
	defer end()
	bare, stop, err := newBareView(ctx, dir)
	if err != nil {
		return err
	}
	defer stop()

	const rounds = 60
	var mine, other []time.Duration
	for i := range rounds {
		white := i%2 == 0
		for _, one := range []struct {
			view *pressView
			to   *[]time.Duration
		}{{own, &mine}, {bare, &other}} {
			took, err := one.view.press(ctx, white)
			if err != nil {
				return err
			}
			*one.to = append(*one.to, took)
		}
	}
	fmt.Println("\n| what | Cove | the browser's own screencast | ratio | aim |\n|---|---|---|---|---|")
	printRatio("press → picture, median", median(mine), median(other), "≤ 2.5, 60ms")
	printRatio("press → picture, 9 of 10", mine[len(mine)*9/10], other[len(other)*9/10], "120ms")
	return nil
}

// pressView is a view of a page that changes its colour with every press.
type pressView struct {
	pictures chan seen
	send     func() error
}

// press presses, and returns when the page was seen in its new colour.
func (v *pressView) press(ctx context.Context, white bool) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	began := time.Now()
	if err := v.send(); err != nil {
		return 0, err
	}
	for {
		select {
		case p := <-v.pictures:
			picture, err := jpeg.Decode(bytes.NewReader(p.data))
			if err != nil {
				return 0, err
			}
			middle := picture.Bounds().Size().Div(2)
			grey, _ := color.GrayModel.Convert(picture.At(middle.X, middle.Y)).(color.Gray)
			if (grey.Y > 128) == white && p.at.After(began) {
				return p.at.Sub(began), nil
			}
		case <-ctx.Done():
			return 0, errors.New("a press was not seen")
		}
	}
}

// newLiveView opens the page in a profile, and takes control of it by the API.
func newLiveView(ctx context.Context, a *app, port int) (*pressView, func(), error) {
	p, err := connect(ctx, port)
	if err != nil {
		return nil, nil, err
	}
	var where struct{ TargetInfo struct{ TargetID string } }
	err = p.conn.Call(ctx, p.session, "Page.navigate", map[string]any{"url": livePage}, nil)
	if err == nil {
		err = p.conn.Call(ctx, p.session, "Target.getTargetInfo", nil, &where)
	}
	p.close()
	if err != nil {
		return nil, nil, err
	}

	tab := where.TargetInfo.TargetID
	ctx, cancel := context.WithCancel(ctx)
	v := &pressView{pictures: make(chan seen, 1000)}
	numbers := make(chan int, 1000)
	address := a.Base + "/v1.0/browser_profiles/1/live?tab=" + url.QueryEscape(tab)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		cancel()
		return nil, nil, err
	}
	req.Header.Set("Authorization", "Bearer "+a.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		cancel()
		return nil, nil, err
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
				v.pictures <- seen{at, data}
			}
		}
	}()
	control := api.LiveControl{Tab: tab, On: true}
	if err := a.Do(ctx, http.MethodPost, "/browser_profiles/1/live/control", control, nil); err != nil {
		cancel()
		return nil, nil, err
	}
	last := <-numbers
	wait(ctx, time.Second) // the frames follow each other by now
	v.send = func() error {
		for len(numbers) > 0 {
			last = <-numbers
		}
		at := api.LiveEvent{T: "down", X: 0.5, Y: 0.5, N: 1}
		up := at
		up.T = "up"
		in := api.LiveInput{Tab: tab, Pic: last, Events: []api.LiveEvent{at, up}}
		var got api.LiveInputResult
		err := a.Do(ctx, http.MethodPost, "/browser_profiles/1/live/input", in, &got)
		if err == nil && got.Done != 2 {
			err = fmt.Errorf("%d of 2 events were sent", got.Done)
		}
		return err
	}
	return v, cancel, nil
}

// newBareView opens the page in a browser without Cove, and follows its own screencast.
func newBareView(ctx context.Context, dir string) (*pressView, func(), error) {
	port, stop, err := direct(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	v := &pressView{pictures: make(chan seen, 1000)}
	acks := make(chan int, 1000)
	p, err := connectWith(ctx, port, func(e cdp.Event) {
		var frame struct {
			Data      []byte `json:"data"`
			SessionID int    `json:"sessionId"`
		}
		if e.Method == "Page.screencastFrame" && json.Unmarshal(e.Params, &frame) == nil {
			v.pictures <- seen{time.Now(), frame.Data}
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
	for _, c := range []struct {
		method string
		params map[string]any
	}{
		{"Page.enable", nil},
		{"Page.navigate", map[string]any{"url": livePage}},
		{"Page.startScreencast", map[string]any{"format": "jpeg", "quality": 75, "everyNthFrame": 1}},
	} {
		if err := p.conn.Call(ctx, p.session, c.method, c.params, nil); err != nil {
			stop()
			return nil, nil, err
		}
		wait(ctx, time.Second) // the page may move to another process
	}
	v.send = func() error {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			params := map[string]any{"type": kind, "x": 400, "y": 300, "button": "left", "clickCount": 1}
			if err := p.conn.Call(ctx, p.session, "Input.dispatchMouseEvent", params, nil); err != nil {
				return err
			}
		}
		return nil
	}
	return v, func() { p.close(); stop() }, nil
}
