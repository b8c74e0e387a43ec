package bridge

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/session"
)

// greeting describes the client to a keeper.
func (b *Bridge) greeting(note string) keeperclient.Greeting {
	b.mu.Lock()
	defer b.mu.Unlock()
	return keeperclient.Greeting{
		Dir: b.Dir, Tools: b.Tools, LastPage: b.lastPage, Documents: b.documents, Notice: note,
	}
}

// dial connects to the keeper of the profile, and opens the profile when there is none. The keeper answers a moment
// after the app has begun to open the profile, long before the browser does.
func (b *Bridge) dial(ctx context.Context, note string) (*keeperclient.AgentConn, error) {
	g := b.greeting(note)
	conn, err := b.dialKeeper(ctx, g)
	if err == nil || isFinal(err) {
		return conn, err
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
			if err != nil && !isOpenAlready(err) {
				return nil, err
			}
			started = nil
			if late == nil {
				late = time.After(openLimit)
			}
			if err != nil { // it is open, or the app has not heard yet that it has just crashed
				time.AfterFunc(startPause, func() { again <- struct{}{} })
			}
		case <-again:
			started = start()
		case <-tick.C:
			if conn, err := b.dialKeeper(ctx, g); err == nil || isFinal(err) {
				return conn, err
			}
		case <-late:
			return nil, fault.New(fault.CodeNoKeeper,
				"The profile is open, and its keeper does not answer.",
				fmt.Sprintf("Close the profile and try again: cove stop %d", b.ID))
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// dialKeeper connects to a keeper that is running already.
func (b *Bridge) dialKeeper(ctx context.Context, g keeperclient.Greeting) (*keeperclient.AgentConn, error) {
	c, err := keeperclient.Recorded(b.Folder)
	if err != nil {
		return nil, err
	}
	return c.DialMCP(ctx, g)
}

// isFinal reports whether the keeper would give the same answer again.
func isFinal(err error) bool {
	return fault.KindOf(err) == fault.Denied || errors.Is(err, keeperclient.ErrOtherVersion)
}

// openLimit bounds the wait for the keeper of a profile that is open. startPause is the time between two starts.
const (
	openLimit  = 10 * time.Second
	startPause = 100 * time.Millisecond
)

// isOpenAlready reports that the profile is open: somebody else was faster, or it never was closed.
func isOpenAlready(err error) bool {
	var f *api.Failure
	return errors.As(err, &f) && f.Status == http.StatusConflict &&
		f.Body.ErrorObject.Code == fault.CodeBrowserRunDuplicate
}

func (b *Bridge) closedText() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.Folder.Home().Advice(keeperclient.ClosedFault(strconv.Itoa(int(b.ID)), b.end).Text)
}

// reopen connects again. After a crash it opens the profile; after a person's stop it only checks whether somebody
// else has.
func (b *Bridge) reopen(ctx context.Context) error {
	b.mu.Lock()
	end, before := b.end, b.runID
	b.mu.Unlock()
	died := end == session.Crashed || end == session.KeeperEnded
	c, err := keeperclient.Find(b.Folder)
	if died && err == nil && before != "" && c.RunID() == before {
		lost := fmt.Sprintf("Note: the connection to profile %d was lost and is there again:"+
			" page numbers are new.", b.ID)
		// The record of a dead keeper stays until the app hears of its end, so dialling may fail.
		if conn, err := c.DialMCP(ctx, b.greeting(lost)); err == nil {
			return b.use(conn, lost)
		}
	}
	if end != session.Crashed {
		if err != nil {
			return fault.New(fault.CodeClosed, b.closedText(), "")
		}
		return b.connect(ctx, fmt.Sprintf("Note: profile %d was closed and has been opened again by somebody:"+
			" pages and uids are new.", b.ID))
	}
	return b.connect(ctx, fmt.Sprintf("Note: the browser of profile %d had crashed and was opened again:"+
		" pages and uids are new, unsaved input is lost.", b.ID))
}
