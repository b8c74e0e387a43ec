//go:build e2e

package clients

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"cove/e2e/harness"
)

// holdSite has a page /held whose function ask() ends only when the test lets it; asked tells that it has begun.
type holdSite struct {
	*harness.Site
	asked chan struct{}
	free  chan struct{}
}

func newHoldSite(t *testing.T) *holdSite {
	t.Helper()
	h := &holdSite{asked: make(chan struct{}, 100), free: make(chan struct{})}
	web := harness.NewSite(t)
	inner := web.Config.Handler
	web.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/held":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html><title>held</title><h1>held</h1><script>const ask = () => fetch('/hold').then(r => r.text())</script>")
		case "/asked":
			h.asked <- struct{}{}
		case "/hold":
			h.asked <- struct{}{}
			select {
			case <-h.free:
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "free")
		default:
			inner.ServeHTTP(w, r)
		}
	})
	h.Site = web
	t.Cleanup(h.release)
	return h
}

func (h *holdSite) release() {
	select {
	case <-h.free:
	default:
		close(h.free)
	}
}

func TestTheBridgeAnswersBeforeTheBrowserIsThere(t *testing.T) {
	a := harness.Start(t)
	browser, release := harness.StateHeldBrowser(t, a)
	id := a.Create(fmt.Sprintf(`{"name":"slow","browser":%q}`, browser))
	m := a.Agent("slow") // by its name
	if tools := m.Tools(); len(tools) != 35 {
		t.Errorf("%d tools: %v", len(tools), tools)
	}
	harness.Wait(t, "the profile to open without a call",
		func() bool { state, _ := a.State(id); return state == "starting" })
	first := m.BeginTool("list_pages", nil)
	m.Tools()
	if !first.Waits() {
		t.Error("a call was answered without a browser")
	}
	release()
	if got := first.Tool(); got.IsError || !strings.Contains(got.Text, "1: ") {
		t.Errorf("the first call: %s", got.Text)
	}
	// The keeper answers agents a moment before the app has heard that the profile is open.
	harness.Wait(t, "the app to hear that the profile is open",
		func() bool { state, mode := a.State(id); return state == "open" && mode == "automation" })
}

func TestTheBridgeStartsTheApp(t *testing.T) {
	a := harness.Start(t)
	a.Kill()
	t.Run("not when told so", func(t *testing.T) {
		for _, method := range []string{"initialize", "server/discover"} {
			harness.RefusedBridge(t, a, method, 6, []string{"1", "--no-autostart"}, "not running", "cove up")
		}
	})
	m := a.Agent("1")
	m.Works("list_pages", nil)
	if code := m.Close(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if out, code := a.Cli("status", "--json"); code != 0 || !strings.Contains(out, `"state":"open"`) &&
		!strings.Contains(out, `"state": "open"`) {
		t.Errorf("app and profile did not stay: %d %s", code, out)
	}
	up := a.Processes(" up ")
	if len(up) != 1 {
		t.Fatalf("the app: %v", up)
	}
	var pid int
	_, _ = fmt.Sscan(up[0], &pid)
	if session, _ := syscall.Getpgid(pid); session != pid {
		t.Errorf("the app is in the group %d of another", session)
	}
	a.Must("stop-app", "--profiles")
}

func TestTheBridgeSaysWhyThereIsNoProfile(t *testing.T) {
	a := harness.Start(t)
	refused := func(name string, code int, arg string, words ...string) {
		t.Run(name, func(t *testing.T) {
			for _, method := range []string{"initialize", "server/discover"} {
				harness.RefusedBridge(t, a, method, code, []string{arg}, words...)
			}
		})
	}
	refused("no such id", 3, "999", "999", "cove profile list")
	refused("too large an id", 2, "99999999999", "id")
	refused("no such name", 3, "nobody", "nobody")
	refused("a path", 3, "../1", "../1")
	refused("an empty name", 3, "", "cove profile list")
	a.OpenOrdinary(1)
	refused("open by hand", 4, "1", "ordinary mode", "cove stop 1")
	a.Close(1)
	a.Must("account", "set-plan", "free")
	refused("the free plan", 7, "1", "plan", "cove account set-plan")
	a.Must("account", "set-plan", "solo")
	a.Must("logout")
	refused("nobody is logged in", 5, "1", "logged", "cove login")
	if state, _ := a.State(1); state != "" {
		t.Errorf("a refusal left the profile %s", state)
	}
}

func TestTheBridgeEndsWithItsClientAndLeavesTheProfileOpen(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	for name, end := range map[string]func(*harness.MCP) int{
		"the end of its input": (*harness.MCP).Close,
		"SIGINT":               func(m *harness.MCP) int { return m.Signal(syscall.SIGINT) },
		"SIGTERM":              func(m *harness.MCP) int { return m.Signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			m := a.Agent("1")
			m.Works("list_pages", nil)
			busy := m.BeginTool("wait_for", harness.Object{"text": []string{"never there"}})
			if code := end(m); code != 0 && code != 130 && code != 143 {
				t.Errorf("exit code %d", code)
			}
			_, _ = busy.Wait()
			stillOpen(t, a, 1)
		})
	}
	t.Run("SIGINT before the first word", func(t *testing.T) {
		before := strings.Count(a.Log("keeper"), "agent connected")
		m := a.Bridge("1")
		harness.Wait(t, "the bridge to connect",
			func() bool { return strings.Count(a.Log("keeper"), "agent connected") > before })
		m.Signal(syscall.SIGINT)
		stillOpen(t, a, 1)
	})
	// As nohup and a shell's background jobs start programs. What comes before the program asks for signals is lost; so
	// it asks first.
	t.Run("SIGINT as soon as it is asked for, when the parent ignores it", func(t *testing.T) {
		m := harness.StartMCP(t, harness.Command{Args: []string{"/bin/sh", "-c",
			`trap '' INT; exec "$0" mcp 1 --home "$1"`, harness.Cove, a.Home}, Env: a.Environ(), Dir: t.TempDir()})
		harness.Wait(t, "the bridge to ask for SIGINT",
			func() bool { return catches(m.Cmd.Process.Pid, syscall.SIGINT) })
		m.Signal(syscall.SIGINT)
		stillOpen(t, a, 1)
	})
}

// catches tells whether a process has asked for a signal.
func catches(pid int, s syscall.Signal) bool {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	m := regexp.MustCompile(`(?m)^SigCgt:\s*([0-9a-f]+)$`).FindSubmatch(raw)
	if m == nil {
		return false
	}
	mask, err := strconv.ParseUint(string(m[1]), 16, 64)
	return err == nil && mask&(1<<(s-1)) != 0
}

// TestSignalsAreAskedForFirst, before the packages that take their time.
func TestSignalsAreAskedForFirst(t *testing.T) {
	_, trace, _ := harness.Output(t, harness.Command{Args: []string{harness.Cove, "version"},
		Env: append(os.Environ(), "GODEBUG=inittrace=1")})
	first := strings.Index(trace, "init cove/internal/interrupt ")
	for _, late := range []string{"init github.com/", "init modernc.org/", "init cove/internal/page ",
		"init net/http "} {
		if at := strings.Index(trace, late); first < 0 || at < first {
			t.Errorf("%s comes before it:\n%s", late, trace)
		}
	}
}

func TestSeveralAgentsEachHaveTheirOwnPage(t *testing.T) {
	a, web := harness.Start(t), newHoldSite(t)
	a.Open(1)
	var all []*harness.MCP
	for n := range 4 {
		m := a.Agent("1")
		m.Works("new_page", harness.Object{"url": fmt.Sprintf("%s/tab/%d", web.URL, n)})
		all = append(all, m)
	}
	var work sync.WaitGroup
	for n, m := range all {
		work.Go(func() {
			for range 5 {
				if got := m.Tool("evaluate_script", harness.Object{"function": "() => document.title"}); got.IsError ||
					!strings.Contains(got.Text, fmt.Sprintf("tab %d", n)) {
					t.Errorf("agent %d sees %s", n, got.Text)
				}
			}
		})
	}
	work.Wait()
	m := all[0]
	m.Works("new_page", harness.Object{"url": web.URL + "/held"})
	held := pageID(t, m.Works("list_pages", nil), "/held")
	other := pageID(t, m.Works("list_pages", nil), "/tab/0") // its own, too
	first := m.BeginTool("evaluate_script", harness.Object{"pageId": held, "function": "() => ask()"})
	<-web.asked
	queued := m.BeginTool("evaluate_script", harness.Object{"pageId": held, "function": "() => 'second'"})
	for range 3 {
		m.Works("evaluate_script", harness.Object{"pageId": other, "function": "() => document.title"})
	}
	if !first.Waits() || !queued.Waits() {
		t.Error("calls on one page did not wait for each other")
	}
	web.release()
	if got := first.Tool(); !strings.Contains(got.Text, "free") {
		t.Errorf("the held call: %s", got.Text)
	}
	if got := queued.Tool(); !strings.Contains(got.Text, "second") {
		t.Errorf("the queued call: %s", got.Text)
	}
}

func TestACancelledCallStops(t *testing.T) {
	a, web := harness.Start(t), newHoldSite(t)
	a.Open(1)
	for name, call := range map[string]func(*harness.MCP) *harness.Request{
		"wait_for": func(m *harness.MCP) *harness.Request {
			r := m.Begin("tools/call",
				harness.Object{"name": "wait_for", "arguments": harness.Object{"text": []string{"never there"},
					"timeout": 600000}, "_meta": harness.Object{"progressToken": "wait"}})
			harness.Wait(t, "the call's progress", func() bool { return len(m.Progress("wait")) > 0 })
			return r
		},
		"a promise": func(m *harness.MCP) *harness.Request {
			r := m.BeginTool("evaluate_script", harness.Object{"function": "() => ask()"})
			<-web.asked
			return r
		},
		"an endless loop": func(m *harness.MCP) *harness.Request {
			r := m.BeginTool("evaluate_script",
				harness.Object{"function": "() => { const r = new XMLHttpRequest(); r.open('GET', '/asked', false); r.send(); for (;;); }"})
			<-web.asked
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := a.Agent("1")
			m.Works("new_page", harness.Object{"url": web.URL + "/held"})
			r := call(m)
			queued := m.BeginTool("evaluate_script", harness.Object{"function": "() => 'after'"})
			r.Cancel()
			if got := queued.Tool(); got.IsError || !strings.Contains(got.Text, "after") {
				t.Errorf("the next call: %s", got.Text)
			}
			if got := m.Works("take_snapshot", nil); !strings.Contains(got, "held") {
				t.Errorf("the page after it: %s", got)
			}
		})
	}
}

func TestProgressIsToldToWhoWantsIt(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1", "--tools", "all")
	if tools := m.Tools(); !slices.Contains(tools, "batch") {
		t.Errorf("no more tools than usual: %v", tools)
	}
	calls := harness.Object{"calls": []harness.Object{{"tool": "list_pages"}, {"tool": "list_pages"}}}
	m.Works("batch", calls)
	m.Mu.Lock()
	if len(m.Notes) > 0 {
		t.Errorf("nobody asked for %v", m.Notes)
	}
	m.Mu.Unlock()
	var r json.RawMessage
	m.Must("tools/call", harness.Object{"name": "batch", "arguments": calls,
		"_meta": harness.Object{"progressToken": "b"}}, &r)
	if got := m.Progress("b"); len(got) != 2 {
		t.Errorf("progress: %v", got)
	}
}

// outside makes a file where an agent may not go without being asked.
func outside(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/var/tmp", "cove-e2e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestFilesOfAnAgentStayInItsFolders(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	project, root := outside(t), outside(t)
	serve := func(t *testing.T, prepare func(*harness.MCP)) *harness.MCP {
		t.Helper()
		m := harness.StartMCP(t, harness.Command{Args: []string{harness.Cove, "mcp", "1"}, Env: a.Environ(),
			Dir: project})
		prepare(m)
		m.Initialize()
		return m
	}
	save := func(m *harness.MCP, name string) harness.ToolAnswer {
		return m.Tool("take_snapshot", harness.Object{"filePath": name})
	}
	saved := func(t *testing.T, got harness.ToolAnswer, name string) {
		t.Helper()
		if got.IsError || !harness.Exists(name) {
			t.Errorf("not saved in %s: %s", name, got.Text)
		}
		_ = os.Remove(name)
	}
	denied := func(t *testing.T, got harness.ToolAnswer, name string) {
		t.Helper()
		if !got.IsError || !strings.Contains(got.Text, "denied") || harness.Exists(name) {
			t.Errorf("not denied: %s", got.Text)
		}
	}
	t.Run("without roots, the folder that the client runs in", func(t *testing.T) {
		m := serve(t, func(*harness.MCP) {})
		saved(t, save(m, "a.txt"), filepath.Join(project, "a.txt"))
		saved(t, save(m, filepath.Join(project, "deep", "b.txt")), filepath.Join(project, "deep", "b.txt"))
		temp := filepath.Join(t.TempDir(), "c.txt")
		saved(t, save(m, temp), temp)
		denied(t, save(m, filepath.Join(root, "d.txt")), filepath.Join(root, "d.txt"))
		denied(t, save(m, "../e.txt"), filepath.Join(filepath.Dir(project), "e.txt"))
		if err := os.Symlink(root, filepath.Join(project, "link")); err != nil {
			t.Fatal(err)
		}
		denied(t, save(m, "link/f.txt"), filepath.Join(root, "f.txt"))
	})
	roots := func(dir *string) func(*harness.MCP) {
		return func(m *harness.MCP) {
			m.Can["roots"] = harness.Object{"listChanged": true}
			m.Answers["roots/list"] = func(any) any { return harness.Object{"roots": []harness.Object{{"uri": "file://" + *dir}}} }
		}
	}
	t.Run("with roots, only there", func(t *testing.T) {
		dir := root
		m := serve(t, roots(&dir))
		saved(t, save(m, "a.txt"), filepath.Join(root, "a.txt"))
		denied(t, save(m, filepath.Join(project, "b.txt")), filepath.Join(project, "b.txt"))
		dir = project
		if err := m.Send(harness.RPC{Method: "notifications/roots/list_changed"}); err != nil {
			t.Fatal(err)
		}
		saved(t, save(m, "c.txt"), filepath.Join(project, "c.txt"))
		denied(t, save(m, filepath.Join(root, "d.txt")), filepath.Join(root, "d.txt"))
	})
	t.Run("a person can allow more", func(t *testing.T) {
		action, asked := "decline", []string{}
		m := serve(t, func(m *harness.MCP) {
			m.Can["elicitation"] = harness.Object{}
			m.Answers["elicitation/create"] = func(params any) any {
				p, _ := params.(map[string]any)
				asked = append(asked, fmt.Sprint(p["message"]))
				return harness.Object{"action": action, "content": harness.Object{}}
			}
		})
		name := filepath.Join(root, "x.txt")
		denied(t, save(m, name), name)
		action = "accept"
		saved(t, save(m, name), name)
		if len(asked) != 2 || !strings.Contains(asked[0], name) {
			t.Errorf("the person was asked: %v", asked)
		}
	})
}

func TestClientsOf2026(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	m := a.Bridge("1")
	var found struct {
		Versions     []string `json:"supportedVersions"`
		Instructions string
	}
	m.Must("server/discover", harness.Object{"_meta": harness.ModernMeta(nil)}, &found)
	if !slices.Contains(found.Versions, "2026-07-28") || found.Instructions == "" {
		t.Errorf("discover: %+v", found)
	}
	m.Modern(nil, "new_page", harness.Object{"url": web.URL + "/tab/7"}, nil)
	if got, _ := m.Modern(nil, "evaluate_script", harness.Object{"function": "() => document.title"},
		nil); !strings.Contains(got, "tab 7") {
		t.Errorf("the page that was selected is not the one: %s", got)
	}
	t.Run("after a crash there is no handshake to replay", func(t *testing.T) {
		harness.Kill(t, a.Browser(1))
		harness.Wait(t, "the end", harness.Closed(a, 1))
		if got, _ := m.Modern(nil, "list_pages", harness.Object{}, nil); !strings.Contains(got, "crashed") {
			t.Errorf("the next call: %s", got)
		}
	})
	t.Run("a person is asked in the answer", func(t *testing.T) {
		m, can, name := a.Bridge("1"), harness.Object{"elicitation": harness.Object{"form": harness.Object{}}}, filepath.Join(outside(t), "x.txt")
		// A browser that was killed so early may have restored no page.
		m.Modern(can, "new_page", harness.Object{"url": web.URL + "/tab/8"}, nil)
		_, r := m.Modern(can, "take_snapshot", harness.Object{"filePath": name}, nil)
		if text, r := m.Modern(can, "take_snapshot", harness.Object{"filePath": name},
			harness.Replied(t, r, "decline")); r["isError"] != true || harness.Exists(name) {
			t.Errorf("declined: %s", text)
		}
		if text, r := m.Modern(can, "take_snapshot", harness.Object{"filePath": name},
			harness.Replied(t, r, "accept")); r["isError"] == true || !harness.Exists(name) {
			t.Errorf("accepted: %s", text)
		}
	})
	t.Run("roots are asked for in the answer", func(t *testing.T) {
		m, can, dir := a.Bridge("1"), harness.Object{"roots": harness.Object{}}, outside(t)
		m.Modern(can, "new_page", harness.Object{"url": web.URL + "/tab/9"}, nil)
		_, r := m.Modern(can, "take_snapshot", harness.Object{"filePath": "y.txt"}, nil)
		asked, _ := r["inputRequests"].(map[string]any)
		if len(asked) != 1 {
			t.Fatalf("the client is not asked: %v", r)
		}
		all := harness.Object{}
		for id := range asked {
			all[id] = harness.Object{"roots": []harness.Object{{"uri": "file://" + dir}}}
		}
		if text, _ := m.Modern(can, "take_snapshot", harness.Object{"filePath": "y.txt"},
			harness.Object{"inputResponses": all,
				"requestState": r["requestState"]}); !harness.Exists(filepath.Join(dir, "y.txt")) {
			t.Errorf("not saved: %s", text)
		}
	})
}

// lastPage is the highest number in a list of pages.
func lastPage(pages string) (last int) {
	for line := range strings.Lines(pages) {
		if number, _, ok := strings.Cut(line, ": "); ok {
			if n, err := strconv.Atoi(number); err == nil {
				last = max(last, n)
			}
		}
	}
	return last
}

func TestAfterACrashTheNextCallOpensTheProfileAgain(t *testing.T) {
	for name, victim := range map[string]func(*harness.App, int) int{"browser": (*harness.App).Browser,
		"keeper": (*harness.App).Keeper} {
		t.Run(name, func(t *testing.T) {
			a, web := harness.Start(t), newHoldSite(t)
			a.Open(1)
			m := a.Agent("1")
			m.Works("new_page", harness.Object{"url": web.URL + "/held"})
			before := lastPage(m.Works("list_pages", nil))
			root := regexp.MustCompile(`uid=(\S+) RootWebArea`)
			old := root.FindStringSubmatch(m.Works("take_snapshot", nil))[1]
			harness.Kill(t, victim(a, 1)) // between two calls
			harness.Wait(t, "the end", harness.Closed(a, 1))
			pages := m.Works("list_pages", nil)
			if !strings.Contains(pages, "crashed and was opened again") ||
				strings.Contains(pages, fmt.Sprintf("\n%d: ", before)) {
				t.Errorf("after the crash: %s", pages)
			}
			if again := m.Works("list_pages", nil); strings.Contains(again, "was opened again") {
				t.Errorf("it is said twice: %s", again)
			}
			before = lastPage(pages)
			m.Works("new_page", harness.Object{"url": web.URL + "/held"})
			if now := root.FindStringSubmatch(m.Works("take_snapshot", nil))[1]; now == old {
				t.Errorf("the uid %s means something else after the crash", old)
			}
			m.Fails("click", harness.Object{"uid": old}, "no longer")
			call := m.BeginTool("evaluate_script", harness.Object{"function": "() => ask()"})
			<-web.asked
			harness.Kill(t, victim(a, 1)) // during a call
			if got := call.Tool(); !got.IsError || !strings.Contains(got.Text, "crashed") {
				t.Errorf("the call during the crash: %s", got.Text)
			}
			if pages := m.Works("list_pages", nil); !strings.Contains(pages, "crashed and was opened again") ||
				lastPage(pages) <= before {
				t.Errorf("after the second crash: %s", pages)
			}
		})
	}
}

func TestAfterAPersonsStopCallsFailUntilSomebodyOpensTheProfile(t *testing.T) {
	a, web := harness.Start(t), newHoldSite(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("new_page", harness.Object{"url": web.URL + "/held"})
	before := lastPage(m.Works("list_pages", nil))
	call := m.BeginTool("evaluate_script", harness.Object{"function": "() => ask()"})
	<-web.asked
	a.Must("stop", "1")
	if got := call.Tool(); !got.IsError || !strings.Contains(got.Text, "closed by a person") {
		t.Errorf("the call during the stop: %s", got.Text)
	}
	for range 2 {
		m.Fails("list_pages", nil, "closed by a person", "cove start 1 --automation")
	}
	if state, _ := a.State(1); state != "" {
		t.Errorf("a call has opened the profile: %s", state)
	}
	if _, err := m.Call("ping", nil); err != nil {
		t.Errorf("ping: %v", err)
	}
	a.Must("start", "1", "--automation")
	if pages := m.Works("list_pages", nil); !strings.Contains(pages, "opened again by somebody") ||
		lastPage(pages) <= before {
		t.Errorf("after somebody has opened it: %s", pages)
	}
	a.Close(1)
	m.Fails("list_pages", nil, "closed by a person")
	a.Agent("1").Works("list_pages", nil) // a new session of the client opens it
	m.Works("list_pages", nil)
}

func TestAClosedWindowIsAPersonsStop(t *testing.T) {
	a := harness.Start(t, harness.Headed)
	port := a.Open(1)
	m := a.Agent("1")
	m.Works("list_pages", nil)
	for _, p := range harness.StateTargets(t, port) {
		res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/close/%s", port, p["id"]))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	harness.Wait(t, "the end", harness.Closed(a, 1))
	m.Fails("list_pages", nil, "closed by a person")
}

func TestTheBridgeOutlivesTheApp(t *testing.T) {
	a := harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("list_pages", nil)
	a.Kill()
	m.Works("new_page", harness.Object{"url": "about:blank"})
	a.Up()
	m.Works("list_pages", nil)
	stillOpen(t, a, 1)
}
