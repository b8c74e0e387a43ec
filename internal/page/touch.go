package page

import (
	"context"
	"time"

	"cove/internal/page/dom"
)

// Touch is what an action touches in a tab, in fractions of the picture of its window.
type Touch struct {
	Tab string
	// Box is the element.
	Box dom.Rect
	// X and Y are where the pointer is, if HasPointer: an action that types or sets a value needs none.
	X, Y       float64
	HasPointer bool
}

type touchKey struct{}

// WithTouches returns a context in which f hears what each action touches, before it acts. f must not wait.
func WithTouches(ctx context.Context, f func(Touch)) context.Context {
	return context.WithValue(ctx, touchKey{}, f)
}

// Touched reports what an action in the tab touches, to whoever wants to hear it and while somebody sees the tab. box
// finds the element in the tab's window; x and y are where the pointer is, if pointed.
func (t *Tab) Touched(ctx context.Context, box func() (dom.Rect, error), pointed bool, x, y float64) {
	f, ok := ctx.Value(touchKey{}).(func(Touch))
	width, height := t.Camera.Seen()
	if !ok || width <= 0 || height <= 0 {
		return
	}
	r, err := box()
	if err != nil {
		return
	}

	touch := Touch{Tab: t.ID(), Box: within(r, width, height)}
	if pointed {
		touch.X, touch.Y, touch.HasPointer = fraction(x, width), fraction(y, height), true
	}
	if touch.HasPointer || touch.Box.Width > 0 && touch.Box.Height > 0 {
		f(touch)
	}
}

// whereLimit bounds how long a busy page is asked where an element is.
const whereLimit = 2 * time.Second

// Where returns where an element is in the tab's window, in fractions of the window. It reports false for an element
// that is not to be seen there.
func (t *Tab) Where(ctx context.Context, uid string) (dom.Rect, bool) {
	ctx, cancel := context.WithTimeout(ctx, whereLimit)
	defer cancel()
	e, err := t.Frames.Locate(uid)
	if err != nil {
		return dom.Rect{}, false
	}
	r, err := t.Frames.BoxOf(ctx, e, true)
	if err != nil {
		return dom.Rect{}, false
	}
	width, height, err := t.Camera.Size(ctx)
	if err != nil || width <= 0 || height <= 0 {
		return dom.Rect{}, false
	}
	r = within(r, width, height)
	return r, r.Width > 0 && r.Height > 0
}

// within returns what a window shows of a rectangle, in fractions of the window.
func within(r dom.Rect, width, height float64) dom.Rect {
	left, right := fraction(r.X, width), fraction(r.X+r.Width, width)
	top, bottom := fraction(r.Y, height), fraction(r.Y+r.Height, height)
	return dom.Rect{X: left, Y: top, Width: right - left, Height: bottom - top}
}

// fraction returns where a position is between the edges of a window.
func fraction(at, size float64) float64 { return min(1, max(0, at/size)) }
