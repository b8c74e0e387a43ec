package verify

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"cove/api"
	"cove/internal/paths"
	"cove/internal/verify/mcpclient"
	"cove/internal/verify/mcptest"
)

// TestMain runs the tests; as the child of one it is an MCP server.
func TestMain(m *testing.M) { mcptest.Main(m) }

type object = map[string]any

// fakeApp is the app with one profile, number 7, and that profile's gate.
type fakeApp struct {
	t      *testing.T
	server *httptest.Server
	folder paths.ProfileDir
	// list is what the gate says of its tabs.
	list string
	// refuses says which calls fail: "stop", "running", "start".
	refuses map[string]bool
	// remains says what stays when the profile closes: "port", "file".
	remains map[string]bool

	mu    sync.Mutex
	gate  *http.Server
	port  int
	stops int
}

func newFakeApp(t *testing.T) *fakeApp {
	t.Helper()
	a := &fakeApp{
		t: t, folder: paths.ProfileDir(filepath.Join(t.TempDir(), "7")),
		refuses: map[string]bool{}, remains: map[string]bool{},
		list: `[{"id":"A","type":"page","url":"https://a.example/"},{"id":"B","type":"page","url":"https://b.example/x"},
			{"id":"C","type":"iframe","url":"https://c.example/"},{"id":"D","type":"page","url":"devtools://devtools"}]`,
	}
	if err := os.MkdirAll(a.folder.Data(), 0o700); err != nil {
		t.Fatal(err)
	}

	mux := http.NewServeMux()
	done := make(chan struct{})
	mux.HandleFunc("GET /test/end", func(http.ResponseWriter, *http.Request) { <-done })
	mux.HandleFunc("GET /test/open", func(http.ResponseWriter, *http.Request) { a.open() })
	mux.HandleFunc("GET /v1.0/browser_profiles/7/stop", a.answer("stop", func() any { a.close(); return object{} }))
	mux.HandleFunc("POST /v1.0/browser_profiles/7/start", a.answer("start", func() any { return object{} }))
	mux.HandleFunc("GET /v1.0/browser_profiles/running", a.answer("running", a.running))
	a.server = httptest.NewServer(mux)
	t.Cleanup(func() {
		close(done)
		a.server.Close()
		clear(a.remains)
		a.close()
	})

	return a
}

func (a *fakeApp) answer(call string, do func() any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if a.refuses[call] {
			w.WriteHeader(http.StatusConflict)
			_ = json.NewEncoder(w).Encode(api.Error{ErrorObject: api.ErrorObject{
				Type: "conflict", Code: "E_FAKE", Text: "The app does not " + call + " it.", Hint: "Ask again.",
			}})
			return
		}
		_ = json.NewEncoder(w).Encode(do())
	}
}

// listen takes a port below those that the system gives away: another test could get the port as soon as it is closed.
func listen(ctx context.Context) (l net.Listener, err error) {
	for range 100 {
		address := net.JoinHostPort("127.0.0.1", strconv.Itoa(10000+rand.IntN(20000)))
		if l, err = new(net.ListenConfig).Listen(ctx, "tcp", address); err == nil {
			return l, nil
		}
	}
	return nil, err
}

func (a *fakeApp) open() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate != nil {
		return
	}
	l, err := listen(a.t.Context())
	if err != nil {
		a.t.Error(err)
		return
	}
	a.port = l.Addr().(*net.TCPAddr).Port
	a.gate = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/json/list" || r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, a.list)
	})}
	go func(gate *http.Server) { _ = gate.Serve(l) }(a.gate)
	if err := os.WriteFile(a.folder.ActivePort(), nil, 0o600); err != nil {
		a.t.Error(err)
	}
}

func (a *fakeApp) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.stops++
	if a.gate == nil {
		return
	}
	if !a.remains["port"] {
		// A child that another test starts has a copy of the socket until it runs its program.
		syscall.ForkLock.RLock()
		_ = a.gate.Close()
		syscall.ForkLock.RUnlock()
	}
	if !a.remains["file"] {
		_ = os.Remove(a.folder.ActivePort())
	}
	if len(a.remains) == 0 {
		a.gate = nil
	}
}

func (a *fakeApp) running() any {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate == nil {
		return object{}
	}

	return map[string]api.Running{"7": {State: "open", Automation: &api.Automation{Port: a.port}}}
}

func (a *fakeApp) isOpen() bool {
	a.mu.Lock()
	defer a.mu.Unlock()

	return a.gate != nil
}

// program returns an MCP server that knows this app.
func (a *fakeApp) program(does ...string) mcpclient.Program {
	return mcptest.Program(a.server.URL, does...)
}

// patient returns limits that no working server reaches.
func patient() limits {
	return limits{step: time.Minute, first: time.Minute, pages: time.Minute, server: mcpclient.Limits{
		Probe: time.Minute, Output: time.Minute, Exit: time.Minute, Kill: time.Minute}}
}
