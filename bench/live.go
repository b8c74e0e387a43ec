package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image/color"
	"image/jpeg"
	"net/http"
	"net/url"
	"time"

	"cove/api"
	"cove/internal/cdp"
)

// livePage changes its colour with every press. Its lower right quarter has a grey of its own, by how far right the
// mouse is.
const livePage = `data:text/html,<body style="margin:0;background:black"><p style="position:fixed;margin:0;
left:50vw;top:50vh;width:50vw;height:50vh;pointer-events:none"></p><script>
const moved = document.querySelector('p'), page = document.body
onpointerdown = () => { page.style.background = page.style.background === 'black' ? 'white' : 'black' }
onpointermove = e => { moved.style.background = 'hsl(0 0%25 ' + e.clientX / innerWidth * 100 + '%25)' }
</script>`

// seen is a picture, and when it came.
type seen struct {
	at   time.Time
	data []byte
}

// lives measures how long a press and a move take to be seen in the live view, beside the browser's own screencast.
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

	fmt.Println("\n| what | Cove | the browser's own screencast | ratio | aim |\n|---|---|---|---|---|")
	mine, other, err := bothViews(own, bare, 60, func(v *liveView, white bool) (time.Duration, error) {
		return v.awaits(ctx, middle, white, v.press)
	})
	if err != nil {
		return err
	}
	printRatio("press → picture, median", median(mine), median(other), "≤ 2.5, 60ms")
	printRatio("press → picture, 9 of 10", mine[len(mine)*9/10], other[len(other)*9/10], "120ms")
	return moves(ctx, own, bare)
}

// moveRate is how many moves a hand makes in a second.
const moveRate = 60

// moves measures whether moves queue up: the last of many must be seen as soon as the last of a few.
func moves(ctx context.Context, own, bare *liveView) error {
	lastOf := func(n, rounds int) (mine, other time.Duration, err error) {
		all, its, err := bothViews(own, bare, rounds, func(v *liveView, white bool) (time.Duration, error) {
			if err := v.stir(ctx, n-1); err != nil {
				return 0, err
			}
			return v.awaits(ctx, quarter, white, func() error { return v.move(edge(white)) })
		})
		if err != nil {
			return 0, 0, err
		}
		return median(all), median(its), nil
	}
	one, its, err := lastOf(1, 30)
	if err != nil {
		return err
	}
	printRatio("one move → picture, median", one, its, "≤ 2.5")

	const few, many = moveRate / 2, moveRate * 3
	var last, theirs [2]time.Duration
	for i, n := range []int{few, many} {
		if last[i], theirs[i], err = lastOf(n, 8); err != nil {
			return err
		}
		what := fmt.Sprintf("the last of %d moves, %d a second → picture, median", n, moveRate)
		printRatio(what, last[i], theirs[i], "120ms; at most 30 pictures a second")
	}
	fmt.Printf("| the last of %d moves : the last of %d | %.2f | %.2f | – | ≤ 1.5: nothing queues up |\n", many, few,
		float64(last[1])/float64(last[0]), float64(theirs[1])/float64(theirs[0]))
	return nil
}

// edge is where the mouse makes the page white or black.
func edge(white bool) float64 {
	if white {
		return 0.99
	}
	return 0.01
}

// bothViews measures both views in turns, white and black in turns.
func bothViews(
	own, bare *liveView, rounds int, measure func(v *liveView, white bool) (time.Duration, error),
) (mine, other []time.Duration, err error) {
	for i := range rounds {
		for _, one := range []struct {
			view *liveView
			to   *[]time.Duration
		}{{own, &mine}, {bare, &other}} {
			took, err := measure(one.view, i%2 == 0)
			if err != nil {
				return nil, nil, err
			}
			*one.to = append(*one.to, took)
		}
	}
	return mine, other, nil
}

// liveView is a view of livePage.
type liveView struct {
	name   string
	frames chan seen
	press  func() error
	// move moves the mouse to a fraction of the page's width, and does not wait until it has arrived. If it cannot,
	// failed says so.
	move   func(x float64) error
	failed chan error
}

// stir moves the mouse n times, as a hand does. The page is neither black nor white then.
func (v *liveView) stir(ctx context.Context, n int) error {
	tick := time.NewTicker(time.Second / moveRate)
	defer tick.Stop()
	for i := range n {
		if err := v.move(0.4 + 0.2*float64(i%20)/20); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// A spot is a place in a picture, in quarters of its size.
type spot int

const (
	middle  spot = 2
	quarter spot = 3
)

// awaits does something, and returns after what time the spot was seen white or black.
func (v *liveView) awaits(ctx context.Context, at spot, white bool, do func() error) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	began := time.Now()
	if err := do(); err != nil {
		return 0, err
	}
	for {
		select {
		case p := <-v.frames:
			picture, err := jpeg.Decode(bytes.NewReader(p.data))
			if err != nil {
				return 0, err
			}
			where := picture.Bounds().Size().Mul(int(at)).Div(4)
			grey, _ := color.GrayModel.Convert(picture.At(where.X, where.Y)).(color.Gray)
			if (grey.Y > 200 && white || grey.Y < 50 && !white) && p.at.After(began) {
				return p.at.Sub(began), nil
			}
		case err := <-v.failed:
			return 0, err
		case <-ctx.Done():
			return 0, fmt.Errorf("what was done was not seen in %s", v.name)
		}
	}
}

// newLiveView opens the page in a profile, and takes control of it by the API.
func newLiveView(ctx context.Context, a *app, port int) (*liveView, func(), error) {
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
	v := &liveView{name: "the live view", frames: make(chan seen, 1000), failed: make(chan error, 1)}
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
				v.frames <- seen{at, data}
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
	var size struct{ Result struct{ Value float64 } }
	width := map[string]any{"expression": "innerWidth"}
	if err := p.conn.Call(ctx, p.session, "Runtime.evaluate", width, &size); err != nil {
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
		params := map[string]any{"type": "mouseMoved", "x": x * size.Result.Value, "y": 300}
		return p.conn.Post(p.session, "Input.dispatchMouseEvent", params)
	}
	return v, func() { p.close(); stop() }, nil
}
