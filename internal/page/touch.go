package page

import (
	"context"
	"errors"
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
	if width, height := t.Camera.Seen(); !ok || width <= 0 || height <= 0 {
		return
	}
	r, err := box()
	if err != nil {
		return
	}
	v, err := t.viewport(ctx)
	if err != nil {
		return
	}

	touch := Touch{Tab: t.ID(), Box: v.within(r)}
	if pointed {
		touch.X, touch.Y, touch.HasPointer = fraction(x-v.X, v.Width), fraction(y-v.Y, v.Height), true
	}
	if touch.HasPointer || touch.Box.Width > 0 && touch.Box.Height > 0 {
		f(touch)
	}
}

// whereLimit bounds how long a busy page is asked where something is.
const whereLimit = 2 * time.Second

// Where returns where an element is in the tab's window, in fractions of the window. It reports false for an element
// that is outside the window.
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
	v, err := t.viewport(ctx)
	if err != nil {
		return dom.Rect{}, false
	}
	r = v.within(r)
	return r, r.Width > 0 && r.Height > 0
}

// viewport is the part of a page that its window shows, in the page's own units.
type viewport struct {
	X      float64 `json:"left"`
	Y      float64 `json:"top"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

// A page that is scaled, as on a phone, or that somebody has zoomed into, shows a part of its layout. Any other shows
// all of it, with its scrollbars.
const viewportScript = `function(){
  const v = visualViewport
  return v.scale === 1 ? {left: 0, top: 0, width: innerWidth, height: innerHeight}
    : {left: v.offsetLeft, top: v.offsetTop, width: v.width, height: v.height}
}`

func (t *Tab) viewport(ctx context.Context) (v viewport, err error) {
	ctx, cancel := context.WithTimeout(ctx, whereLimit)
	defer cancel()
	w, err := t.Frames.EnterMain(ctx)
	if err == nil {
		err = t.Frames.Run(ctx, w, &v, viewportScript)
	}
	if err == nil && (v.Width <= 0 || v.Height <= 0) {
		err = errors.New("the window has no size")
	}
	return v, err
}

// within returns what is seen of a rectangle, in fractions of the window.
func (v viewport) within(r dom.Rect) dom.Rect {
	left, right := fraction(r.X-v.X, v.Width), fraction(r.X+r.Width-v.X, v.Width)
	top, bottom := fraction(r.Y-v.Y, v.Height), fraction(r.Y+r.Height-v.Y, v.Height)
	return dom.Rect{X: left, Y: top, Width: right - left, Height: bottom - top}
}

// fraction returns where a position is between the edges of a window.
func fraction(at, size float64) float64 { return min(1, max(0, at/size)) }
