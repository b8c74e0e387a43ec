package keeper

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"cove/internal/event"
	"cove/internal/session"
)

// control is the keeper's socket: who watches it, and who asks it to stop.
type control struct {
	token string
	stop  func()
	sure  func(context.Context) // makes the status true, as far as that can be known at once
	http  *http.Server

	mu     sync.Mutex
	status Status
	feed   event.Feed[Status]
	// Whoever watches is waited for at the end, so that each hears the last word.
	watching int
	watched  bool // somebody has come
	changed  chan struct{}
}

func newControl(token string, stop func(), a *agents) *control {
	c := &control{token: token, stop: stop, status: Status{State: session.Starting}, changed: make(chan struct{}, 1)}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /v1/watch", c.watch)
	routes.HandleFunc("POST /v1/stop", func(w http.ResponseWriter, _ *http.Request) {
		go c.stop()
		w.WriteHeader(http.StatusAccepted)
	})
	if a != nil {
		c.sure = a.keeper.surely
		routes.HandleFunc("GET /v1/mcp", a.serve)
		routes.Handle("/v1/mcp/http", whole(a.server.Handler()))
		a.keeper.policyRoutes(routes)
		routes.HandleFunc("GET /v1/live", a.live)
		routes.HandleFunc("GET /v1/agents", a.who)
	}
	c.http = &http.Server{Handler: c.checkToken(routes), ReadHeaderTimeout: 10 * time.Second}
	return c
}

// listen opens the socket; a file left by a keeper that is gone is in the way.
func (c *control) listen(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	l, err := net.Listen("unix", name)
	if err != nil {
		return err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return err
	}
	go func() { _ = c.http.Serve(l) }()
	return nil
}

func (c *control) checkToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+c.token)) != 1 {
			http.Error(w, "wrong token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// set changes the status and tells the watchers.
func (c *control) set(s Status) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = s
	c.feed.Publish(s)
}

func (c *control) get() Status {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status
}

// leave notes that an open browser is going, for those who ask. Those who watch are told when it is gone: a crash leads from open to closed.
func (c *control) leave() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.status.State != session.Open {
		return false
	}
	c.status.State = session.Stopping
	return true
}

// watch streams the status, one line of JSON for each change, until the end.
func (c *control) watch(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("sure") && c.sure != nil {
		c.sure(r.Context())
	}
	c.mu.Lock()
	now, sub := c.status, c.feed.Subscribe(16)
	c.mu.Unlock()
	c.count(1)
	defer c.count(-1)
	defer sub.Close()
	tellLines(w, r, now, sub, nil, func(s Status) bool { return s.State == session.Closed })
}

// tellLines streams what somebody follows, one line of JSON for each change, until that was the last one, end is closed or the reader
// goes.
func tellLines[T any](w http.ResponseWriter, r *http.Request, now T, sub *event.Sub[T], end <-chan struct{}, last func(T) bool) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	for {
		if out.Encode(now) != nil || flush.Flush() != nil || last(now) {
			return
		}
		select {
		case next, ok := <-sub.C():
			if !ok {
				return
			}
			now = next
		case <-r.Context().Done():
			return
		case <-end:
			return
		}
	}
}

func (c *control) count(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watching += n
	c.watched = true
	select {
	case c.changed <- struct{}{}:
	default:
	}
}

// await waits for the watchers, but not for long.
func (c *control) await(ok func() bool) {
	limit := time.After(2 * time.Second)
	for {
		c.mu.Lock()
		done := ok()
		c.mu.Unlock()
		if done {
			return
		}
		select {
		case <-c.changed:
		case <-limit:
			return
		}
	}
}

// awaitWatcher waits until somebody has come to watch.
func (c *control) awaitWatcher() { c.await(func() bool { return c.watched }) }

// close says the last word and waits until everybody has heard it.
func (c *control) close(last Status) {
	c.set(last)
	c.await(func() bool { return c.watching == 0 })
	_ = c.http.Close()
}
