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

	l := &liveView{View: v, camera: c, changed: time.Now()}
	l.watch()
	defer l.unwatch()
	for ctx.Err() == nil {
		show := l.showScreenshot
		if c.byFrames(ctx, v) {
			show = l.showFrames
		}
		if err := show(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// liveView is a view of a tab while it is shown.
type liveView struct {
	View
	camera  *Camera
	drawn   chan struct{} // receives when the tab was drawn; nil while nobody needs to know
	last    []byte        // the screenshot that was shown last
	changed time.Time     // when the tab looked different for the last time
	resting bool
}

// watch makes the tab report that it was drawn, until unwatch.
func (l *liveView) watch() {
	if l.drawn == nil {
		l.drawn = l.camera.watchDrawn()
	}
}

func (l *liveView) unwatch() {
	if l.drawn != nil {
		l.camera.unwatchDrawn(l.drawn)
		l.drawn = nil
	}
}

// showFrames shows frames of the screencast while that is the way to show the tab, and then rests if nothing changes.
func (l *liveView) showFrames(ctx context.Context) error {
	l.watch()
	rest := l.Pace.Rest
	if l.resting {
		rest = glanceTime
	}
	rested, err := l.camera.cast(ctx, l.View, rest, l.drawn)
	if err != nil {
		return err
	}

	l.last, l.changed, l.resting = nil, time.Now(), false
	if rested {
		l.unwatch()
		l.resting = !pause(ctx, l.Pace.Most, l.Pace.Wake)
	}
	return nil
}

// showScreenshot shows a screenshot if the tab looks different, and then waits until it is time for the next one.
func (l *liveView) showScreenshot(ctx context.Context) error {
	image, err := l.camera.Screenshot(ctx, Shot{Format: "jpeg", Quality: l.Pace.Quality, Edge: l.Pace.Edge, Fit: true})
	var open *target.DialogOpen
	switch {
	case errors.As(err, &open):
		l.last, err = nil, l.Dialog(open.Dialog)
	case err == nil && !bytes.Equal(image.Data, l.last):
		l.last, err = image.Data, l.Show(l.camera.number(image))
		l.changed = time.Now()
	default:
		err = nil // the tab is busy, hidden or just changing its page
	}
	if err != nil {
		return err
	}

	l.resting = l.Pace.Rest > 0 && time.Since(l.changed) > l.Pace.Rest
	if l.resting {
		l.unwatch()
		if pause(ctx, l.Pace.Most, l.Pace.Wake) {
			l.changed = time.Now()
		}
		return nil
	}
	l.watch()
	pause(ctx, l.Pace.Least, nil)
	pause(ctx, l.Pace.Most-l.Pace.Least, l.drawn)
	return nil
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

// shownImages remembers which window the last images of a live view show.
type shownImages struct {
	last     int
	byNumber map[int]Image // without their data
	// width and height are those of the last frame of the screencast. A screenshot measures without scrollbars.
	width, height float64
}

// maxShown is how many images are remembered. A person presses on one that they see.
const maxShown = 200

// number gives a picture its number.
func (c *Camera) number(i Image) Image {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.images
	p.last++
	i.Number = p.last
	if p.byNumber == nil {
		p.byNumber = map[int]Image{}
	}
	if i.cast {
		p.width, p.height = i.Width, i.Height
	}
	p.byNumber[i.Number] = Image{Width: i.Width, Height: i.Height, commits: i.commits, cast: i.cast}
	delete(p.byNumber, i.Number-maxShown)
	return i
}

// Seen returns the size of the window that the last picture shows, while somebody sees the tab. It is 0 otherwise.
func (c *Camera) Seen() (width, height float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.viewers) == 0 {
		return 0, 0
	}
	last := c.images.byNumber[c.images.last]
	return last.Width, last.Height
}

// Shown returns the size of the window that a picture shows. It reports false when the tab shows another document or
// has another size by now.
func (c *Camera) Shown(number int) (width, height float64, current bool) {
	commits := c.frames.Load().Commits
	c.mu.Lock()
	defer c.mu.Unlock()
	p := &c.images
	i, there := p.byNumber[number]
	resized := i.cast && (i.Width != p.width || i.Height != p.height)
	return i.Width, i.Height, there && i.commits == commits && !resized
}
