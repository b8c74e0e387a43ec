//go:build e2e

package harness

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// StatePath is an API path below a profile.
func StatePath(id int, rest string) string {
	return fmt.Sprintf("/v1.0/browser_profiles/%d%s", id, rest)
}

// StateTraces are the files that a profile has while it is open.
func StateTraces(a *App, id int) []string {
	return []string{a.ActivePort(id), a.File(id, "keeper.json"), a.File(id, "keeper.sock")}
}

// MustBeClosed checks that nothing of an open profile is left.
func (a *App) MustBeClosed(id, port int) {
	a.T.Helper()
	if state, _ := a.State(id); state != "" {
		a.T.Errorf("profile %d is %q instead of closed", id, state)
	}
	MustRefuse(a.T, a.Get(StatePath(id, "/active")), http.StatusNotFound, "E_NOT_OPEN")
	for _, name := range StateTraces(a, id) {
		if Exists(name) {
			a.T.Errorf("%s is there although the profile is closed", name)
		}
	}
	if port != 0 && Answering(a.T, port) {
		a.T.Errorf("port %d is open although the profile is closed", port)
	}
	Wait(a.T, "the browser's processes to go", func() bool { return len(a.Processes(a.File(id, "data_dir"))) == 0 })
}

// StateClosing waits until a profile is closed.
func (a *App) StateClosing(id int) {
	a.T.Helper()
	Wait(a.T, "the profile to close", func() bool { state, _ := a.State(id); return state == "" })
}

// Running is the API's map of open profiles.
func (a *App) Running() map[string]any {
	a.T.Helper()
	r := a.Get("/v1.0/browser_profiles/running")
	MustSucceed(a.T, r)
	return r.Body
}

// StateTargets lists the pages behind a gate.
func StateTargets(t *testing.T, port int) (pages []map[string]string) {
	t.Helper()
	var all []map[string]string
	StateJSON(t, port, "/json/list", &all)
	for _, p := range all {
		if p["type"] == "page" {
			pages = append(pages, p)
		}
	}
	return pages
}

// StateJSON reads the JSON that a gate gives for a path.
func StateJSON(t *testing.T, port int, path string, out any) {
	t.Helper()
	res, err := Get(t, fmt.Sprintf("http://127.0.0.1:%d%s", port, path))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(out); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// stateEvents follows /v1.0/events.
type stateEvents struct {
	Mu   sync.Mutex
	Seen []string
}

// Events follows the app's events from now on.
func (a *App) Events() *stateEvents {
	a.T.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+"/v1.0/events", nil)
	if err != nil {
		a.T.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.T.Fatal(err)
	}
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		a.T.Fatalf("events: %d %s", res.StatusCode, kind)
	}
	e := &stateEvents{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			e.take(lines.Text())
		}
	}()
	a.T.Cleanup(func() {
		cancel()
		_ = res.Body.Close()
		<-done
	})
	return e
}

// take notes "1 open automation", "1 closed automation stopped", "profile created".
func (e *stateEvents) take(line string) {
	data, ok := strings.CutPrefix(line, "data: ")
	if !ok {
		return
	}
	var m struct {
		Type    string
		Session struct {
			ID               int
			State, Mode, End string
		}
		Profile struct{ Change string }
	}
	text := "unreadable: " + data
	if json.Unmarshal([]byte(data), &m) == nil {
		text = strings.TrimSpace(fmt.Sprintf("%d %s %s %s", m.Session.ID, m.Session.State, m.Session.Mode,
			m.Session.End))
		if m.Type == "profile" {
			text = "profile " + m.Profile.Change
		}
	}
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Seen = append(e.Seen, text)
}

// Next waits until as many events as wanted are there and takes them; each begins as wanted.
func (e *stateEvents) Next(t *testing.T, want ...string) {
	t.Helper()
	var got []string
	Poll(Patience, func() bool {
		e.Mu.Lock()
		defer e.Mu.Unlock()
		if got = e.Seen; len(got) < len(want) {
			return false
		}
		e.Seen = nil
		return true
	})
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		t.Fatalf("the events are %q, not %q", got, want)
	}
}

// Closed waits for the end of a session and takes everything up to it; it must begin as wanted.
func (e *stateEvents) Closed(t *testing.T, want string) {
	t.Helper()
	var got string
	Wait(t, want, func() bool {
		e.Mu.Lock()
		defer e.Mu.Unlock()
		i := slices.IndexFunc(e.Seen, func(s string) bool { return strings.Contains(s, " closed ") })
		if i < 0 {
			return false
		}
		got, e.Seen = e.Seen[i], e.Seen[i+1:]
		return true
	})
	if !strings.HasPrefix(got, want) {
		t.Errorf("the session ended as %q, not %q", got, want)
	}
}

// StateHeldBrowser is a browser that starts only when release was called.
func StateHeldBrowser(t *testing.T, a *App) (path string, release func()) {
	t.Helper()
	dir := t.TempDir()
	path, gate := filepath.Join(dir, "held"), filepath.Join(dir, "go")
	Script(t, path, fmt.Sprintf("case \"$1\" in --version) exec %[1]s --version;; esac\nwhile [ ! -e %[2]s ]; do sleep 0.05; done\nexec %[1]s \"$@\"", a.realBrowser(), gate))
	return path, func() {
		if err := os.WriteFile(gate, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// realBrowser is the executable that profiles open with.
func (a *App) realBrowser() string {
	a.T.Helper()
	list, _ := a.Own(http.MethodGet, "/v1.0/browsers", "").Body["data"].([]any)
	for _, one := range list {
		b, _ := one.(map[string]any)
		if path, _ := b["path"].(string); b["used"] == true && path != "" {
			return path
		}
	}
	a.T.Fatal("there is no browser")
	return ""
}

// StartMany sends the same start several times at once; the answers come when all are there.
func (a *App) StartMany(n int, path string) func() []Answer {
	answers, errs := make([]Answer, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i], errs[i] = a.Try(http.MethodGet, path, "") })
	}
	return func() []Answer {
		a.T.Helper()
		all.Wait()
		for _, err := range errs {
			if err != nil {
				a.T.Fatal(err)
			}
		}
		return answers
	}
}

// StateServe serves one more page beside those of the site and returns the server's address.
func StateServe(t *testing.T, web *Site, path, text string) string {
	t.Helper()
	return Serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != path {
			web.Config.Handler.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(text))
	})
}
