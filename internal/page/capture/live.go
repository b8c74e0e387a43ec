package capture

import (
	"bytes"
	"context"
	"errors"
	"time"

	"cove/internal/page/target"
)

// livePace is the shortest time between two images of a live view. liveCheck is the longest: a tab behind another does
// not always report that it was drawn.
const (
	livePace  = 120 * time.Millisecond
	liveCheck = 700 * time.Millisecond
)

// Live calls image whenever the tab looks different, until ctx or the tab ends, or until image or dialog fails. While a
// dialog is open, no image can be made, and Live calls dialog instead.
func (c *Camera) Live(ctx context.Context, image func(Image) error, dialog func(target.Dialog) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.target.Life(), cancel)()
	drawn := c.watchDrawn()
	defer c.unwatchDrawn(drawn)

	var last []byte
	for ctx.Err() == nil {
		shot, err := c.Screenshot(ctx, Shot{Format: "jpeg", Quality: 70, Fit: true})
		var open *target.DialogOpen
		switch {
		case errors.As(err, &open):
			last, err = nil, dialog(open.Dialog)
		case err == nil && !bytes.Equal(shot.Data, last):
			last, err = shot.Data, image(shot)
		default:
			err = nil // the tab is busy, hidden or just changing its page
		}
		if err != nil {
			return err
		}
		pause(ctx, livePace, nil)
		pause(ctx, liveCheck-livePace, drawn)
	}
	return ctx.Err()
}

// pause waits for the given time, or until ctx ends or happens receives.
func pause(ctx context.Context, d time.Duration, happens <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-happens:
	case <-time.After(d):
	}
}
