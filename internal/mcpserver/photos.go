package mcpserver

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"sync"
	"time"

	"cove/internal/page"
	"cove/internal/page/capture"
)

// photos are the small pictures for the journal. They are taken one after another and while the agents rest, because one takes as
// much of the browser's time as many a call. The next step does not wait for them: with it they are only due at once.
type photos struct {
	mu      sync.Mutex
	waiting []func()
	calls   int           // of tools that are under way
	due     bool          // at once
	changed chan struct{} // closed when calls or due have changed
	idle    chan struct{} // closed when none waits
}

// photoRest is for how long no call may have been under way before one is taken; photoPatience is how long that is waited for.
const (
	photoRest     = 100 * time.Millisecond
	photoPatience = 2 * time.Second
)

func newPhotos() *photos { return &photos{changed: make(chan struct{}), idle: make(chan struct{})} }

// began notes that a call is under way; one that acts will change what there is to see.
func (p *photos) began(acts bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	p.tell(acts)
}

func (p *photos) ended() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls--
	p.tell(false)
}

// tell wakes whoever waits for rest. The lock is held.
func (p *photos) tell(due bool) {
	if len(p.waiting) > 0 {
		p.due = p.due || due
		close(p.changed)
		p.changed = make(chan struct{})
	}
}

// add has a picture taken.
func (p *photos) add(take func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waiting = append(p.waiting, take)
	if len(p.waiting) == 1 {
		go p.work()
	}
}

func (p *photos) work() {
	for left := true; left; {
		p.rest()
		p.mu.Lock()
		next := p.waiting[0]
		p.mu.Unlock()
		next()
		p.mu.Lock()
		p.waiting = p.waiting[1:]
		if left = len(p.waiting) > 0; !left {
			p.due = false
			close(p.idle)
			p.idle = make(chan struct{})
		}
		p.mu.Unlock()
	}
}

// rest waits until the agents have rested for a moment, or a picture is due.
func (p *photos) rest() {
	patience := time.After(photoPatience)
	for {
		p.mu.Lock()
		due, busy, changed := p.due, p.calls > 0, p.changed
		p.mu.Unlock()
		if due {
			return
		}
		var rested <-chan time.Time
		if !busy {
			rested = time.After(photoRest)
		}
		select {
		case <-changed:
		case <-rested:
			return
		case <-patience:
			return
		}
	}
}

// flush has all of them taken now, and waits for it until ctx ends.
func (p *photos) flush(ctx context.Context) {
	for {
		p.mu.Lock()
		left, idle := len(p.waiting), p.idle
		p.tell(true)
		p.mu.Unlock()
		if left == 0 {
			return
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return
		}
	}
}

// Flush waits until everything is written down, but not for long.
func (s *Server) Flush(ctx context.Context) { s.photos.flush(ctx) }

// photoLimit is how long a picture for the journal may take; photoWidth is about how wide it is.
const (
	photoLimit = 2 * time.Second
	photoWidth = 480
)

// photo is the page as it is now, nil when there is none to have.
func photo(t *page.Tab) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), photoLimit)
	defer cancel()
	// As the window is and then made smaller here: to have the browser do that would lay the page out anew.
	p, err := t.Camera.Screenshot(ctx, capture.Shot{Format: "jpeg", Quality: 50})
	if err != nil {
		return nil
	}
	return shrink(p.Data)
}

// shrink makes a picture about photoWidth wide.
func shrink(data []byte) []byte {
	from, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	large, ok := from.(*image.YCbCr)
	size := from.Bounds().Size()
	step := (size.X + photoWidth - 1) / photoWidth
	if !ok || step <= 1 {
		return data
	}
	small := image.NewYCbCr(image.Rect(0, 0, size.X/step, size.Y/step), large.SubsampleRatio)
	if small.Bounds().Empty() {
		return nil
	}
	average(small.Y, large.Y, small.YStride, large.YStride, step)
	average(small.Cb, large.Cb, small.CStride, large.CStride, step)
	average(small.Cr, large.Cr, small.CStride, large.CStride, step)
	var out bytes.Buffer
	if jpeg.Encode(&out, small, &jpeg.Options{Quality: 60}) != nil {
		return nil
	}
	return out.Bytes()
}

// average fills a plane of a picture with the means of squares of a larger one.
func average(to, from []byte, width, stride, step int) {
	for i := range to {
		at := i/width*step*stride + i%width*step
		sum, n := 0, 0
		for y := at; y < at+step*stride && y < len(from); y += stride {
			for _, v := range from[y:min(y+step, len(from))] {
				sum, n = sum+int(v), n+1
			}
		}
		if n > 0 {
			to[i] = byte(sum / n) //nolint:gosec // a mean of bytes
		}
	}
}
