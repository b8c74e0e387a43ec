package capture

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image/jpeg"
	"math"
	"time"

	"cove/internal/page/target"
)

// castParams are the parameters of the screencast that a person works by.
var castParams = object{
	"format": "jpeg", "quality": 75, "maxWidth": fitEdge, "maxHeight": fitEdge, "everyNthFrame": 1,
}

// castPace is the shortest time between two frames of a view by which a person works.
const castPace = time.Second / 30

// castFrame is a frame of the screencast.
type castFrame struct {
	Data     []byte `json:"data"`
	Session  int    `json:"sessionId"`
	Metadata struct {
		Width     float64 `json:"deviceWidth"`
		Height    float64 `json:"deviceHeight"`
		Timestamp float64 `json:"timestamp"` // in seconds
	} `json:"metadata"`

	commits int
	number  int
}

// Committed records that another document has come to the tab. It never waits.
func (c *Camera) Committed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.committed = time.Now()
}

// addFrame remembers a frame for the views that show every frame.
func (c *Camera) addFrame(f castFrame) {
	commits := c.frames.Load().Commits
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.casting == 0 {
		return
	}
	size, err := jpeg.DecodeConfig(bytes.NewReader(f.Data))
	if err != nil || (size.Width <= tinyEdge && f.Metadata.Width > 2*tinyEdge) {
		return // of the screencast before this one
	}
	f.commits = commits
	if taken := time.UnixMicro(int64(f.Metadata.Timestamp * 1e6)); taken.Before(c.committed) {
		f.commits-- // it may show the document before this one
	}
	if c.frame != nil {
		f.number = c.frame.number
	}
	f.number++
	c.frame = &f
}

// beginCast makes the screencast send whole frames, until end.
func (c *Camera) beginCast() (end func()) {
	c.mu.Lock()
	c.casting++
	first := c.casting == 1
	if first {
		c.frame = nil
	}
	c.mu.Unlock()
	if first {
		c.stopScreencast()
		c.target.Post(c.target.Session, "Page.startScreencast", castParams)
	}
	return func() {
		c.mu.Lock()
		c.casting--
		last := c.casting == 0
		if last {
			c.frame = nil
		}
		c.mu.Unlock()
		if last {
			c.stopScreencast()
			if c.watched() {
				c.startScreencast()
			}
		}
	}
}

// scaled says that a pixel of the page is not one of the screen. During a screenshot of such a page the browser counts
// the places of the mouse in pixels of the screen, so that whatever is pressed meanwhile is pressed elsewhere. Watching
// must not cause that: the gate's clients press whenever they like.
func (c *Camera) scaled(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, measureLimit)
	defer cancel()
	ratio := 1.0
	w, err := c.frames.EnterMain(ctx)
	if err == nil {
		err = c.frames.Run(ctx, w, &ratio, "function(){return devicePixelRatio}")
	}
	return err == nil && ratio != 1
}

// Hold keeps the camera from a screenshot until release, so that the mouse comes to where it is sent. It waits for one
// that is under way only where that one matters.
func (c *Camera) Hold(ctx context.Context) (release func()) {
	if unlock, ok := c.viewport.TryLock(); ok {
		return unlock
	}
	if c.scaled(ctx) {
		if unlock, err := c.viewport.Lock(ctx); err == nil {
			return unlock
		}
	}
	return func() {}
}

// byFrames says whether a view shows the frames of the screencast rather than screenshots: while a person works in the
// tab, all of them, and where the page is scaled, some.
func (c *Camera) byFrames(ctx context.Context, v View) bool {
	return c.isPrivate() && v.Pace.Rest == 0 || c.scaled(ctx)
}

// cast shows frames of the screencast while that is the way to show the tab.
func (c *Camera) cast(ctx context.Context, v View, drawn chan struct{}) error {
	defer c.beginCast()()
	seen, shown := 0, -1 // the last frame, and the documents that had come by it
	var last gauge
	for ctx.Err() == nil && c.byFrames(ctx, v) {
		c.mu.Lock()
		frame := c.frame
		c.mu.Unlock()
		var err error
		switch d := c.target.Dialog(); {
		case d != nil:
			err = v.Dialog(*d)
			seen = 0
		case frame != nil && frame.number != seen:
			seen, shown = frame.number, frame.commits
			i := Image{Data: frame.Data, MIME: "image/jpeg", Scale: 1, commits: frame.commits, cast: true}
			window := c.measure(ctx, &last, frame)
			i.Width, i.Height = window.Width, window.Height
			err = v.Show(c.number(i))
		case shown != c.frames.Load().Commits && !c.scaled(ctx):
			shown, err = c.still(ctx, v)
		}
		if err != nil {
			return err
		}
		least := v.Pace.Least
		if c.isPrivate() {
			least = min(least, castPace)
		}
		pause(ctx, least, nil)
		pause(ctx, v.Pace.Most-least, drawn)
	}
	return ctx.Err()
}

// still shows a screenshot of a document that has sent no frame yet. It returns how many documents had come by then.
func (c *Camera) still(ctx context.Context, v View) (commits int, err error) {
	picture, err := c.Screenshot(ctx, Shot{Format: "jpeg", Quality: 75, Fit: true})
	var open *target.DialogOpen
	switch {
	case errors.As(err, &open):
		return -1, v.Dialog(open.Dialog)
	case err != nil:
		return -1, nil //nolint:nilerr // the tab is busy; the next frame shows it
	}
	return picture.commits, v.Show(c.number(picture))
}

// gauge remembers the size of the window in the last frame, and what the browser said of it.
type gauge struct{ said, size extent }

type extent struct{ Width, Height float64 }

// alike says that two extents have the same shape: they are one size, in one or two units.
func (e extent) alike(other extent) bool {
	wide, high := e.Width/other.Width, e.Height/other.Height
	return wide > 0 && math.Abs(wide-high) <= wide/100
}

// measureLimit bounds how long a frame waits for the size of its window.
const measureLimit = 2 * time.Second

// measure returns the size of the window in a frame, in the units of the mouse. The browser says it with the frame, but
// around a screenshot in pixels of the screen. So whenever that changes, the page is asked.
func (c *Camera) measure(ctx context.Context, g *gauge, f *castFrame) extent {
	said := extent{f.Metadata.Width, f.Metadata.Height}
	if g.said == said {
		return g.size
	}
	size, err := c.inner(ctx)
	if err != nil || !size.alike(said) {
		return said // the page is busy, or the frame shows another size by now
	}
	*g = gauge{said, size}
	return size
}

// inner returns the size of the window with its scrollbars, in the units of the mouse.
func (c *Camera) inner(ctx context.Context) (size extent, err error) {
	ctx, cancel := context.WithTimeout(ctx, measureLimit)
	defer cancel()
	unlock, err := c.viewport.Lock(ctx)
	if err != nil {
		return size, err
	}
	defer unlock()

	m, err := c.metrics(ctx)
	if err != nil {
		return size, err
	}
	zoom := cmp.Or(m.Viewport.Zoom, 1)
	if m.Viewport.Scale != 1 { // such a page has scrollbars above its content
		scale := m.Viewport.Scale * zoom
		return extent{m.Viewport.Width * scale, m.Viewport.Height * scale}, nil
	}
	w, err := c.frames.EnterMain(ctx)
	if err == nil {
		err = c.frames.Run(ctx, w, &size, "function(){return {width:innerWidth,height:innerHeight}}")
	}
	return extent{size.Width * zoom, size.Height * zoom}, err
}
