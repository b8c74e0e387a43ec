package keeper

import (
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
	http  *http.Server

	mu     sync.Mutex
	status Status
	feed   event.Feed[Status]
	// watchers are waited for at the end, so that each hears the last word; watched is closed when the first has come.
	watchers sync.WaitGroup
	watched  chan struct{}
	once     sync.Once
}

func newControl(token string, stop func()) *control {
	c := &control{token: token, stop: stop, status: Status{State: session.Starting}, watched: make(chan struct{})}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /v1/watch", c.watch)
	routes.HandleFunc("POST /v1/stop", func(w http.ResponseWriter, _ *http.Request) {
		go c.stop()
		w.WriteHeader(http.StatusAccepted)
	})
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

// watch streams the status, one line of JSON for each change, until the end.
func (c *control) watch(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	now, sub := c.status, c.feed.Subscribe(16)
	c.watchers.Add(1)
	c.mu.Unlock()
	c.once.Do(func() { close(c.watched) })
	defer c.watchers.Done()
	defer sub.Close()
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	for {
		if out.Encode(now) != nil || flush.Flush() != nil || now.State == session.Closed {
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
		}
	}
}

// close says the last word and waits until it was heard. A start can fail before the app has come to watch it.
func (c *control) close(last Status) {
	c.set(last)
	heard := make(chan struct{})
	go func() {
		<-c.watched
		c.watchers.Wait()
		close(heard)
	}()
	select {
	case <-heard:
	case <-time.After(2 * time.Second):
	}
	_ = c.http.Close()
}
