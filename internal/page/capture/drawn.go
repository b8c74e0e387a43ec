package capture

import (
	"errors"
	"strings"

	"cove/internal/cdp"
	"cove/internal/page/target"
)

// tinyScreencast has the parameters of the browser's own screencast. We use only its reports that something was drawn,
// so its images are tiny.
var tinyScreencast = object{"format": "jpeg", "quality": 1, "maxWidth": tinyEdge, "maxHeight": tinyEdge,
	"everyNthFrame": 1}

const tinyEdge = 32

// Event records that the tab was drawn.
func (c *Camera) Event(e cdp.Event) {
	p, ok := target.Decode[castFrame](e)
	if !ok {
		return
	}

	c.target.Post(c.target.Session, "Page.screencastFrameAck", object{"sessionId": p.Session})
	c.addFrame(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recording != nil {
		poke(c.recording.drawn)
	}
	for v := range c.viewers {
		poke(v)
	}
}

// poke wakes up the receiver of c, a channel with room for one value. It never waits.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// watched reports whether somebody needs to know that the tab was drawn: a recording or a live view.
func (c *Camera) watched() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.recording != nil || len(c.viewers) > 0
}

func (c *Camera) startScreencast() {
	c.target.Post(c.target.Session, "Page.startScreencast", tinyScreencast)
}

func (c *Camera) stopScreencast() { c.target.Post(c.target.Session, "Page.stopScreencast", nil) }

// forceDrawing makes a hidden tab draw itself: hidden tabs are drawn during a screencast. A visible tab would lose a
// quarter of its time to it.
func (c *Camera) forceDrawing() (stop func()) {
	if c.watched() {
		return func() {}
	}

	c.startScreencast()
	return func() {
		c.mu.Lock() // a recording or a viewer that begins now starts the screencast after this
		defer c.mu.Unlock()
		if c.recording == nil && len(c.viewers) == 0 {
			c.stopScreencast()
		}
	}
}

// isActive says that the browser refused to start a screencast because there is one: of a picture that forces a hidden
// tab to draw itself. It goes on, because a recording or a viewer needs it.
func isActive(err error) bool {
	var refused *cdp.Error
	return errors.As(err, &refused) && strings.Contains(refused.Message, "already active")
}

// watchDrawn returns a channel that receives a value when the tab was drawn. Pass it to unwatchDrawn at the end.
func (c *Camera) watchDrawn() chan struct{} {
	drawn := make(chan struct{}, 1)
	c.mu.Lock()
	c.viewers[drawn] = struct{}{}
	first := len(c.viewers) == 1 && c.recording == nil
	c.mu.Unlock()
	if first {
		c.startScreencast()
	}
	return drawn
}

func (c *Camera) unwatchDrawn(drawn chan struct{}) {
	c.mu.Lock()
	delete(c.viewers, drawn)
	last := len(c.viewers) == 0 && c.recording == nil
	c.mu.Unlock()
	if last {
		c.stopScreencast()
	}
}
