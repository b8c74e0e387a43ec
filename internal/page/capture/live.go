package capture

import (
	"bytes"
	"context"
	"errors"
	"time"

	"cove/internal/page/target"
)

// Pace is how often and how large the images of a live view are.
type Pace struct {
	// Least is the shortest time between two images. Most is the longest: a tab behind another does not always report
	// that it was drawn.
	Least, Most time.Duration
	Edge        float64 // the longest edge of an image; 0 for the usual
	Quality     int
	// Rest is how long after the last change the tab is no longer watched: watching costs, also where nothing happens.
	// Then an image is made every Most, and when Wake receives. 0 for never.
	Rest time.Duration
	Wake <-chan struct{}
}

var (
	// Watching is the pace for a person who watches one profile.
	Watching = Pace{Least: 120 * time.Millisecond, Most: 700 * time.Millisecond, Quality: 70}
	// Glancing is the pace for a person who has many profiles before them.
	Glancing = Pace{Least: time.Second, Most: 30 * time.Second, Edge: 480, Quality: 60, Rest: 20 * time.Second}
)

// glanceTime is how long a view that rests waits for a frame when it looks again.
const glanceTime = 3 * time.Second

// View is a live view of a tab.
type View struct {
	Pace Pace
	// Show gets an image whenever the tab looks different.
	Show func(Image) error
	// Dialog gets the dialog that is open: meanwhile no image can be made.
	Dialog func(target.Dialog) error
}

// Live shows the tab until ctx or the tab ends, or until a function of the view fails. While a person works in the tab,
// a view that does not rest shows every frame.
func (c *Camera) Live(ctx context.Context, v View) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(c.target.Life(), cancel)()
	drawn := c.watchDrawn()
	defer func() {
		if drawn != nil {
			c.unwatchDrawn(drawn)
		}
	}()

	pace := v.Pace
	shot := Shot{Format: "jpeg", Quality: pace.Quality, Edge: pace.Edge, Fit: true}
	var last []byte
	changed, resting := time.Now(), false
	for ctx.Err() == nil {
		if c.byFrames(ctx, v) {
			if drawn == nil {
				drawn = c.watchDrawn()
			}
			rest := pace.Rest
			if resting {
				rest = glanceTime
			}
			rested, err := c.cast(ctx, v, rest, drawn)
			if err != nil {
				return err
			}
			last, changed, resting = nil, time.Now(), false
			if rested {
				c.unwatchDrawn(drawn)
				drawn = nil
				resting = !pause(ctx, pace.Most, pace.Wake)
			}
			continue
		}
		picture, err := c.Screenshot(ctx, shot)
		var open *target.DialogOpen
		switch {
		case errors.As(err, &open):
			last, err = nil, v.Dialog(open.Dialog)
		case err == nil && !bytes.Equal(picture.Data, last):
			last, err = picture.Data, v.Show(c.number(picture))
			changed = time.Now()
		default:
			err = nil // the tab is busy, hidden or just changing its page
		}
		if err != nil {
			return err
		}
		rest := pace.Rest > 0 && time.Since(changed) > pace.Rest
		if rest && !resting {
			c.unwatchDrawn(drawn)
			drawn = nil
		}
		if !rest && drawn == nil {
			drawn = c.watchDrawn()
		}
		if resting = rest; resting {
			if pause(ctx, pace.Most, pace.Wake) {
				changed = time.Now()
			}
			continue
		}
		pause(ctx, pace.Least, nil)
		pause(ctx, pace.Most-pace.Least, drawn)
	}
	return ctx.Err()
}

// pause waits for the given time, or until ctx ends or happens receives. It reports whether something happened.
func pause(ctx context.Context, d time.Duration, happens <-chan struct{}) bool {
	select {
	case <-ctx.Done():
	case <-happens:
		return true
	case <-time.After(d):
	}
	return false
}

// pictures remembers which window the last pictures of a live view show.
type pictures struct {
	last  int
	shown map[int]Image // without their data
	// width and height are those of the last frame of the screencast. A screenshot measures without scrollbars.
	width, height float64
}

// maxPictures is how many pictures are remembered. A person presses on one that they see.
const maxPictures = 200

// number gives a picture its number.
func (c *Camera) number(i Image) Image {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.pictures
	p.last++
	i.Number = p.last
	if p.shown == nil {
		p.shown = map[int]Image{}
	}
	if i.cast {
		p.width, p.height = i.Width, i.Height
	}
	p.shown[i.Number] = Image{Width: i.Width, Height: i.Height, commits: i.commits, cast: i.cast}
	delete(p.shown, i.Number-maxPictures)
	return i
}

// Seen returns the size of the window that the last picture shows, while somebody sees the tab. It is 0 otherwise.
func (c *Camera) Seen() (width, height float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.viewers) == 0 {
		return 0, 0
	}
	last := c.pictures.shown[c.pictures.last]
	return last.Width, last.Height
}

// Shown returns the size of the window that a picture shows. It reports false when the tab shows another document or
// has another size by now.
func (c *Camera) Shown(number int) (width, height float64, current bool) {
	commits := c.frames.Load().Commits
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.pictures
	i, there := p.shown[number]
	resized := i.cast && (i.Width != p.width || i.Height != p.height)
	return i.Width, i.Height, there && i.commits == commits && !resized
}
