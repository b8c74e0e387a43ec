package verify

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"cove/api"
	"cove/internal/paths"
)

// The variables that make the test program a fake MCP server, and lead it to the fake app.
const (
	serverVariable = "VERIFY_TEST_SERVER"
	appVariable    = "VERIFY_TEST_APP"
)

// TestMain runs the tests; as the child of one it is an MCP server.
func TestMain(m *testing.M) {
	if does, ok := os.LookupEnv(serverVariable); ok {
		os.Exit(newFakeServer(does).run())
	}
	os.Exit(m.Run())
}

// fakeServer is an MCP server in a process of its own. It works, except for what it is told to do.
type fakeServer struct {
	does []string
	out  *json.Encoder
}

func newFakeServer(does string) *fakeServer {
	return &fakeServer{strings.Split(does, ";"), json.NewEncoder(os.Stdout)}
}

// says is the value of an instruction such as "dies at=tools/list"; ok is false without it.
func (s *fakeServer) says(instruction string) (value string, ok bool) {
	for _, one := range s.does {
		if name, value, _ := strings.Cut(one, "="); name == instruction {
			return value, true
		}
	}

	return "", false
}

func (s *fakeServer) has(instruction string) bool {
	_, ok := s.says(instruction)
	return ok
}

func (s *fakeServer) run() int {
	if s.has("is an orphan") {
		_ = visit("/test/end") // which is answered when the test ends
		return 0
	}
	if s.has("dies at once") {
		fmt.Fprintln(os.Stderr, "cove: It failed.\n  Do that.")
		return 3
	}
	if s.has("leaves a child") {
		child := exec.CommandContext(context.Background(), os.Args[0])
		child.Env = append(os.Environ(), serverVariable+"=is an orphan")
		child.Stdout = os.Stdout
		if err := child.Start(); err != nil {
			panic(err)
		}
	}
	if words, ok := s.says("warns"); ok {
		fmt.Fprintln(os.Stderr, words)
	}
	if !s.has("opens nothing") {
		if err := visit("/test/open"); err != nil {
			panic(err)
		}
	}
	if text, ok := s.says("prints"); ok {
		fmt.Println(text)
	}
	if s.has("ignores SIGTERM") {
		signal.Ignore(syscall.SIGTERM)
	}
	if code, done := s.serve(bufio.NewScanner(os.Stdin)); done {
		return code
	}

	// The client is gone.
	if s.has("closes the profile") {
		_ = visit("/v1.0/browser_profiles/7/stop")
	}
	if s.has("stays") {
		<-time.After(time.Hour)
	}

	return 0
}

// serve answers requests. done says that the process is to exit.
func (s *fakeServer) serve(in *bufio.Scanner) (code int, done bool) {
	for in.Scan() {
		var m struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			panic(err)
		}
		if at, _ := s.says("dies at"); at == m.Method {
			fmt.Fprintln(os.Stderr, "out of luck")
			return 1, true
		}
		if at, _ := s.says("silent at"); at == m.Method || m.ID == 0 {
			continue
		}
		if at, _ := s.says("prints at"); at == m.Method {
			fmt.Println("Debugger attached.")
			continue
		}
		if s.has("asks first") && m.Method == "initialize" && !s.query(in) {
			return 4, true
		}
		if at, _ := s.says("fails at"); at == m.Method {
			failure := object{"code": 1, "message": "Profile 7 is in use."}
			_ = s.out.Encode(object{"jsonrpc": "2.0", "id": m.ID, "error": failure})
			continue
		}
		_ = s.out.Encode(object{"jsonrpc": "2.0", "id": m.ID, "result": s.result(m.Method)})
	}

	return 0, false
}

// query sends a notification, an answer to nothing and a request. It reports whether the client refused the request.
func (s *fakeServer) query(in *bufio.Scanner) bool {
	_ = s.out.Encode(object{"jsonrpc": "2.0", "method": "notifications/message", "params": object{}})
	_ = s.out.Encode(object{"jsonrpc": "2.0", "id": 99, "result": object{}})
	_ = s.out.Encode(object{"jsonrpc": "2.0", "id": "mine", "method": "roots/list"})
	in.Scan()

	return strings.Contains(in.Text(), `"id":"mine"`) && strings.Contains(in.Text(), "not supported")
}

func (s *fakeServer) result(method string) any {
	switch method {
	case "initialize":
		return object{"protocolVersion": "2025-06-18", "capabilities": object{}}
	case "tools/list":
		tools := []object{}
		names, other := s.says("has the tools")
		if !other {
			names = "click list_pages"
		}
		for _, name := range strings.Fields(names) {
			tools = append(tools, object{"name": name})
		}
		return object{"tools": tools}
	}

	text, other := s.says("shows")
	if !other {
		text = "1: https://a.example/ [selected]\n2: https://b.example/x"
	}
	content := []object{{"type": "text", "text": "## Pages"}, {"type": "text", "text": text}}

	return object{"isError": s.has("fails to show"), "content": content}
}

// visit is how the fake server reaches the fake app.
func visit(path string) error {
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, os.Getenv(appVariable)+path, nil)
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return errors.New(res.Status)
	}

	return nil
}

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

func (a *fakeApp) open() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.gate != nil {
		return
	}
	l, err := new(net.ListenConfig).Listen(a.t.Context(), "tcp", "127.0.0.1:0")
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

// program is the test program as an MCP server.
func (a *fakeApp) program(does ...string) Program {
	env := append(os.Environ(), serverVariable+"="+strings.Join(does, ";"), appVariable+"="+a.server.URL,
		"GORACE=atexit_sleep_ms=0")

	return Program{Command: []string{os.Args[0]}, Env: env}
}

// patient is limits that no working server reaches.
func patient() limits {
	return limits{step: time.Minute, first: time.Minute, pages: time.Minute, probe: time.Minute, lastWords: time.Minute,
		exit: time.Minute, kill: time.Minute}
}
