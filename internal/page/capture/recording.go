package capture

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"cove/internal/fault"
	"cove/internal/webm"
)

// recordPace is the shortest time between two images of a recording. recordLimit ends a recording that nobody stops.
const (
	recordPace  = 120 * time.Millisecond
	recordLimit = 30 * time.Minute
)

// recording is a video that is being made of a tab.
type recording struct {
	path  string
	stop  context.CancelFunc
	drawn chan struct{}
	ended chan struct{}

	mu     sync.Mutex
	frames int
	err    error
}

// StartRecording begins to record the tab into a video file. It takes over the file unless it returns an error, and
// closes it when the recording ends.
func (c *Camera) StartRecording(ctx context.Context, file *os.File, path string) error {
	life, stop := context.WithTimeout(c.target.Life(), recordLimit)
	r := &recording{path: path, stop: stop, drawn: make(chan struct{}, 1), ended: make(chan struct{})}
	c.mu.Lock()
	if c.recording != nil {
		c.mu.Unlock()
		stop()
		return fault.New(fault.CodeRecording, "The page is being recorded already.",
			"Stop it with screencast_stop.")
	}
	c.recording = r
	c.mu.Unlock()

	if err := c.target.Do(ctx, "Page.startScreencast", tinyScreencast, nil); err != nil && !isActive(err) {
		stop()
		c.mu.Lock()
		c.recording = nil
		c.mu.Unlock()
		return err
	}
	poke(r.drawn) // the first image
	go c.record(life, r, file)
	return nil
}

// record adds an image whenever the page was drawn, until ctx ends. The browser's own screencast only reports that the
// page was drawn.
func (c *Camera) record(ctx context.Context, r *recording, file *os.File) {
	defer close(r.ended)
	defer func() { _ = file.Close() }()
	out := webm.NewWriter(file)
	began := time.Now()
	add := func(ctx context.Context) error {
		image, err := c.Screenshot(ctx, Shot{Format: "webp", Quality: 80, Fit: true})
		if err != nil {
			return err
		}
		return out.AddWebP(time.Since(began), image.Data)
	}

	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-r.drawn:
			if c.isPrivate() {
				pause(ctx, recordPace, nil)
				continue
			}
			if err := add(ctx); err == nil {
				r.mu.Lock()
				r.frames++
				r.mu.Unlock()
			} else if ctx.Err() == nil && !errors.Is(err, webm.ErrSize) {
				c.log.Debug("an image of a recording failed", "err", err)
			}
			pause(ctx, recordPace, nil)
		}
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
	defer cancel()
	if !c.isPrivate() {
		_ = add(last)
	}
	r.mu.Lock()
	r.err = out.Close()
	r.mu.Unlock()
}

// StopRecording ends the recording and returns the path of its file and the number of its images.
func (c *Camera) StopRecording(ctx context.Context) (path string, frames int, err error) {
	c.mu.Lock()
	r := c.recording
	c.recording = nil
	watched := len(c.viewers) > 0
	c.mu.Unlock()
	if r == nil {
		return "", 0, fault.New(fault.CodeNotRecording, "The page is not being recorded.",
			"Start with screencast_start.")
	}

	if !watched {
		c.stopScreencast()
	}
	r.stop()
	select {
	case <-r.ended:
	case <-ctx.Done():
		return "", 0, context.Cause(ctx)
	}
	return r.path, r.frames, r.err
}
