package keeperclient

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// fakeKeeper answers on the socket of profile 1 as a handler says, and remembers what it was asked.
type fakeKeeper struct {
	home paths.Home
	dir  paths.ProfileDir

	mu    sync.Mutex
	calls []string // method, path and body
}

func newFakeKeeper(t *testing.T, protocol int, mode session.Mode, handler http.Handler) *fakeKeeper {
	t.Helper()
	short, err := os.MkdirTemp("", "k") // the path of a socket has a limit
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(short) })
	home := paths.Home(short)
	if err := home.Make(); err != nil {
		t.Fatal(err)
	}
	k := &fakeKeeper{home: home, dir: home.Profile(1)}
	if err := os.MkdirAll(k.dir.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	socket, err := k.dir.Socket()
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: k.recording(handler), ReadHeaderTimeout: time.Minute}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	record := Record{
		ID: process.Self(), Protocol: protocol, Version: "0.1.0", Socket: socket, Token: "secret", RunID: "run",
		Mode: mode,
	}
	if err := record.Write(k.dir); err != nil {
		t.Fatal(err)
	}
	return k
}

func (k *fakeKeeper) recording(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			http.Error(w, "wrong token", http.StatusUnauthorized)
			return
		}
		body, _ := io.ReadAll(r.Body)
		k.mu.Lock()
		k.calls = append(k.calls, strings.TrimSpace(r.Method+" "+r.URL.RequestURI()+" "+string(body)))
		k.mu.Unlock()
		next.ServeHTTP(w, r)
	})
}

func (k *fakeKeeper) asked() []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.calls)
}

func (k *fakeKeeper) client(t *testing.T) *Client {
	t.Helper()
	c, err := Find(k.dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// version1 answers as a keeper of the version before: what it said was written down from a real one.
func version1() http.Handler {
	const state = `{"agents":[{"kind":"mcp","name":"codex","version":"1"}],` +
		`"requests":[{"id":"7","agent":{"kind":"mcp","name":"codex"},"class":"upload","what":"upload x",` +
		`"page":"https://a.test/","asked":"2026-11-16T11:00:00Z"}],` +
		`"taken":true,"cut":true,"driver":{"kind":"mcp","name":"codex"}}` + "\n"
	routes := http.NewServeMux()
	say := func(pattern, text string) {
		routes.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, text) })
	}
	say("PUT /v1/policy", "null\n")
	say("GET /v1/desk", state)
	say("POST /v1/desk/decide", "null\n")
	say("POST /v1/desk/takeover", `{"window":true}`+"\n")
	say("POST /v1/desk/giveback", `{"window":true,"note":"moved"}`+"\n")
	say("POST /v1/desk/cut", "null\n")
	say("GET /v1/agents", `{"agents":[{"name":"codex","since":"2026-11-16T11:00:00Z"}],"scripts":2}`+"\n")
	say("GET /v1/watch", `{"state":"open","facts":{"run_id":"run","mode":"automation","pid":5,"headless":true,`+
		`"opened":"2026-11-16T11:00:00Z","port":4711,"path":"/devtools/browser/x"}}`+"\n"+
		`{"state":"closed","facts":{"run_id":"","mode":"","pid":0,"headless":false,"opened":"0001-01-01T00:00:00Z"},`+
		`"end":"stopped"}`+"\n")
	routes.HandleFunc("POST /v1/stop", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusAccepted)
	})
	return routes
}

func TestAKeeperOfTheVersionBeforeIsUnderstood(t *testing.T) {
	for name, protocol := range map[string]int{"of protocol 1": 1, "of no protocol at all": 0} {
		t.Run(name, func(t *testing.T) {
			k := newFakeKeeper(t, protocol, session.Automation, version1())
			c, ctx := k.client(t), t.Context()

			state, err := c.Access(ctx)
			if err != nil || !state.TakenOver || !state.Suspended || len(state.Agents) != 1 ||
				state.Agents[0].Name != "codex" ||
				len(state.Requests) != 1 || state.Requests[0].ID != "7" || state.Driver == nil {
				t.Errorf("the state is %+v, %v", state, err)
			}
			var watched []policy.State
			if err := c.WatchAccess(ctx, func(s policy.State) { watched = append(watched, s) }); !errors.Is(err,
				io.EOF) {
				t.Errorf("the stream ended with %v", err)
			}
			if len(watched) != 1 || !watched[0].Suspended || !watched[0].TakenOver {
				t.Errorf("watched %+v", watched)
			}
			if err := c.SetPolicy(ctx, policy.Policy{Preset: policy.Guarded}); err != nil {
				t.Error(err)
			}
			if err := c.Suspend(ctx, true); err != nil {
				t.Error(err)
			}
			if err := c.Decide(ctx, Decision{ID: "7", Yes: true}); err != nil {
				t.Error(err)
			}
			if got, err := c.StartTakeover(ctx); err != nil || !got.Window {
				t.Errorf("%+v, %v", got, err)
			}
			if got, err := c.EndTakeover(ctx); err != nil || got.Changes != "moved" {
				t.Errorf("%+v, %v", got, err)
			}
			if got, err := c.Agents(ctx); err != nil || len(got.Agents) != 1 || got.Scripts != 2 {
				t.Errorf("%+v, %v", got, err)
			}
			if now, err := c.Status(ctx); err != nil || now.State != session.Open || now.Endpoint.Port != 4711 {
				t.Errorf("%+v, %v", now, err)
			}
			if err := c.Stop(ctx); err != nil {
				t.Error(err)
			}
			for _, want := range []string{
				`POST /v1/desk/cut {"on":true}`, `POST /v1/desk/decide {"id":"7","yes":true,"always":false}`,
				"GET /v1/desk?once=1", "GET /v1/desk", "POST /v1/desk/takeover", "POST /v1/desk/giveback",
				"POST /v1/stop",
			} {
				if !slices.Contains(k.asked(), want) {
					t.Errorf("not asked: %s\nasked: %s", want, strings.Join(k.asked(), "\n"))
				}
			}
		})
	}
}

func TestPanicReachesAKeeperOfTheVersionBefore(t *testing.T) {
	k := newFakeKeeper(t, 1, session.Automation, version1())
	reached, err := SuspendAll(t.Context(), k.home, true)
	if err != nil || len(reached) != 1 || !slices.Contains(k.asked(), `POST /v1/desk/cut {"on":true}`) {
		t.Errorf("reached %v, %v; asked %v", reached, err, k.asked())
	}
}

func TestAKeeperOfThisVersionIsCalledByTodaysNames(t *testing.T) {
	k := newFakeKeeper(t, Protocol, session.Automation, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"taken_over":true,"suspended":true}`+"\n")
	}))
	c := k.client(t)
	if s, err := c.Access(t.Context()); err != nil || !s.TakenOver || !s.Suspended {
		t.Errorf("%+v, %v", s, err)
	}
	if err := c.Suspend(t.Context(), false); err != nil {
		t.Error(err)
	}
	if want := []string{"GET /v1/access?once=1", `POST /v1/access/suspend {"on":false}`}; !slices.Equal(k.asked(),
		want) {
		t.Errorf("asked %q", k.asked())
	}
}

func TestAnswersThatAreNoSuccess(t *testing.T) {
	refused := fault.New(fault.CodePanic, "The user has stopped all agents.", "Stop here.")
	for name, c := range map[string]struct {
		status int
		body   any
		ok     func(error) bool
	}{
		"a path that the keeper does not know": {http.StatusNotFound, nil,
			func(err error) bool { return errors.Is(err, ErrOtherVersion) }},
		"a fault": {http.StatusConflict, refused, func(err error) bool {
			return fault.KindOf(err) == fault.Denied && fault.From(err).Hint == "Stop here."
		}},
		"a conflict without a fault": {http.StatusConflict, "no",
			func(err error) bool { return strings.Contains(err.Error(), "409") }},
		"anything else": {http.StatusTeapot, nil, func(err error) bool { return strings.Contains(err.Error(), "418") }},
	} {
		t.Run(name, func(t *testing.T) {
			k := newFakeKeeper(t, Protocol, session.Automation,
				http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.WriteHeader(c.status)
					_ = json.NewEncoder(w).Encode(c.body)
				}))
			client := k.client(t)
			if err := client.SetPolicy(t.Context(), policy.Policy{}); err == nil || !c.ok(err) {
				t.Errorf("a call: %v", err)
			}
			if _, err := client.DialMCP(t.Context(), Greeting{}); err == nil || !c.ok(err) {
				t.Errorf("a bridge: %v", err)
			}
		})
	}
}

func TestOnlyAProfileThatIsOpenForAgentsIsFound(t *testing.T) {
	k := newFakeKeeper(t, Protocol, session.Ordinary, http.NotFoundHandler())
	dead := Record{ID: process.ID{PID: os.Getpid(), Start: "1"}, Mode: session.Automation, Socket: "/gone"}
	for id, write := range map[profile.ID]func(paths.ProfileDir) error{
		2: func(paths.ProfileDir) error { return nil },
		3: dead.Write,
		4: func(d paths.ProfileDir) error { return os.WriteFile(d.Keeper(), []byte("{broken"), 0o600) },
	} {
		dir := k.home.Profile(id)
		if err := os.MkdirAll(dir.Data(), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := write(dir); err != nil {
			t.Fatal(err)
		}
	}
	for id, name := range map[profile.ID]string{1: "ordinary", 2: "closed", 3: "dead", 4: "broken"} {
		if _, err := Find(k.home.Profile(id)); !errors.Is(err, ErrNotOpen) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := Recorded(k.home.Profile(id)); !errors.Is(err, ErrNotOpen) {
			t.Errorf("recorded, %s: %v", name, err)
		}
	}
	if reached, err := SuspendAll(t.Context(), k.home, true); err != nil || len(reached) != 0 {
		t.Errorf("a panic reached %v, %v", reached, err)
	}
}

func TestAKeeperThatDoesNotAnswerIsNotWaitedForLong(t *testing.T) {
	release := make(chan struct{})
	k := newFakeKeeper(t, Protocol, session.Automation, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer close(release)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := k.client(t).SetPolicy(ctx, policy.Policy{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller's limit: %v", err)
	}
	if err := k.client(t).SetPolicy(t.Context(), policy.Policy{}); fault.From(err).Code != "E_NO_KEEPER" {
		t.Errorf("our limit: %v", err)
	}
}

func TestProxiedRequestsCarryTheCallersCredentialAndOurToken(t *testing.T) {
	seen := make(chan http.Header, 1)
	k := newFakeKeeper(t, Protocol, session.Automation, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Clone()
		_, _ = io.WriteString(w, r.URL.Path)
	}))
	for path, proxy := range map[string]func(http.ResponseWriter, *http.Request, paths.ProfileDir) error{
		"/v1/mcp/http": ProxyMCP, "/v1/live": ProxyLive,
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet,
			"http://localhost/anything", nil)
		r.Header.Set("Authorization", "Bearer caller")
		if err := proxy(w, r, k.dir); err != nil || w.Body.String() != path {
			t.Fatalf("%v, answered %s", err, w.Body)
		}
		if h := <-seen; h.Get(HeaderCaller) != "Bearer caller" || h.Get("Authorization") != "Bearer secret" {
			t.Errorf("the keeper saw %v", h)
		}
	}
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/", nil)
	if err := ProxyMCP(httptest.NewRecorder(), r, k.home.Profile(9)); fault.From(err).Code != "E_NOT_OPEN" {
		t.Errorf("a closed profile: %v", err)
	}
}

func TestAKeeperIsAskedToStopUntilItAnswers(t *testing.T) {
	heard := make(chan struct{})
	refusals := 2
	k := newFakeKeeper(t, Protocol, session.Automation, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if refusals == 0 {
			close(heard)
			return
		}
		refusals--
		http.Error(w, "too busy", http.StatusServiceUnavailable)
	}))

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.client(t).StopAndWait(ctx) }()
	<-heard
	select {
	case err := <-ended:
		t.Errorf("it returned while the keeper is alive: %v", err)
	default:
	}
	cancel()
	if err := <-ended; err == nil {
		t.Error("it does not say that the keeper is still alive")
	}
	if calls := k.asked(); len(calls) != 3 || calls[2] != "POST /v1/stop" {
		t.Errorf("asked: %q", calls)
	}
}
