// Package capture makes images of a tab: screenshots, thumbnails, recordings, a live view, PDF.
package capture

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/page/dom"
	"cove/internal/page/target"
)

type object = map[string]any

// Camera makes images of one tab. It owns the tab's recording, if there is one, and the browser's screencast, which
// runs while somebody records or watches the tab. All methods may be called from any goroutine; Event never waits.
type Camera struct {
	target *target.Target
	frames *dom.Frames
	log    *slog.Logger
	// viewport is locked while an image is made or the page's size changes. After a screenshot the browser restores the
	// size that the page had at its beginning.
	viewport target.Mutex
	// restore gives the page the size that it is to have, for a caller that has locked the viewport.
	restore func(context.Context)

	mu      sync.Mutex
	private bool // the person works in the tab: nothing of it is recorded
	casting int  // live views that show frames
	// castingWhole counts those of them that do not only glance.
	castingWhole int
	frame        *castFrame
	ratio        float64   // pixels of the screen for one of the page; 0 while nothing is known
	committed    time.Time // when the last document came
	images       shownImages
	recording    *recording
	viewers      map[chan struct{}]struct{} // the channels of watchDrawn
}

// New returns the camera of a tab. Everything that changes the size of the page must lock the same viewport. restore
// gives the page the size that it is to have, after a screenshot that the browser has not ended.
func New(
	t *target.Target, frames *dom.Frames, viewport target.Mutex, restore func(context.Context), log *slog.Logger,
) *Camera {
	return &Camera{target: t, frames: frames, viewport: viewport, restore: restore, log: log,
		viewers: map[chan struct{}]struct{}{}}
}

// SetPrivate says whether the person works in the tab. Meanwhile a recording gets no images.
func (c *Camera) SetPrivate(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.private = on
	for v := range c.viewers {
		poke(v)
	}
}

func (c *Camera) isPrivate() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.private
}

// Shot describes the screenshot that is wanted.
type Shot struct {
	Format  string // png, jpeg, webp
	Quality int    // 0 for the browser's own
	Full    bool
	UID     string
	// Fit scales the image down to what models accept.
	Fit bool
	// Around is how many pixels around the element are in the image too. Edge, unless 0, replaces the longest edge that
	// Fit allows.
	Around, Edge float64
	// Dense makes an image with more than densePixels a JPEG: as PNG it would be too large to send.
	Dense bool
	// Still leaves the page as it is. Then only the viewport can be captured. To capture more, the browser resizes the
	// page, and the page's handlers notice.
	Still bool
}

// errBeyond refuses a Still image of more than the viewport.
var errBeyond = fault.New(fault.CodePolicy,
	"No screenshot was taken: it goes beyond the viewport, so the page would be resized or scrolled, which its "+
		"scripts notice. You may only look at this page.",
	"Take one without fullPage and uid.")

// densePixels is the area from which a PNG of text is larger than a megabyte.
const densePixels = 3 << 20

// fitEdge is the longest edge that a model accepts without scaling the image down itself. fitHeight is the greatest
// height of an image with Fit; the rest of a longer page is cut off.
const (
	fitEdge   = 1568
	fitHeight = 7800
)

// Image is a screenshot.
type Image struct {
	Data []byte
	MIME string
	// Scale is the size of the image in proportion to the page. Cut is how many pixels of the page's height are
	// missing.
	Scale float64
	Cut   int
	// Number names a picture of a live view, for Shown. Width and Height are the size of the window that it shows, in
	// the units of the mouse.
	Number        int
	Width, Height float64

	beyond  bool     // the browser has resized the page for it
	clip    dom.Rect // the part of the document that it shows; without a size, all of the window with its scrollbars
	window  window   // as it was then
	commits int      // the documents that had come by then
	cast    bool     // it is a frame of the screencast
}

// moveLimit is how long a tab may go on from document to document before a screenshot fails.
const moveLimit = 5 * time.Second

// errMoved reports that the tab left the document while it was captured.
var errMoved = errors.New("another document has come")

// Screenshot captures the viewport, the whole page, or one element.
func (c *Camera) Screenshot(ctx context.Context, s Shot) (Image, error) {
	ctx, cancel, err := c.target.Begin(ctx)
	if err != nil {
		return Image{}, err
	}
	defer cancel()

	for began := time.Now(); ; {
		image, err := c.try(ctx, s)
		if !errors.Is(err, errMoved) {
			return image, err
		}
		if time.Since(began) > moveLimit {
			return image, dom.ErrRestless
		}
	}
}

// try makes one attempt at a screenshot. It returns errMoved when another document comes meanwhile.
func (c *Camera) try(ctx context.Context, s Shot) (Image, error) {
	commits := c.frames.Load().Commits
	image, err := c.capture(ctx, s, commits)
	var refused *cdp.Error
	moved := func() bool { return c.frames.Load().Commits != commits }
	if errors.As(err, &refused) && c.target.Until(ctx, target.BusyLimit, moved) {
		return image, errMoved // the browser's error depends on how far the new document was
	}
	return image, err
}

// metrics has the members that we read of the answer to Page.getLayoutMetrics.
type metrics struct {
	Viewport window   `json:"cssVisualViewport"`
	Content  dom.Rect `json:"cssContentSize"`
}

// window is the part of a page that its window shows.
type window struct {
	X       float64 `json:"pageX"`
	Y       float64 `json:"pageY"`
	OffsetX float64 `json:"offsetX"` // from the layout's edge, which pages measure from
	OffsetY float64 `json:"offsetY"`
	Width   float64 `json:"clientWidth"`
	Height  float64 `json:"clientHeight"`
	Scale   float64 `json:"scale"`
	Zoom    float64 `json:"zoom"` // the browser's, not the page's
}

func (m metrics) shown() dom.Rect {
	return dom.Rect{X: m.Viewport.X, Y: m.Viewport.Y, Width: m.Viewport.Width, Height: m.Viewport.Height}
}

func (c *Camera) metrics(ctx context.Context) (m metrics, err error) {
	return m, c.target.Do(ctx, "Page.getLayoutMetrics", nil, &m)
}

func (c *Camera) capture(ctx context.Context, s Shot, commits int) (Image, error) {
	m, err := c.metrics(ctx)
	if err != nil {
		return Image{}, err
	}

	clip := m.shown()
	switch {
	case s.UID != "":
		if clip, m, err = c.clipOf(ctx, s); err != nil {
			return Image{}, err
		}
	case s.Full && s.Still:
		return Image{}, errBeyond
	case s.Full:
		clip = dom.Rect{Width: m.Content.Width, Height: m.Content.Height}
	}
	image, err := c.captureClip(ctx, s, clip, m.Viewport.Scale != 1, commits)
	zoom := cmp.Or(m.Viewport.Zoom, 1)
	image.Width, image.Height, image.commits = m.Viewport.Width*zoom, m.Viewport.Height*zoom, commits
	image.window = m.Viewport
	if image.clip.Width == 0 {
		image.clip = dom.Rect{X: clip.X, Y: clip.Y}
	}
	return image, err
}

// clipOf returns the part of the page to capture for a shot of an element, and what the window shows then.
func (c *Camera) clipOf(ctx context.Context, s Shot) (clip dom.Rect, m metrics, err error) {
	box, err := c.frames.Box(ctx, s.UID, s.Still)
	if err != nil {
		return clip, m, err
	}
	m, err = c.metrics(ctx) // the search for the element may have scrolled the page
	if err != nil {
		return clip, m, err
	}

	clip = dom.Rect{X: m.Viewport.X + box.X, Y: m.Viewport.Y + box.Y, Width: box.Width, Height: box.Height}
	if s.Around > 0 {
		x, y := max(0, clip.X-s.Around), max(0, clip.Y-s.Around)
		clip = dom.Rect{X: x, Y: y,
			Width: clip.X + clip.Width + s.Around - x, Height: clip.Y + clip.Height + s.Around - y}
	}
	if s.Still && !clip.Within(m.shown()) {
		return clip, m, errBeyond
	}
	return clip, m, nil
}

func (c *Camera) captureClip(ctx context.Context, s Shot, clip dom.Rect, zoomed bool, commits int) (Image, error) {
	image := Image{MIME: "image/" + s.Format, Scale: 1}
	if clip.Width < 1 || clip.Height < 1 {
		return image, fault.New(fault.CodeHidden, "No screenshot was taken: the element has no area.",
			"Take a snapshot to see what is on the page.")
	}

	if s.Fit {
		image.Scale = s.fit(clip)
		if high := math.Floor(fitHeight / image.Scale); clip.Height > high {
			image.Cut = int(clip.Height - high)
			clip.Height = high
		}
	}
	area := clip.Width * clip.Height * image.Scale * image.Scale
	if s.Dense && area > densePixels {
		s.Format, s.Quality, image.MIME = "jpeg", 80, "image/jpeg"
	}
	image.beyond = !s.Still && (s.Full || s.UID != "")
	params := object{"format": s.Format, "captureBeyondViewport": image.beyond, "optimizeForSpeed": true}
	if s.Full || s.UID != "" || image.Scale != 1 || zoomed { // a clip costs the browser another layout
		params["clip"] = object{"x": clip.X, "y": clip.Y, "width": clip.Width, "height": clip.Height,
			"scale": image.Scale}
		image.clip = clip
	}
	if s.Quality > 0 && s.Format != "png" {
		params["quality"] = s.Quality
	}

	raw, err := c.shoot(ctx, params, drawTime+time.Duration(area)*pixelTime, commits)
	if err != nil {
		return image, err
	}
	image.Data, err = decodeImage(raw)
	return image, err
}

// fit returns the scale at which a model accepts the clip.
func (s Shot) fit(clip dom.Rect) float64 {
	edge := clip.Width
	if !s.Full {
		edge = max(clip.Width, clip.Height)
	}
	longest := float64(fitEdge)
	if s.Edge > 0 {
		longest = s.Edge
	}
	return min(1, longest/edge)
}

// decodeImage returns the image in the browser's answer. The answer has one member of perhaps megabytes, which a JSON
// parser would read several times.
func decodeImage(raw json.RawMessage) ([]byte, error) {
	if text, ok := bytes.CutPrefix(raw, []byte(`{"data":"`)); ok {
		if text, ok = bytes.CutSuffix(text, []byte(`"}`)); ok {
			if data, err := base64.StdEncoding.AppendDecode(nil, text); err == nil {
				return data, nil
			}
		}
	}
	var answer struct{ Data []byte }
	err := json.Unmarshal(raw, &answer)
	return answer.Data, err
}

// A visible tab delivers its image within drawTime and pixelTime for each of its pixels.
const (
	drawTime  = 80 * time.Millisecond
	pixelTime = 150 * time.Nanosecond
)

// lingerLimit bounds how long a screenshot that nobody waits for any more keeps others waiting.
const lingerLimit = 2 * time.Second

// restoreLimit bounds how long the page's size takes to be restored.
const restoreLimit = 2 * time.Second

// shoot captures the image. It returns errMoved when another document comes, because the browser then drops the request
// silently. A hidden tab draws nothing, so shoot forces it to draw when the image has not come within the time late.
func (c *Camera) shoot(
	ctx context.Context, params object, late time.Duration, commits int,
) (json.RawMessage, error) {
	ctx, cancel := c.target.Bound(ctx, target.CommandLimit)
	defer cancel()
	unlock, err := c.viewport.Lock(ctx)
	if err != nil {
		return nil, err
	}

	// The next screenshot would restore what this one has set, so it waits for this one also when nobody else does.
	var raw json.RawMessage
	done := make(chan error, 1)
	going, end := c.target.Bound(context.WithoutCancel(ctx), target.CommandLimit)
	linger := lingerLimit
	defer func() { time.AfterFunc(linger, end) }()
	pending := c.target.Conn.Start(c.target.Session, "Page.captureScreenshot", params)
	go func() {
		defer unlock()
		err := pending.Wait(going, &raw)
		if err != nil {
			c.restoreSize()
		}
		done <- err
	}()
	moved := func() bool { return c.frames.Load().Commits != commits }
	soon, stop := context.WithTimeout(ctx, late)
	defer stop()
	answer, answered, err := target.Await(soon, &c.target.Changed, done, moved)
	if err != nil && ctx.Err() == nil {
		defer c.forceDrawing()()
		answer, answered, err = target.Await(ctx, &c.target.Changed, done, moved)
	}
	switch {
	case err != nil:
		return nil, err
	case !answered:
		linger = 0
		return nil, errMoved
	case answer != nil:
		return nil, answer
	}
	return raw, nil
}

// restoreSize undoes what a screenshot without an answer has left: the mouse would be counted in its pixels from then
// on. The caller has locked the viewport.
func (c *Camera) restoreSize() {
	ctx, cancel := c.target.Bound(context.Background(), restoreLimit)
	defer cancel()
	c.restore(ctx)
}

// PDF prints the page.
func (c *Camera) PDF(ctx context.Context) ([]byte, error) {
	ctx, cancel := c.target.Bound(ctx, time.Minute)
	defer cancel()
	var r struct {
		Data string `json:"data"`
	}
	params := object{"printBackground": true}
	if err := c.target.Conn.Call(ctx, c.target.Session, "Page.printToPDF", params, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

// Thumbnail returns a small image for a person. It shows an element and its surroundings, or the viewport when uid is
// empty or the element cannot be captured. Thumbnail returns nil when it cannot make an image.
func (c *Camera) Thumbnail(ctx context.Context, uid string) []byte {
	shot := Shot{Format: "jpeg", Quality: 70, UID: uid, Around: 120, Edge: 640, Fit: true}
	image, err := c.Screenshot(ctx, shot)
	if err != nil && uid != "" {
		shot.UID = ""
		image, err = c.Screenshot(ctx, shot)
	}
	if err != nil {
		return nil
	}
	return image.Data
}
