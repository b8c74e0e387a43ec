package dom

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
	"cove/internal/snapshot/document"
	"cove/internal/snapshot/index"
)

// frameLimit bounds the time for one frame in a snapshot. The snapshot leaves out a frame that hangs, and says so.
// framesLimit bounds the time for all frames of one document, of which at most framesAtOnce are read at the same time.
const (
	frameLimit   = 3 * time.Second
	framesLimit  = 10 * time.Second
	framesAtOnce = 16
)

// shownNodes bounds how many nodes of a frame Snapshot reads: nobody reads more. searchedNodes is the bound of
// SnapshotAll, for searches and files: the element that somebody looks for may be anywhere. walkLimit bounds the time
// of the walk over one frame. When a bound is reached, the snapshot says that the rest is missing.
const (
	shownNodes    = 20_000
	searchedNodes = 500_000
	walkLimit     = 3 * time.Second
)

// Snapshot reads what the tab shows in all its frames.
func (f *Frames) Snapshot(ctx context.Context) (*document.Doc, error) { return f.read(ctx, shownNodes) }

// SnapshotAll is Snapshot for a search, or for a reader who has room: it reads a long page to its end.
func (f *Frames) SnapshotAll(ctx context.Context) (*document.Doc, error) {
	return f.read(ctx, searchedNodes)
}

func (f *Frames) read(ctx context.Context, limit int) (*document.Doc, error) {
	ctx, cancel, err := f.target.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()

	root, err := f.walk(ctx, f.main, limit)
	if err != nil {
		return nil, err
	}
	f.addFrames(ctx, f.main, root, 0, limit)
	return root, nil
}

// walk reads the tree of one frame.
func (f *Frames) walk(ctx context.Context, frameID string, limit int) (*document.Doc, error) {
	for attempt := 0; ; attempt++ {
		w, err := f.Enter(ctx, frameID)
		if err != nil {
			return nil, err
		}
		doc, err := f.walkIn(ctx, w, limit)
		var gone *cdp.Error
		if err != nil && errors.As(err, &gone) && attempt < 3 { // a navigation has taken the world away
			f.forgetWorld(frameID, w)
			continue
		}
		return doc, restless(err)
	}
}

// walkIn reads one document. It reads the document a second time when listeners or closed shadow roots add to it.
func (f *Frames) walkIn(ctx context.Context, w World, limit int) (*document.Doc, error) {
	doc, err := f.walkOnce(ctx, w, limit)
	if err != nil {
		return doc, err
	}

	more := f.readListeners(ctx, w, doc.Shape)
	if len(doc.IDs) > 0 {
		found, err := f.openShadows(ctx, w, doc.IDs)
		more = more || err == nil && found // after an error only the inside of closed roots is missing
	}
	if !more {
		return doc, nil
	}
	return f.walkOnce(ctx, w, limit)
}

func (f *Frames) walkOnce(ctx context.Context, w World, limit int) (*document.Doc, error) {
	function := fmt.Sprintf("function(){return cove.walk({limit:%d,time:%d})}", limit, walkLimit.Milliseconds())
	raw, err := f.text(ctx, w, function)
	if err != nil {
		return nil, err
	}
	doc, err := document.ParseHiding(raw, f.config.Redact, f.config.Address)
	if err != nil {
		return nil, err
	}
	doc.Label, doc.Frames, doc.Unread = w.Document.Label, map[int]*document.Doc{}, map[int]string{}
	return doc, nil
}

// addFrames adds the documents of the child frames of parent to doc, which is the parent's. It reads several at the
// same time.
func (f *Frames) addFrames(ctx context.Context, parent string, doc *document.Doc, depth, limit int) {
	children := f.children(parent)
	if len(children) == 0 || depth >= maxDepth {
		return
	}

	ctx, cancel := context.WithTimeoutCause(ctx, framesLimit, target.ErrNoAnswer)
	defer cancel()
	var mu sync.Mutex // guards doc
	var all sync.WaitGroup
	turns := make(chan struct{}, framesAtOnce)
	for _, id := range children {
		turns <- struct{}{}
		all.Go(func() {
			defer func() { <-turns }()
			ctx, cancel := context.WithTimeoutCause(ctx, frameLimit, target.ErrNoAnswer)
			defer cancel()
			owner, _, err := f.owner(ctx, id)
			if err != nil || owner == 0 {
				return // the frame is no longer in the page
			}
			inner, err := (*document.Doc)(nil), f.closed(id)
			closed := err != nil
			if !closed {
				inner, err = f.walk(ctx, id, limit)
			}
			if err == nil {
				f.addFrames(ctx, id, inner, depth+1, limit)
			}

			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				doc.Frames[owner] = inner
			case closed:
				doc.Unread[owner] = "this frame is closed to agents"
			case errors.Is(err, ErrFrameCrashed):
				doc.Unread[owner] = "this frame has crashed"
			default:
				doc.Unread[owner] = "this frame does not answer"
			}
		})
	}
	all.Wait()
}

// Remember records what a snapshot showed, so that FindAgain can find elements that the page has replaced.
func (t *tree) Remember(p *index.Index) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range t.byID {
		if one.document != nil {
			one.document.seen.Store(p)
		}
	}
}
