package dom

import (
	"context"
	"time"
)

// textPoll is how often AwaitText searches the page. closedPoll is how often it looks for new closed shadow roots
// meanwhile, which needs a walk over the page.
const (
	textPoll   = 50 * time.Millisecond
	closedPoll = 500 * time.Millisecond
)

// AwaitText waits until one of the texts is on the page, in any frame, and returns its index.
func (f *Frames) AwaitText(ctx context.Context, texts []string) (int, error) {
	life := f.target.Life()
	for walk := time.Now().Add(2 * textPoll); ; {
		if err := f.target.DialogError(); err != nil {
			return -1, err
		}
		began := time.Now()
		if at := f.findText(ctx, texts); at >= 0 {
			return at, nil
		}

		pause := max(textPoll, 2*time.Since(began)) // a page that takes long to answer needs time for its own work
		if began = time.Now(); began.After(walk) {
			_, _ = f.Snapshot(ctx)
			walk = time.Now().Add(max(closedPoll, 10*time.Since(began)))
		}
		select {
		case <-ctx.Done():
			return -1, context.Cause(ctx)
		case <-life.Done():
			return -1, context.Cause(life)
		case <-time.After(pause):
		}
	}
}

// findText returns the index of a text that is on the page now, or -1 when none is.
func (f *Frames) findText(ctx context.Context, texts []string) int {
	for _, one := range f.All() {
		if f.closed(one.ID) != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, frameLimit)
		at := -1
		if w, err := f.Enter(ctx, one.ID); err == nil {
			_ = f.Run(ctx, w, &at, "function(texts){return act.has(texts)}", texts)
		}
		cancel()
		if at >= 0 {
			return at
		}
	}
	return -1
}
