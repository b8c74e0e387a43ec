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

// thumbnails captures the small images for the journal. It captures one after another and while the agents rest,
// because one capture costs as much of the browser's time as many a call. A call that acts does not wait for the
// images of the steps before it: it only makes them due at once.
type thumbnails struct {
	mu      sync.Mutex
	waiting []func()
	calls   int           // calls of tools that are under way
	due     bool          // capture at once
	changed chan struct{} // closed when calls or due have changed
	idle    chan struct{} // closed when no image is waiting
}

const (
	// thumbnailRest is how long no call may have been under way before an image is captured.
	thumbnailRest = 100 * time.Millisecond
	// thumbnailPatience is how long an image waits for that.
	thumbnailPatience = 2 * time.Second
)

func newThumbnails() *thumbnails {
	return &thumbnails{changed: make(chan struct{}), idle: make(chan struct{})}
}

// pause counts a call that is under way: the images wait for its end. A call that acts changes the page, so it makes
// them due before that.
func (th *thumbnails) pause(acts bool) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.calls++
	th.wakeLocked(acts)
}

// unpause counts the end of a call.
func (th *thumbnails) unpause() {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.calls--
	th.wakeLocked(false)
}

// wakeLocked wakes the goroutine that waits for a rest.
func (th *thumbnails) wakeLocked(due bool) {
	if len(th.waiting) == 0 {
		return
	}
	th.due = th.due || due
	close(th.changed)
	th.changed = make(chan struct{})
}

// enqueue adds an image to those that wait.
func (th *thumbnails) enqueue(capture func()) {
	th.mu.Lock()
	defer th.mu.Unlock()
	th.waiting = append(th.waiting, capture)
	if len(th.waiting) == 1 {
		go th.work()
	}
}

// work captures until the queue is empty.
func (th *thumbnails) work() {
	for left := true; left; {
		th.awaitRest()
		th.mu.Lock()
		next := th.waiting[0]
		th.mu.Unlock()

		next()

		th.mu.Lock()
		th.waiting = th.waiting[1:]
		if left = len(th.waiting) > 0; !left {
			th.due = false
			close(th.idle)
			th.idle = make(chan struct{})
		}
		th.mu.Unlock()
	}
}

// awaitRest waits until the agents have rested for a moment, or an image is due.
func (th *thumbnails) awaitRest() {
	patience := time.After(thumbnailPatience)
	for {
		th.mu.Lock()
		due, busy, changed := th.due, th.calls > 0, th.changed
		th.mu.Unlock()
		if due {
			return
		}

		var rested <-chan time.Time
		if !busy {
			rested = time.After(thumbnailRest)
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

// flush captures all waiting images now. It waits for them until ctx ends.
func (th *thumbnails) flush(ctx context.Context) {
	for {
		th.mu.Lock()
		left, idle := len(th.waiting), th.idle
		th.wakeLocked(true)
		th.mu.Unlock()
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

const (
	// thumbnailLimit is how long a capture may take.
	thumbnailLimit = 2 * time.Second
	// thumbnailWidth is about how many pixels wide a thumbnail is.
	thumbnailWidth = 480
)

// captureThumbnail returns an image of the page as it is now; nil when there is none.
func captureThumbnail(t *page.Tab) []byte {
	ctx, cancel := context.WithTimeout(context.Background(), thumbnailLimit)
	defer cancel()

	// The image is scaled here: if the browser did that, it would lay the page out anew.
	p, err := t.Camera.Screenshot(ctx, capture.Shot{Format: "jpeg", Quality: 50})
	if err != nil {
		return nil
	}
	return shrink(p.Data)
}

// shrink scales a JPEG image to about thumbnailWidth.
func shrink(data []byte) []byte {
	from, err := jpeg.Decode(bytes.NewReader(data))
	if err != nil {
		return nil
	}

	large, ok := from.(*image.YCbCr)
	size := from.Bounds().Size()
	step := (size.X + thumbnailWidth - 1) / thumbnailWidth
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

// average fills a plane of an image with the means of squares of a larger one.
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
