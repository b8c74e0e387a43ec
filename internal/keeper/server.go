package keeper

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"cove/internal/event"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/keeperclient"
	"cove/internal/session"
)

// server is the keeper's socket: it publishes the status of the session and accepts the request to stop. It lives
// longer than the browser, until every watcher has read the last status.
type server struct {
	token string
	stop  func()
	check func(context.Context) // corrects the status, as far as that is known at once; may be nil
	http  *http.Server

	routes *http.ServeMux // what the keeper answers besides; complete before listen

	mu       sync.Mutex
	status   keeperclient.Status
	feed     event.Feed[keeperclient.Status]
	watchers int
	watched  bool          // somebody has watched
	changed  chan struct{} // the number of watchers has changed
}

// newServer makes a server without routes of its keeper, which addRoutes adds.
func newServer(token string, stop func()) *server {
	s := &server{
		token: token, stop: stop, status: keeperclient.Status{State: session.Starting}, changed: make(chan struct{}, 1),
	}
	routes := http.NewServeMux()
	routes.HandleFunc("GET /v1/watch", s.watch)
	routes.HandleFunc("POST /v1/stop", func(w http.ResponseWriter, _ *http.Request) {
		go s.stop()
		w.WriteHeader(http.StatusAccepted)
	})
	s.routes = routes
	s.http = &http.Server{Handler: s.requireToken(routes), ReadHeaderTimeout: 10 * time.Second}
	return s
}

// listen opens the socket. A keeper that is gone may have left a file of that name.
func (s *server) listen(name string) error {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	// A socket of this computer opens at once.
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "unix", name)
	if err != nil {
		return err
	}
	if err := os.Chmod(name, 0o600); err != nil {
		return err
	}
	go func() { _ = s.http.Serve(l) }()
	return nil
}

func (s *server) requireToken(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), []byte("Bearer "+s.token)) != 1 {
			http.Error(w, "wrong token", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// set changes the status and publishes it to the watchers.
func (s *server) set(status keeperclient.Status) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status = status
	s.feed.Publish(status)
}

// setStep publishes what a start waits for.
func (s *server) setStep(step external.Step) {
	s.set(keeperclient.Status{State: session.Starting, Step: string(step)})
}

func (s *server) get() keeperclient.Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.status
}

// markClosing notes that an open browser has begun to exit, for those who ask now. Watchers hear of it when the
// browser is gone: a crash leads from open to closed.
func (s *server) markClosing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.status.State != session.Open {
		return false
	}
	s.status.State = session.Stopping
	return true
}

// watch streams the status, one line of JSON for each change, until the session is over.
func (s *server) watch(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("sure") && s.check != nil {
		s.check(r.Context())
	}
	s.mu.Lock()
	now, sub := s.status, s.feed.Subscribe(16)
	s.mu.Unlock()
	s.countWatchers(1)
	defer s.countWatchers(-1)
	defer sub.Close()
	streamJSON(w, r, now, sub, nil, func(s keeperclient.Status) (any, bool) { return s, s.State == session.Closed })
}

// streamJSON writes now and every value of sub, one line of JSON each, in the shape that row gives it. It ends when row
// says that a value is the last one, when end is closed or when the reader goes away.
func streamJSON[T any](w http.ResponseWriter, r *http.Request, now T, sub *event.Sub[T], end <-chan struct{},
	row func(T) (value any, last bool),
) {
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	for {
		value, last := row(now)
		if out.Encode(value) != nil || flush.Flush() != nil || last {
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

func (s *server) countWatchers(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watchers += n
	s.watched = true
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

// await waits until ok reports true, but not for long.
func (s *server) await(ok func() bool) {
	limit := time.After(2 * time.Second)
	for {
		s.mu.Lock()
		done := ok()
		s.mu.Unlock()
		if done {
			return
		}
		select {
		case <-s.changed:
		case <-limit:
			return
		}
	}
}

// awaitWatcher waits until somebody has watched.
func (s *server) awaitWatcher() { s.await(func() bool { return s.watched }) }

// close publishes the last status and waits until every watcher has read it.
func (s *server) close(last keeperclient.Status) {
	s.set(last)
	s.await(func() bool { return s.watchers == 0 })
	_ = s.http.Close()
}

// maxBody bounds a request's body, except for MCP.
const maxBody = 4 << 20

// handleJSON reads a request's JSON, calls do and writes its result as JSON.
func handleJSON[T any](do func(context.Context, T) (any, error)) http.HandlerFunc {
	return handleJSONUpTo(maxBody, do)
}

// handleJSONUpTo is handleJSON for a body of at most limit bytes.
func handleJSONUpTo[T any](limit int64, do func(context.Context, T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
		if err == nil && len(raw) > 0 {
			err = json.Unmarshal(raw, &in)
		}
		var out any
		if err == nil {
			out, err = do(r.Context(), in)
		}
		if err != nil {
			refuse(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(out)
	}
}

// refuse answers with a fault.
func refuse(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusConflict)
	_ = json.NewEncoder(w).Encode(fault.From(err))
}

// maxMCP bounds a message of an MCP client over HTTP.
const maxMCP = 64 << 20

// withWholeBody reads a request's body before it is answered: an answer that comes while the body is still being sent
// can get lost.
func withWholeBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMCP))
		if err != nil {
			http.Error(w, "the message is too long", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}
