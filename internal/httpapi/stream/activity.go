package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/session"
)

// Activity answers GET /activity. It streams what happens in every profile that is open for agents, as one stream,
// because a browser has few connections to one server.
func (h *Handlers) Activity(c *call.Call) (any, error) {
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	sessions := h.Sessions.Subscribe()
	defer sessions.Close()
	c.LiftLimits()
	c.W.Header().Set("Content-Type", "application/x-ndjson")
	c.W.WriteHeader(http.StatusOK)

	ctx, cancel := context.WithCancel(c.Context())
	o := &overview{
		agents: h.Agents, w: c.W, flush: http.NewResponseController(c.W), cancel: cancel,
		followed: map[profile.ID]context.CancelFunc{},
	}
	defer o.followers.Wait()
	defer cancel()
	_ = o.flush.Flush() // the caller knows that it is followed, also while nothing is open
	for _, p := range h.Sessions.Running() {
		o.update(ctx, p)
	}
	for {
		select {
		case p, ok := <-sessions.C():
			if !ok { // the caller is too slow, and comes again
				return call.Streamed{}, nil
			}
			o.update(ctx, p)
		case <-ctx.Done():
			return call.Streamed{}, nil
		case <-h.Ended:
			return call.Streamed{}, nil
		}
	}
}

// overview is one caller's stream of all profiles.
type overview struct {
	agents    Agents
	cancel    context.CancelFunc
	followers sync.WaitGroup
	followed  map[profile.ID]context.CancelFunc

	mu    sync.Mutex
	w     http.ResponseWriter
	flush *http.ResponseController
}

// update follows a profile that has opened for agents, and leaves one that has closed.
func (o *overview) update(ctx context.Context, p session.Status) {
	stop, followed := o.followed[p.ID]
	open := p.State == session.Open && p.Mode == session.Automation
	switch {
	case open && !followed:
		ctx, cancel := context.WithCancel(ctx)
		o.followed[p.ID] = cancel
		o.followers.Go(func() { o.follow(ctx, p.ID) })
	case !open && followed:
		stop()
		delete(o.followed, p.ID)
	}
}

// followAgain is how long a profile is left alone whose keeper did not answer.
const followAgain = time.Second

func (o *overview) follow(ctx context.Context, id profile.ID) {
	for ctx.Err() == nil {
		_ = o.agents.Glance(ctx, id, func(line json.RawMessage) { o.send(id, line) })
		select {
		case <-ctx.Done():
		case <-time.After(followAgain):
		}
	}
}

// send writes a message of a profile's live view with the profile's id.
func (o *overview) send(id profile.ID, line json.RawMessage) {
	if len(line) < len(`{"":0}`) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	_ = o.flush.SetWriteDeadline(time.Now().Add(30 * time.Second))
	_, err := fmt.Fprintf(o.w, `{"profile":%d,%s`+"\n", id, line[1:])
	if err == nil {
		err = o.flush.Flush()
	}
	if err != nil {
		o.cancel()
	}
}
