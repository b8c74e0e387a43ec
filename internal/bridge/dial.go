package bridge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeper"
)

// greeting is what a keeper is told of this client.
func (b *Bridge) greeting(note string) keeper.Greeting {
	b.mu.Lock()
	defer b.mu.Unlock()
	return keeper.Greeting{Dir: b.Dir, Tools: b.Tools, LastPage: b.lastPage, Documents: b.documents, Note: note}
}

// dial connects to the keeper, which is there a moment after the app has begun to open the profile: long before the browser.
func (b *Bridge) dial(ctx context.Context, note string) (*keeper.Line, error) {
	h := b.greeting(note)
	line, err := keeper.DialAgent(ctx, b.Folder, h)
	if err == nil || final(err) {
		return line, err
	}
	app, err := b.App(ctx)
	if err != nil {
		return nil, err
	}
	start := func() <-chan error {
		started := make(chan error, 1)
		go func() {
			_, err := app.Start(ctx, b.ID, api.StartOptions{Automation: true})
			started <- err
		}()
		return started
	}
	started := start()
	var late <-chan time.Time
	again := make(chan struct{}, 1)
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-started:
			if err != nil && !openAlready(err) {
				return nil, err
			}
			started = nil
			if late == nil {
				late = time.After(openLimit)
			}
			if err != nil { // open; or the app has not heard yet that it has just crashed
				time.AfterFunc(startPause, func() { again <- struct{}{} })
			}
		case <-again:
			started = start()
		case <-tick.C:
			if line, err := keeper.DialAgent(ctx, b.Folder, h); err == nil || final(err) {
				return line, err
			}
		case <-late:
			return nil, fault.New(fault.CodeNoKeeper, "The profile is open, and its keeper does not answer.", fmt.Sprintf("Close the profile and try again: cove stop %d", b.ID))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// final tells an answer of the keeper that stays the same.
func final(err error) bool {
	return fault.KindOf(err) == fault.Denied || errors.Is(err, keeper.ErrOtherVersion)
}

// openLimit is how long the keeper of a profile that is said to be open may not answer; startPause is the time between two starts.
const (
	openLimit  = 10 * time.Second
	startPause = 100 * time.Millisecond
)

// openAlready: somebody else was faster, or it never was closed.
func openAlready(err error) bool {
	var f *api.Failure
	return errors.As(err, &f) && f.Status == http.StatusConflict && f.Body.ErrorObject.Code == fault.CodeBrowserRunDuplicate
}
