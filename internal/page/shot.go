package page

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
)

// Shot is a picture that is asked for.
type Shot struct {
	Format  string // png, jpeg, webp
	Quality int    // 0 for the browser's own
	Full    bool
	UID     string
	// Fit scales the picture to what models take; a file keeps its size.
	Fit bool
	// Around adds so many pixels around the element; Edge is the longest edge when it is not that of Fit.
	Around, Edge float64
	// Dense pictures with more than densePixels become JPEG: as PNG they would be too large to send.
	Dense bool
	// Still leaves the page as it is: only what is shown can be taken, since for more the browser resizes the page, and the page's handlers
	// notice.
	Still bool
}

// errBeyond says why a picture that leaves the page as it is does not show more.
var errBeyond = fault.New(fault.CodePolicy, "The picture was not taken: it goes beyond what the page shows now, and to take it the page would be resized or scrolled, which its scripts notice. The profile's policy lets agents look only.",
	"Take one without fullPage and uid.")

// densePixels is an area of which a picture with text is larger than a megabyte as PNG.
const densePixels = 3 << 20

// What a model takes without scaling it down itself, and the longest picture that is sent at all.
const (
	fitEdge   = 1568
	fitHeight = 7800
)

// Picture is a screenshot.
type Picture struct {
	Data []byte
	MIME string
	// Scale is how much smaller it is than the page, Cut how many pixels of its height are missing.
	Scale float64
	Cut   int
}

type rect struct{ X, Y, Width, Height float64 }

func (r rect) within(outer rect) bool {
	return r.X >= outer.X && r.Y >= outer.Y && r.X+r.Width <= outer.X+outer.Width && r.Y+r.Height <= outer.Y+outer.Height
}

// moveLimit is how long a page may go from document to document before nobody waits for a picture of it any more.
const moveLimit = 5 * time.Second

// errMoved: the document that the picture was to be of has gone.
var errMoved = errors.New("another document has come")

// Screenshot takes a picture of the viewport, of the whole page, or of one element.
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	if err := t.refuseDialog(); err != nil {
		return Picture{}, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	for began := time.Now(); ; {
		p, err := t.picture(ctx, s)
		if !errors.Is(err, errMoved) {
			return p, err
		}
		if time.Since(began) > moveLimit {
			return p, errRestless
		}
	}
}

// picture is one try of a screenshot.
func (t *Tab) picture(ctx context.Context, s Shot) (Picture, error) {
	commits := t.present().commits
	p, err := t.pictureOf(ctx, s, commits)
	var refused *cdp.Error
	if errors.As(err, &refused) && t.until(ctx, busyLimit, func() bool { return t.present().commits != commits }) {
		return p, errMoved // what the browser says then depends on how far the new document was
	}
	return p, err
}

func (t *Tab) pictureOf(ctx context.Context, s Shot, commits int) (Picture, error) {
	var m struct {
		Viewport struct {
			X     float64 `json:"pageX"`
			Y     float64 `json:"pageY"`
			Width float64 `json:"clientWidth"`
			High  float64 `json:"clientHeight"`
			Scale float64 `json:"scale"`
		} `json:"cssVisualViewport"`
		Content rect `json:"cssContentSize"`
	}
	if err := t.do(ctx, "Page.getLayoutMetrics", nil, &m); err != nil {
		return Picture{}, err
	}
	clip := rect{m.Viewport.X, m.Viewport.Y, m.Viewport.Width, m.Viewport.High}
	switch {
	case s.UID != "":
		box, err := t.boxOf(ctx, s.UID, s.Still)
		if err != nil {
			return Picture{}, err
		}
		// Looking for the element may have scrolled the page.
		if err := t.do(ctx, "Page.getLayoutMetrics", nil, &m); err != nil {
			return Picture{}, err
		}
		clip = rect{m.Viewport.X + box.X, m.Viewport.Y + box.Y, box.Width, box.Height}
		if s.Around > 0 {
			left, top := max(0, clip.X-s.Around), max(0, clip.Y-s.Around)
			clip = rect{left, top, clip.X + clip.Width + s.Around - left, clip.Y + clip.Height + s.Around - top}
		}
		if shown := (rect{m.Viewport.X, m.Viewport.Y, m.Viewport.Width, m.Viewport.High}); s.Still && !clip.within(shown) {
			return Picture{}, errBeyond
		}
	case s.Full && s.Still:
		return Picture{}, errBeyond
	case s.Full:
		clip = rect{0, 0, m.Content.Width, m.Content.Height}
	}
	return t.capture(ctx, s, clip, m.Viewport.Scale != 1, commits)
}

func (t *Tab) capture(ctx context.Context, s Shot, clip rect, zoomed bool, commits int) (Picture, error) {
	p := Picture{MIME: "image/" + s.Format, Scale: 1}
	if clip.Width < 1 || clip.Height < 1 {
		return p, fault.New(fault.CodeHidden, "There is nothing to take a picture of: it has no area.", "Take a snapshot to see what is on the page.")
	}
	if s.Fit {
		edge := clip.Width
		if !s.Full {
			edge = max(clip.Width, clip.Height)
		}
		longest := float64(fitEdge)
		if s.Edge > 0 {
			longest = s.Edge
		}
		p.Scale = min(1, longest/edge)
		if high := math.Floor(fitHeight / p.Scale); clip.Height > high {
			p.Cut = int(clip.Height - high)
			clip.Height = high
		}
	}
	if s.Dense && clip.Width*clip.Height*p.Scale*p.Scale > densePixels {
		s.Format, s.Quality, p.MIME = "jpeg", 80, "image/jpeg"
	}
	params := object{"format": s.Format, "captureBeyondViewport": !s.Still && (s.Full || s.UID != ""), "optimizeForSpeed": true}
	if s.Full || s.UID != "" || p.Scale != 1 || zoomed { // a clip costs the browser another layout
		params["clip"] = object{"x": clip.X, "y": clip.Y, "width": clip.Width, "height": clip.Height, "scale": p.Scale}
	}
	if s.Quality > 0 && s.Format != "png" {
		params["quality"] = s.Quality
	}
	raw, err := t.shoot(ctx, params, drawTime+time.Duration(clip.Width*clip.Height*p.Scale*p.Scale)*pixelTime, commits)
	if err != nil {
		return p, err
	}
	p.Data, err = decodeShot(raw)
	return p, err
}

// decodeShot reads the browser's answer. Its one member may have megabytes, which a parser would go through several times.
func decodeShot(raw json.RawMessage) ([]byte, error) {
	if text, ok := bytes.CutPrefix(raw, []byte(`{"data":"`)); ok {
		if text, ok = bytes.CutSuffix(text, []byte(`"}`)); ok {
			if data, err := base64.StdEncoding.AppendDecode(nil, text); err == nil {
				return data, nil
			}
		}
	}
	var shot struct{ Data []byte }
	err := json.Unmarshal(raw, &shot)
	return shot.Data, err
}

// A tab that is seen has given its picture by then: the time for any, and for each pixel.
const (
	drawTime  = 80 * time.Millisecond
	pixelTime = 150 * time.Nanosecond
)

// shoot takes the picture. The browser drops the wish for one, without a word, when another document comes; and a tab that nobody
// sees draws nothing: late is when it is made to.
func (t *Tab) shoot(ctx context.Context, params object, late time.Duration, commits int) (json.RawMessage, error) {
	ctx, cancel := t.bound(ctx, commandLimit)
	defer cancel()
	release, err := take(ctx, t.camera)
	if err != nil {
		return nil, err
	}
	defer release()
	var raw json.RawMessage
	done := make(chan error, 1)
	pending := t.b.conn.Start(t.session, "Page.captureScreenshot", params)
	go func() { done <- pending.Wait(ctx, &raw) }()
	unseen := time.NewTimer(late)
	defer unseen.Stop()
	for {
		next := t.changed.wait()
		if t.present().commits != commits {
			return nil, errMoved
		}
		select {
		case err := <-done:
			return raw, err
		case <-unseen.C:
			defer t.drawn()()
		case <-next:
		}
	}
}

// drawn makes a tab that nobody sees draw itself: as long as it is filmed it does. It costs a tab that is seen a quarter of its time.
func (t *Tab) drawn() (rest func()) {
	if t.filmed() {
		return func() {}
	}
	t.forget(t.b.conn.Start(t.session, "Page.startScreencast", smallFilm))
	return func() {
		if !t.filmed() {
			t.forget(t.b.conn.Start(t.session, "Page.stopScreencast", nil))
		}
	}
}

// boxOf is where an element is in the window.
func (t *Tab) boxOf(ctx context.Context, uid string, still bool) (rect, error) {
	e, err := t.find(ctx, uid)
	if err != nil {
		return rect{}, err
	}
	var box struct {
		X, Y, Width, Height float64
		Gone                bool
	}
	if err := t.run(ctx, e.place, &box, "function(id,still){return act.box(id,still)}", e.id, still); err != nil {
		return rect{}, err
	}
	if box.Gone {
		return rect{}, aimed{Gone: true}.err(e)
	}
	r := rect{box.X, box.Y, box.Width, box.Height}
	for frameID := e.frame; frameID != t.main; {
		owner, err := t.ownerOf(ctx, frameID)
		if err != nil {
			return rect{}, err
		}
		t.mu.Lock()
		parent := ""
		if f := t.frames[frameID]; f != nil {
			parent = f.parent
		}
		t.mu.Unlock()
		p, err := t.enter(ctx, parent)
		if err != nil {
			return rect{}, err
		}
		var c struct{ X, Y, ScaleX, ScaleY float64 }
		if err := t.run(ctx, p, &c, "function(id){return act.content(cove.get(id))}", owner); err != nil {
			return rect{}, err
		}
		r = rect{c.X + r.X*c.ScaleX, c.Y + r.Y*c.ScaleY, r.Width * c.ScaleX, r.Height * c.ScaleY}
		frameID = parent
	}
	return r, nil
}

// PDF prints the page.
func (t *Tab) PDF(ctx context.Context) ([]byte, error) {
	ctx, cancel := t.bound(ctx, time.Minute)
	defer cancel()
	var r struct {
		Data string `json:"data"`
	}
	if err := t.b.conn.Call(ctx, t.session, "Page.printToPDF", object{"printBackground": true}, &r); err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(r.Data)
}

// Thumbnail is a small picture for a person: of an element and what is around it, or of the page. nil when there is none to be had.
func (t *Tab) Thumbnail(ctx context.Context, uid string) []byte {
	shot := Shot{Format: "jpeg", Quality: 70, UID: uid, Around: 120, Edge: 640, Fit: true}
	p, err := t.Screenshot(ctx, shot)
	if err != nil && uid != "" {
		shot.UID = ""
		p, err = t.Screenshot(ctx, shot)
	}
	if err != nil {
		return nil
	}
	return p.Data
}
