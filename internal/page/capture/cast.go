package capture

import (
	"bytes"
	"context"
	"errors"
	"image/jpeg"
	"time"

	"cove/internal/page/target"
)

// castParams are the parameters of the screencast that a person works by.
var castParams = object{
	"format": "jpeg", "quality": 75, "maxWidth": fitEdge, "maxHeight": fitEdge, "everyNthFrame": 1,
}

// castPace is the shortest time between two frames of a view.
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

// cast shows every frame while a person works in the tab.
func (c *Camera) cast(ctx context.Context, v View, drawn chan struct{}) error {
	defer c.beginCast()()
	seen, shown := 0, -1 // the last frame, and the documents that had come by it
	for ctx.Err() == nil && c.isPrivate() {
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
			err = v.Show(c.number(Image{
				Data: frame.Data, MIME: "image/jpeg", Scale: 1,
				Width: frame.Metadata.Width, Height: frame.Metadata.Height, commits: frame.commits, cast: true,
			}))
		case shown != c.frames.Load().Commits:
			shown, err = c.still(ctx, v)
		}
		if err != nil {
			return err
		}
		pause(ctx, castPace, nil)
		pause(ctx, v.Pace.Most-castPace, drawn)
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
