package bridge

import (
	"context"
	"errors"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeper"
)

// dial connects to the keeper, which is there a moment after the app has begun to open the profile: long before the browser.
func (b *Bridge) dial(ctx context.Context, note string) (*keeper.Line, error) {
	b.mu.Lock()
	h := keeper.Greeting{Dir: b.Dir, Tools: b.Tools, LastPage: b.lastPage, Note: note}
	b.mu.Unlock()
	if line, err := keeper.DialAgent(ctx, b.Folder, h); err == nil {
		return line, nil
	}
	app, err := b.App(ctx)
	if err != nil {
		return nil, err
	}
	started := make(chan error, 1)
	go func() {
		_, err := app.Start(ctx, b.ID, api.StartOptions{Automation: true})
		started <- err
	}()
	tick := time.NewTicker(3 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-started:
			if err != nil && !openAlready(err) {
				return nil, err
			}
			return b.dialOpen(ctx, h)
		case <-tick.C:
			if line, err := keeper.DialAgent(ctx, b.Folder, h); err == nil {
				return line, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// openAlready: somebody else was faster, or it never was closed.
func openAlready(err error) bool {
	var f *api.Failure
	return errors.As(err, &f) && f.Status == http.StatusConflict && f.Body.ErrorObject.Code == "E_BROWSER_RUN_DUPLICATE"
}

func (b *Bridge) dialOpen(ctx context.Context, h keeper.Greeting) (*keeper.Line, error) {
	for deadline := time.Now().Add(5 * time.Second); ; {
		line, err := keeper.DialAgent(ctx, b.Folder, h)
		if err == nil {
			return line, nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			return nil, fault.New(fault.Unavailable, "E_NO_KEEPER", "The profile is open, and its keeper does not answer.", "Close the profile and try again: cove stop ID").Because(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}
