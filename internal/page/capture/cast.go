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

// castParams returns the parameters of a screencast whose frames people see.
func castParams(edge float64, quality int) object {
	return object{"format": "jpeg", "quality": quality, "maxWidth": edge, "maxHeight": edge, "everyNthFrame": 1}
}

// The frames by which a person works or watches one profile, and those for a glance.
var (
	wholeFrames = castParams(fitEdge, 75)
	smallFrames = castParams(Glancing.Edge, Glancing.Quality)
)

// castPace is the shortest time between two frames of a view by which a person works.
const castPace = time.Second / 30

// castFrame is a frame of the screencast.
type castFrame struct {
	Data     []byte `json:"data"`
	Session  int    `json:"sessionId"`
	Metadata struct {
		Width     float64 `json:"deviceWidth"`
		Height    float64 `json:"deviceHeight"`
		PageScale float64 `json:"pageScaleFactor"`
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

// beginCast makes the screencast send frames that people see, until end. They are small while all who see them glance.
func (c *Camera) beginCast(glance bool) (end func()) {
	c.addCast(glance, 1)
	return func() { c.addCast(glance, -1) }
}

func (c *Camera) addCast(glance bool, n int) {
	c.mu.Lock()
	before := c.castingLocked()
	c.casting += n
	if !glance {
		c.castingWhole += n
	}
	now := c.castingLocked()
	if now == nil || before == nil {
		c.frame = nil
	}
	c.mu.Unlock()
	if len(before) > 0 && len(now) > 0 && before["maxWidth"] == now["maxWidth"] {
		return
	}
	c.stopScreencast()
	switch {
	case now != nil:
		c.target.Post(c.target.Session, "Page.startScreencast", now)
	case c.watched():
		c.startScreencast()
	}
}

// restartCast makes the browser send a frame of the page as it is. Otherwise the next one comes when something changes.
func (c *Camera) restartCast() {
	c.mu.Lock()
	params := c.castingLocked()
	c.mu.Unlock()
	if params == nil {
		return
	}
	c.stopScreencast()
	c.target.Post(c.target.Session, "Page.startScreencast", params)
}

// castingLocked returns the parameters of the screencast whose frames people see; nil without one.
func (c *Camera) castingLocked() object {
	switch {
	case c.castingWhole > 0:
		return wholeFrames
	case c.casting > 0:
		return smallFrames
	}
	return nil
}

// scaled says that a pixel of the page is not one of the screen. During a screenshot of such a page the browser counts
// the places of the mouse in pixels of the screen, so that whatever is pressed meanwhile is pressed elsewhere. Watching
// must not cause that: the gate's clients press whenever they like.
func (c *Camera) scaled(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, measureLimit)
	defer cancel()
	var ratio float64
	w, err := c.frames.EnterMain(ctx)
	if err == nil {
		err = c.frames.Run(ctx, w, &ratio, "function(){return devicePixelRatio}")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && ratio > 0 { // a page that is busy is as it was
		c.ratio = ratio
	}
	return c.ratio != 0 && c.ratio != 1
}

// BlockScreenshots lets no screenshot begin until release, so that the mouse comes to where it is sent. It waits for a
// screenshot that is under way only where that one matters.
func (c *Camera) BlockScreenshots(ctx context.Context) (release func()) {
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

// cast shows frames of the screencast while that is the way to show the tab. rested says that it ended because nothing
// has changed for the time of rest, unless that is 0.
func (c *Camera) cast(ctx context.Context, v View, rest time.Duration, drawn chan struct{}) (rested bool, err error) {
	defer c.beginCast(v.Pace.Rest > 0)()
	seen, shown := 0, -1 // the last frame, and the documents that had come by it
	var last measuredWindow
	changed := time.Now()
	var stale staleness
	for ctx.Err() == nil && c.byFrames(ctx, v) {
		if rest > 0 && time.Since(changed) >= rest {
			return true, nil
		}
		c.mu.Lock()
		frame := c.frame
		c.mu.Unlock()
		switch d := c.target.Dialog(); {
		case d != nil:
			err = v.Dialog(*d)
			seen = 0
		case frame != nil && frame.number != seen:
			seen, shown, changed = frame.number, frame.commits, time.Now()
			i := Image{Data: frame.Data, MIME: "image/jpeg", Scale: 1, commits: frame.commits, cast: true}
			window := c.measure(ctx, &last, frame)
			i.Width, i.Height = window.Width, window.Height
			err = v.Show(c.number(i))
		case shown == c.frames.Load().Commits:
			stale = staleness{}
		case !c.scaled(ctx):
			shown, err = c.still(ctx, v)
		case frame != nil && stale.due():
			c.restartCast()
		}
		if err != nil {
			return false, err
		}
		least := v.Pace.Least
		if c.isPrivate() {
			least = min(least, castPace)
		}
		pause(ctx, least, nil)
		longest := v.Pace.Most
		if rest > 0 {
			longest = min(longest, rest)
		}
		pause(ctx, longest-least, drawn)
	}
	return false, ctx.Err()
}

// staleness times new starts of the screencast while its last frame may show the document before this one: a page in
// which nothing moves sends no other frame. A page that is slow to draw is asked less and less often.
type staleness struct {
	since time.Time
	wait  time.Duration
}

// frameWait is how long a document has to send a frame by itself.
const frameWait = time.Second

func (s *staleness) due() bool {
	switch {
	case s.since.IsZero():
		s.since, s.wait = time.Now(), frameWait
		return false
	case time.Since(s.since) < s.wait:
		return false
	}
	s.since, s.wait = time.Now(), 2*s.wait
	return true
}

// ShownImage returns an image of what the tab shows, for people who look at it later. Where the page is scaled, that is
// a frame of the screencast, of the present document. For a busy page it waits as long as ctx lasts.
func (c *Camera) ShownImage(ctx context.Context, quality int) ([]byte, error) {
	for {
		data, err := c.shownImage(ctx, quality)
		if !errors.Is(err, target.ErrNoAnswer) || ctx.Err() != nil {
			return data, err
		}
	}
}

// shownImage makes one attempt at a ShownImage.
func (c *Camera) shownImage(ctx context.Context, quality int) ([]byte, error) {
	if !c.scaled(ctx) {
		image, err := c.Screenshot(ctx, Shot{Format: "jpeg", Quality: quality})
		return image.Data, err
	}
	ctx, cancel, err := c.target.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()
	defer context.AfterFunc(c.target.Life(), cancel)()
	drawn := c.watchDrawn()
	defer c.unwatchDrawn(drawn)
	c.mu.Lock()
	last, casting := 0, c.castingWhole > 0
	if c.frame != nil {
		last = c.frame.number
	}
	c.mu.Unlock()
	defer c.beginCast(false)()
	if casting {
		c.restartCast()
	}
	for {
		c.mu.Lock()
		frame := c.frame
		c.mu.Unlock()
		if frame != nil && frame.number != last && frame.commits == c.frames.Load().Commits {
			return frame.Data, nil
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-drawn:
		}
	}
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

// measuredWindow remembers the size of the window in the last frame, and what the browser said of it.
type measuredWindow struct {
	said, size extent
	scale      float64
}

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
func (c *Camera) measure(ctx context.Context, g *measuredWindow, f *castFrame) extent {
	said, scale := extent{f.Metadata.Width, f.Metadata.Height}, f.Metadata.PageScale
	if g.said == said && g.scale == scale {
		return g.size
	}
	size, err := c.inner(ctx)
	if err != nil { // the page is busy
		size = g.size
	}
	if !size.alike(said) {
		return said // nothing is known, or the frame shows another size by now
	}
	*g = measuredWindow{said, size, scale}
	return size
}

// inner returns the size of the window with its scrollbars, in the units of the mouse. Those are the page's own,
// however large it is shown, but for the browser's zoom.
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
		return extent{m.Viewport.Width * zoom, m.Viewport.Height * zoom}, nil
	}
	w, err := c.frames.EnterMain(ctx)
	if err == nil {
		err = c.frames.Run(ctx, w, &size, "function(){return {width:innerWidth,height:innerHeight}}")
	}
	return extent{size.Width * zoom, size.Height * zoom}, err
}
