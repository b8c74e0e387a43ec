package page

import (
	"bytes"
	"context"
	"errors"
	"time"
)

const (
	// livePace is the shortest time between two pictures for somebody who watches, liveCheck the longest: a tab behind another
	// does not always tell that it has drawn.
	livePace  = 120 * time.Millisecond
	liveCheck = 700 * time.Millisecond
)

// Live gives a picture of the tab whenever it looks different, until ctx or the tab ends. While a dialog is open there is none,
// and the dialog is given instead.
func (t *Tab) Live(ctx context.Context, picture func(Picture) error, dialog func(Dialog) error) error {
	life := t.lifeContext()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(life, cancel)()
	drawn := t.watchDrawn()
	defer t.unwatchDrawn(drawn)
	var last []byte
	for ctx.Err() == nil {
		p, err := t.Screenshot(ctx, Shot{Format: "jpeg", Quality: 70, Fit: true})
		var open *DialogOpen
		switch {
		case errors.As(err, &open):
			last, err = nil, dialog(open.Dialog)
		case err == nil && !bytes.Equal(p.Data, last):
			last, err = p.Data, picture(p)
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

// pause waits, until something happens at most.
func pause(ctx context.Context, d time.Duration, happens <-chan struct{}) {
	select {
	case <-ctx.Done():
	case <-happens:
	case <-time.After(d):
	}
}

// watchDrawn begins to hear that the tab has drawn something.
func (t *Tab) watchDrawn() chan struct{} {
	drawn := make(chan struct{}, 1)
	t.mu.Lock()
	if t.viewers == nil {
		t.viewers = map[chan struct{}]struct{}{}
	}
	t.viewers[drawn] = struct{}{}
	begins := len(t.viewers) == 1 && t.cast == nil
	t.mu.Unlock()
	if begins {
		t.forget(t.b.conn.Start(t.session, "Page.startScreencast", smallFilm))
	}
	return drawn
}

func (t *Tab) unwatchDrawn(drawn chan struct{}) {
	t.mu.Lock()
	delete(t.viewers, drawn)
	ends := len(t.viewers) == 0 && t.cast == nil
	t.mu.Unlock()
	if ends {
		t.forget(t.b.conn.Start(t.session, "Page.stopScreencast", nil))
	}
}

// Changed is closed at the next change of the list of tabs or of what they show.
func (b *Browser) Changed() <-chan struct{} { return b.changed.wait() }
