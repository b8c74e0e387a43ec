package keeper

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"cove/internal/session"
)

// handle is the app's side of one keeper.
type handle struct {
	record Record
	http   *http.Client

	mu     sync.Mutex
	status Status
	end    session.EndReason

	ready   chan struct{} // closed when the browser is open, or the session over
	leaving chan struct{} // closed when it has begun to close
	ended   chan struct{}
	once    sync.Once // of ready
	left    sync.Once // of leaving
}

var _ session.Browser = (*handle)(nil)

func newHandle(record Record) *handle {
	h := &handle{record: record, status: Status{State: session.Starting}, ready: make(chan struct{}), leaving: make(chan struct{}), ended: make(chan struct{})}
	h.http = &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", h.socket())
	}}}
	return h
}

func (h *handle) socket() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.record.Socket
}

func (h *handle) request(ctx context.Context, method, path string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://keeper"+path, nil)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	req.Header.Set("Authorization", "Bearer "+h.record.Token)
	h.mu.Unlock()
	res, err := h.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 300 {
		_ = res.Body.Close()
		return nil, fmt.Errorf("the keeper answered %s", res.Status)
	}
	return res, nil
}

// follow watches the keeper to the end of the session. died is asked when the keeper is gone without a word.
func (h *handle) follow(died func() *Record) {
	defer h.http.CloseIdleConnections()
	for {
		last := h.watch()
		if last.State == session.Closed {
			h.over(last)
			return
		}
		if h.record.Alive() { // the connection broke, or it is too busy to answer
			time.Sleep(200 * time.Millisecond)
			continue
		}
		next := died()
		if next == nil {
			h.over(Status{State: session.Closed, End: session.Crashed})
			return
		}
		h.mu.Lock()
		h.record = *next
		h.mu.Unlock()
	}
}

// watch reads one stream of statuses and returns the last.
func (h *handle) watch() (last Status) {
	res, err := h.request(context.Background(), http.MethodGet, "/v1/watch")
	if err != nil {
		return last
	}
	defer func() { _ = res.Body.Close() }()
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		if json.Unmarshal(lines.Bytes(), &last) != nil {
			return last
		}
		h.mu.Lock()
		h.status = last
		h.mu.Unlock()
		if last.State == session.Open {
			h.once.Do(func() { close(h.ready) })
		}
		if last.State == session.Stopping {
			h.left.Do(func() { close(h.leaving) })
		}
	}
	return last
}

func (h *handle) over(last Status) {
	h.mu.Lock()
	h.status, h.end = last, last.End
	h.mu.Unlock()
	close(h.ended)
	h.once.Do(func() { close(h.ready) })
}

// Mode is the mode that the keeper's browser is open in.
func (h *handle) Mode() session.Mode {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.record.Mode
}

// Ready waits until the browser takes commands.
func (h *handle) Ready(ctx context.Context) (session.Endpoint, error) {
	select {
	case <-h.ready:
	case <-ctx.Done():
		return session.Endpoint{}, ctx.Err()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.status.State != session.Closed {
		return h.status.Facts, nil
	}
	if h.status.Fault != nil {
		return session.Endpoint{}, h.status.Fault
	}
	return session.Endpoint{}, launchFault("The browser did not open", errors.New("its keeper died"))
}

// Stop closes the browser and returns when it is gone. A keeper that does not listen is asked again.
func (h *handle) Stop(ctx context.Context) error {
	for {
		err := h.ask(ctx)
		wait := time.Minute
		if err != nil {
			wait = 200 * time.Millisecond
		}
		select {
		case <-h.ended:
			return nil
		case <-time.After(wait):
		case <-ctx.Done():
			return errors.Join(ctx.Err(), err)
		}
	}
}

func (h *handle) ask(ctx context.Context) error {
	res, err := h.request(ctx, http.MethodPost, "/v1/stop")
	if err != nil {
		return err
	}
	return res.Body.Close()
}

// Closing asks the keeper for its present state. One that is about to end has closed its socket already, so it is asked again until it
// answers or is gone. Is it dead, a browser on its pipe closes by itself.
func (h *handle) Closing(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	for {
		if now, err := h.now(ctx); err == nil {
			return now.State == session.Stopping || now.State == session.Closed
		}
		h.mu.Lock()
		dead := h.record.Mode == session.Automation && !h.record.Alive()
		h.mu.Unlock()
		if dead {
			return true
		}
		select {
		case <-h.ended:
			return true
		case <-h.leaving:
			return true
		case <-ctx.Done():
			return false
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// now is the keeper's state, of which it makes sure first.
func (h *handle) now(ctx context.Context) (now Status, err error) {
	res, err := h.request(ctx, http.MethodGet, "/v1/watch?sure")
	if err != nil {
		return now, err
	}
	defer func() { _ = res.Body.Close() }()
	return now, json.NewDecoder(res.Body).Decode(&now)
}

// Leaving is closed when the browser has begun to close.
func (h *handle) Leaving() <-chan struct{} { return h.leaving }

// Ended is closed when the session is over.
func (h *handle) Ended() <-chan struct{} { return h.ended }

// End tells why, then.
func (h *handle) End() session.EndReason {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.end
}
