package page

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/webm"
)

// castPace is the shortest time between two pictures of a recording.
const castPace = 120 * time.Millisecond

// castLimit ends a recording that nobody stops.
const castLimit = 30 * time.Minute

// smallFilm is the browser's own screencast, of which only the news that something was drawn is used.
var smallFilm = object{"format": "jpeg", "quality": 1, "maxWidth": 32, "maxHeight": 32, "everyNthFrame": 1}

// filmed tells whether somebody wants that news: the tab is being recorded or watched.
func (t *Tab) filmed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.cast != nil || len(t.viewers) > 0
}

// screencast is a recording of a tab.
type screencast struct {
	path  string
	stop  context.CancelFunc
	dirty chan struct{} // the page has drawn something
	ended chan struct{}

	mu     sync.Mutex
	frames int
	err    error
}

// StartCast begins to record the tab into a file that a browser plays. The file is the recording's from then on, unless there is an error.
func (t *Tab) StartCast(ctx context.Context, file *os.File, path string) error {
	life, stop := context.WithTimeout(t.lifeContext(), castLimit)
	c := &screencast{path: path, stop: stop, dirty: make(chan struct{}, 1), ended: make(chan struct{})}
	t.mu.Lock()
	if t.cast != nil {
		t.mu.Unlock()
		stop()
		return fault.New(fault.CodeRecording, "The page is being recorded already.", "Stop it with screencast_stop.")
	}
	t.cast = c
	t.mu.Unlock()
	if err := t.do(ctx, "Page.startScreencast", smallFilm, nil); err != nil {
		stop()
		t.mu.Lock()
		t.cast = nil
		t.mu.Unlock()
		return err
	}
	select {
	case c.dirty <- struct{}{}:
	default: // the browser was faster
	}
	go c.record(life, t, file)
	return nil
}

// record takes a picture whenever the page has changed. The small pictures of the browser's own screencast only tell that.
func (c *screencast) record(ctx context.Context, t *Tab, file *os.File) {
	defer close(c.ended)
	defer func() { _ = file.Close() }()
	out := webm.NewWriter(file)
	began := time.Now()
	take := func(ctx context.Context) error {
		p, err := t.Screenshot(ctx, Shot{Format: "webp", Quality: 80, Fit: true})
		if err != nil {
			return err
		}
		return out.AddWebP(time.Since(began), p.Data)
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-c.dirty:
			if err := take(ctx); err == nil {
				c.mu.Lock()
				c.frames++
				c.mu.Unlock()
			} else if ctx.Err() == nil && !errors.Is(err, webm.ErrSize) {
				t.b.log.Debug("a picture of a recording failed", "err", err)
			}
			select {
			case <-ctx.Done():
			case <-time.After(castPace):
			}
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	_ = take(last)
	c.mu.Lock()
	c.err = out.Close()
	c.mu.Unlock()
}

func (t *Tab) castFrame(e cdp.Event) {
	p, ok := decode[struct {
		SessionID int `json:"sessionId"`
	}](e)
	if !ok {
		return
	}
	t.forget(t.b.conn.Start(t.session, "Page.screencastFrameAck", object{"sessionId": p.SessionID}))
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.cast != nil {
		poke(t.cast.dirty)
	}
	for v := range t.viewers {
		poke(v)
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// StopCast ends the recording and tells where it is.
func (t *Tab) StopCast(ctx context.Context) (path string, frames int, err error) {
	t.mu.Lock()
	c := t.cast
	t.cast = nil
	watched := len(t.viewers) > 0
	t.mu.Unlock()
	if c == nil {
		return "", 0, fault.New(fault.CodeNotRecording, "The page is not being recorded.", "Start with screencast_start.")
	}
	if !watched {
		t.forget(t.b.conn.Start(t.session, "Page.stopScreencast", nil))
	}
	c.stop()
	select {
	case <-c.ended:
	case <-ctx.Done():
		return "", 0, context.Cause(ctx)
	}
	return c.path, c.frames, c.err
}
