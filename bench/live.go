package main

import (
	"bytes"
	"context"
	"fmt"
	"image/color"
	"image/jpeg"
	"time"

	"cove/api"
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
