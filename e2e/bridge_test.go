//go:build e2e

package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
)

// bridge runs `cove mcp` as a client does, in a folder of its own.
func (a *app) bridge(args ...string) *mcp {
	a.t.Helper()
	return startMCP(a.t, command{args: append([]string{cove, "mcp"}, args...), env: a.environ(), dir: a.t.TempDir()})
}

// agent is a bridge that has shaken hands.
func (a *app) agent(args ...string) *mcp {
	a.t.Helper()
	m := a.bridge(args...)
	if name := m.initialize(); name != "cove" {
		a.t.Errorf("the server calls itself %q", name)
	}
	return m
}

// fails is a tool call that must fail, with all of the words in its answer.
func (m *mcp) fails(name string, args object, words ...string) string {
	m.t.Helper()
	a := m.tool(name, args)
	if !a.IsError {
		m.t.Fatalf("%s %v should fail: %s", name, args, a.Text)
	}
	for _, w := range words {
		if !strings.Contains(a.Text, w) {
			m.t.Errorf("%s %v does not say %q: %s", name, args, w, a.Text)
		}
	}
	return a.Text
}

// holdSite has a page /held whose function ask() ends only when the test lets it; asked tells that it has begun.
type holdSite struct {
	*site
	asked chan struct{}
	free  chan struct{}
}

func newHoldSite(t *testing.T) *holdSite {
	t.Helper()
	h := &holdSite{asked: make(chan struct{}, 100), free: make(chan struct{})}
	web := newSite(t)
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
	h.site = web
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
	a := start(t)
	browser, release := stateHeldBrowser(t, a)
	id := a.create(fmt.Sprintf(`{"name":"slow","browser":%q}`, browser))
	m := a.agent("slow") // by its name
	if tools := m.tools(); len(tools) != 32 {
		t.Errorf("%d tools: %v", len(tools), tools)
	}
	wait(t, "the profile to open without a call", func() bool { state, _ := a.state(id); return state == "starting" })
	first := m.beginTool("list_pages", nil)
	m.tools()
	if !first.waits() {
		t.Error("a call was answered without a browser")
	}
	release()
	if got := first.tool(); got.IsError || !strings.Contains(got.Text, "1: ") {
		t.Errorf("the first call: %s", got.Text)
	}
	// The keeper answers agents a moment before the app has heard that the profile is open.
	wait(t, "the app to hear that the profile is open", func() bool { state, mode := a.state(id); return state == "open" && mode == "automation" })
}

func TestTheBridgeStartsTheApp(t *testing.T) {
	a := start(t)
	a.kill()
	t.Run("not when told so", func(t *testing.T) {
		for _, method := range []string{"initialize", "server/discover"} {
			refusedBridge(t, a, method, 6, []string{"1", "--no-autostart"}, "not running", "cove up")
		}
	})
	m := a.agent("1")
	m.works("list_pages", nil)
	if code := m.close(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if out, code := a.cli("status", "--json"); code != 0 || !strings.Contains(out, `"state":"open"`) && !strings.Contains(out, `"state": "open"`) {
		t.Errorf("app and profile did not stay: %d %s", code, out)
	}
	up := a.processes(" up ")
	if len(up) != 1 {
		t.Fatalf("the app: %v", up)
	}
	var pid int
	_, _ = fmt.Sscan(up[0], &pid)
	if session, _ := syscall.Getpgid(pid); session != pid {
		t.Errorf("the app is in the group %d of another", session)
	}
	a.must("stop-app", "--profiles")
}

// refusedBridge runs a bridge that must say why there is no profile: to its client, to the person, and to whoever runs it.
func refusedBridge(t *testing.T, a *app, method string, code int, args []string, words ...string) {
	t.Helper()
	m := startMCP(t, command{args: append([]string{cove, "mcp"}, args...), env: a.environ(), dir: t.TempDir()})
	params := object{"protocolVersion": "2025-11-25", "capabilities": object{}, "clientInfo": object{"name": "e2e", "version": "1"}}
	if method == "server/discover" {
		params = object{"_meta": modernMeta(nil)}
	}
	_, err := m.call(method, params)
	var told *rpcError
	if !errors.As(err, &told) {
		t.Fatalf("%s of %v: %v", method, args, err)
	}
	if got := m.exit(); got != code {
		t.Errorf("exit code %d, not %d: %s", got, code, told.Message)
	}
	for _, w := range words {
		if !strings.Contains(told.Message, w) {
			t.Errorf("%s of %v does not say %q: %s", method, args, w, told.Message)
		}
		if !strings.Contains(m.said.String(), w) {
			t.Errorf("stderr of %v does not say %q: %s", args, w, m.said.String())
		}
	}
}

func TestTheBridgeSaysWhyThereIsNoProfile(t *testing.T) {
	a := start(t)
	refused := func(name string, code int, arg string, words ...string) {
		t.Run(name, func(t *testing.T) {
			for _, method := range []string{"initialize", "server/discover"} {
				refusedBridge(t, a, method, code, []string{arg}, words...)
			}
		})
	}
	refused("no such id", 3, "999", "999", "cove profile list")
	refused("too large an id", 2, "99999999999", "id")
	refused("no such name", 3, "nobody", "nobody")
	refused("a path", 3, "../1", "../1")
	refused("an empty name", 3, "", "cove profile list")
	a.openOrdinary(1)
	refused("open by hand", 4, "1", "ordinary mode", "cove stop 1")
	a.close(1)
	a.must("account", "set-plan", "free")
	refused("the free plan", 7, "1", "plan", "cove account set-plan")
	a.must("account", "set-plan", "solo")
	a.must("logout")
	refused("nobody is logged in", 5, "1", "logged", "cove login")
	if state, _ := a.state(1); state != "" {
		t.Errorf("a refusal left the profile %s", state)
	}
}

func TestTheBridgeEndsWithItsClientAndLeavesTheProfileOpen(t *testing.T) {
	a := start(t)
	a.open(1)
	for name, end := range map[string]func(*mcp) int{
		"the end of its input": (*mcp).close,
		"SIGINT":               func(m *mcp) int { return m.signal(syscall.SIGINT) },
		"SIGTERM":              func(m *mcp) int { return m.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			m := a.agent("1")
			m.works("list_pages", nil)
			busy := m.beginTool("wait_for", object{"text": []string{"never there"}})
			if code := end(m); code != 0 && code != 130 && code != 143 {
				t.Errorf("exit code %d", code)
			}
			_, _ = busy.wait()
			stillOpen(t, a, 1)
		})
	}
	t.Run("SIGINT before the first word", func(t *testing.T) {
		before := strings.Count(a.log("keeper"), "agent connected")
		m := a.bridge("1")
		wait(t, "the bridge to connect", func() bool { return strings.Count(a.log("keeper"), "agent connected") > before })
		m.signal(syscall.SIGINT)
		stillOpen(t, a, 1)
	})
	// As nohup and a shell's background jobs start programs. What comes before the program asks for signals is lost; so it asks first.
	t.Run("SIGINT as soon as it is asked for, when the parent ignores it", func(t *testing.T) {
		m := startMCP(t, command{args: []string{"/bin/sh", "-c", `trap '' INT; exec "$0" mcp 1 --home "$1"`, cove, a.home}, env: a.environ(), dir: t.TempDir()})
		wait(t, "the bridge to ask for SIGINT", func() bool { return catches(m.cmd.Process.Pid, syscall.SIGINT) })
		m.signal(syscall.SIGINT)
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
	_, trace, _ := output(t, command{args: []string{cove, "version"}, env: append(os.Environ(), "GODEBUG=inittrace=1")})
	first := strings.Index(trace, "init cove/internal/interrupt ")
	for _, late := range []string{"init github.com/", "init modernc.org/", "init cove/internal/page ", "init net/http "} {
		if at := strings.Index(trace, late); first < 0 || at < first {
			t.Errorf("%s comes before it:\n%s", late, trace)
		}
	}
}

// log is the text of the logs whose name contains word.
func (a *app) log(word string) string {
	var all []byte
	names, _ := filepath.Glob(filepath.Join(a.home, "logs", "*"))
	more, _ := filepath.Glob(filepath.Join(a.home, "browser_profiles", "*", "*.log"))
	for _, name := range append(names, more...) {
		if raw, err := os.ReadFile(name); err == nil && strings.Contains(filepath.Base(name), word) {
			all = append(all, raw...)
		}
	}
	return string(all)
}

func TestSeveralAgentsEachHaveTheirOwnPage(t *testing.T) {
	a, web := start(t), newHoldSite(t)
	a.open(1)
	var all []*mcp
	for n := range 4 {
		m := a.agent("1")
		m.works("new_page", object{"url": fmt.Sprintf("%s/tab/%d", web.URL, n)})
		all = append(all, m)
	}
	var work sync.WaitGroup
	for n, m := range all {
		work.Go(func() {
			for range 5 {
				if got := m.tool("evaluate_script", object{"function": "() => document.title"}); got.IsError || !strings.Contains(got.Text, fmt.Sprintf("tab %d", n)) {
					t.Errorf("agent %d sees %s", n, got.Text)
				}
			}
		})
	}
	work.Wait()
	m := all[0]
	m.works("new_page", object{"url": web.URL + "/held"})
	held := pageID(t, m.works("list_pages", nil), "/held")
	other := pageID(t, m.works("list_pages", nil), "/tab/1")
	first := m.beginTool("evaluate_script", object{"pageId": held, "function": "() => ask()"})
	<-web.asked
	queued := m.beginTool("evaluate_script", object{"pageId": held, "function": "() => 'second'"})
	for range 3 {
		m.works("evaluate_script", object{"pageId": other, "function": "() => document.title"})
	}
	if !first.waits() || !queued.waits() {
		t.Error("calls on one page did not wait for each other")
	}
	web.release()
	if got := first.tool(); !strings.Contains(got.Text, "free") {
		t.Errorf("the held call: %s", got.Text)
	}
	if got := queued.tool(); !strings.Contains(got.Text, "second") {
		t.Errorf("the queued call: %s", got.Text)
	}
}

func TestACancelledCallStops(t *testing.T) {
	a, web := start(t), newHoldSite(t)
	a.open(1)
	for name, call := range map[string]func(*mcp) *request{
		"wait_for": func(m *mcp) *request {
			r := m.begin("tools/call", object{"name": "wait_for", "arguments": object{"text": []string{"never there"}, "timeout": 600000}, "_meta": object{"progressToken": "wait"}})
			wait(t, "the call's progress", func() bool { return len(m.progress("wait")) > 0 })
			return r
		},
		"a promise": func(m *mcp) *request {
			r := m.beginTool("evaluate_script", object{"function": "() => ask()"})
			<-web.asked
			return r
		},
		"an endless loop": func(m *mcp) *request {
			r := m.beginTool("evaluate_script", object{"function": "() => { const r = new XMLHttpRequest(); r.open('GET', '/asked', false); r.send(); for (;;); }"})
			<-web.asked
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := a.agent("1")
			m.works("new_page", object{"url": web.URL + "/held"})
			r := call(m)
			queued := m.beginTool("evaluate_script", object{"function": "() => 'after'"})
			r.cancel()
			if got := queued.tool(); got.IsError || !strings.Contains(got.Text, "after") {
				t.Errorf("the next call: %s", got.Text)
			}
			if got := m.works("take_snapshot", nil); !strings.Contains(got, "held") {
				t.Errorf("the page after it: %s", got)
			}
		})
	}
}

// progress is the progress that the server has told for a token.
func (m *mcp) progress(token string) (messages []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, n := range m.notes {
		p, _ := n.Params.(map[string]any)
		if n.Method == "notifications/progress" && p["progressToken"] == token {
			text, _ := p["message"].(string)
			messages = append(messages, text)
		}
	}
	return messages
}

func TestProgressIsToldToWhoWantsIt(t *testing.T) {
	a := start(t)
	a.open(1)
	m := a.agent("1", "--tools", "all")
	if tools := m.tools(); !slices.Contains(tools, "batch") {
		t.Errorf("no more tools than usual: %v", tools)
	}
	calls := object{"calls": []object{{"tool": "list_pages"}, {"tool": "list_pages"}}}
	m.works("batch", calls)
	m.mu.Lock()
	if len(m.notes) > 0 {
		t.Errorf("nobody asked for %v", m.notes)
	}
	m.mu.Unlock()
	var r json.RawMessage
	m.must("tools/call", object{"name": "batch", "arguments": calls, "_meta": object{"progressToken": "b"}}, &r)
	if got := m.progress("b"); len(got) != 2 {
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
	a := start(t)
	a.open(1)
	project, root := outside(t), outside(t)
	serve := func(t *testing.T, prepare func(*mcp)) *mcp {
		t.Helper()
		m := startMCP(t, command{args: []string{cove, "mcp", "1"}, env: a.environ(), dir: project})
		prepare(m)
		m.initialize()
		return m
	}
	save := func(m *mcp, name string) toolAnswer { return m.tool("take_snapshot", object{"filePath": name}) }
	saved := func(t *testing.T, got toolAnswer, name string) {
		t.Helper()
		if got.IsError || !exists(name) {
			t.Errorf("not saved in %s: %s", name, got.Text)
		}
		_ = os.Remove(name)
	}
	denied := func(t *testing.T, got toolAnswer, name string) {
		t.Helper()
		if !got.IsError || !strings.Contains(got.Text, "denied") || exists(name) {
			t.Errorf("not denied: %s", got.Text)
		}
	}
	t.Run("without roots, the folder that the client runs in", func(t *testing.T) {
		m := serve(t, func(*mcp) {})
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
	roots := func(dir *string) func(*mcp) {
		return func(m *mcp) {
			m.can["roots"] = object{"listChanged": true}
			m.answers["roots/list"] = func(any) any { return object{"roots": []object{{"uri": "file://" + *dir}}} }
		}
	}
	t.Run("with roots, only there", func(t *testing.T) {
		dir := root
		m := serve(t, roots(&dir))
		saved(t, save(m, "a.txt"), filepath.Join(root, "a.txt"))
		denied(t, save(m, filepath.Join(project, "b.txt")), filepath.Join(project, "b.txt"))
		dir = project
		if err := m.send(rpc{Method: "notifications/roots/list_changed"}); err != nil {
			t.Fatal(err)
		}
		saved(t, save(m, "c.txt"), filepath.Join(project, "c.txt"))
		denied(t, save(m, filepath.Join(root, "d.txt")), filepath.Join(root, "d.txt"))
	})
	t.Run("a person can allow more", func(t *testing.T) {
		action, asked := "decline", []string{}
		m := serve(t, func(m *mcp) {
			m.can["elicitation"] = object{}
			m.answers["elicitation/create"] = func(params any) any {
				p, _ := params.(map[string]any)
				asked = append(asked, fmt.Sprint(p["message"]))
				return object{"action": action, "content": object{}}
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

// modernMeta is what a client of 2026-07-28 sends with each request.
func modernMeta(can object) object {
	if can == nil {
		can = object{}
	}
	return object{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": can,
		"io.modelcontextprotocol/clientInfo": object{"name": "e2e", "version": "1"}}
}

// modern calls a tool as a client of 2026-07-28 does; more is what it sends beside the arguments.
func (m *mcp) modern(can object, name string, args object, more object) (string, map[string]any) {
	m.t.Helper()
	params := object{"name": name, "arguments": args, "_meta": modernMeta(can)}
	maps.Copy(params, more)
	var raw json.RawMessage
	m.must("tools/call", params, &raw)
	var r map[string]any
	_ = json.Unmarshal(raw, &r)
	return readTool(m.t, raw).Text, r
}

// replied is what such a client sends with the call once more, after its person has said something to the question in r.
func replied(t *testing.T, r map[string]any, action string) object {
	t.Helper()
	asked, _ := r["inputRequests"].(map[string]any)
	if r["resultType"] != "input_required" || len(asked) != 1 {
		t.Fatalf("nobody is asked: %v", r)
	}
	all := object{}
	for id := range asked {
		all[id] = object{"action": action, "content": object{}}
	}
	return object{"inputResponses": all, "requestState": r["requestState"]}
}

func TestClientsOf2026(t *testing.T) {
	a, web := start(t), newSite(t)
	m := a.bridge("1")
	var found struct {
		Versions     []string `json:"supportedVersions"`
		Instructions string
	}
	m.must("server/discover", object{"_meta": modernMeta(nil)}, &found)
	if !slices.Contains(found.Versions, "2026-07-28") || found.Instructions == "" {
		t.Errorf("discover: %+v", found)
	}
	m.modern(nil, "new_page", object{"url": web.URL + "/tab/7"}, nil)
	if got, _ := m.modern(nil, "evaluate_script", object{"function": "() => document.title"}, nil); !strings.Contains(got, "tab 7") {
		t.Errorf("the page that was selected is not the one: %s", got)
	}
	t.Run("after a crash there is no handshake to replay", func(t *testing.T) {
		kill(t, a.browser(1))
		wait(t, "the end", closed(a, 1))
		if got, _ := m.modern(nil, "list_pages", object{}, nil); !strings.Contains(got, "crashed") {
			t.Errorf("the next call: %s", got)
		}
	})
	t.Run("a person is asked in the answer", func(t *testing.T) {
		m, can, name := a.bridge("1"), object{"elicitation": object{"form": object{}}}, filepath.Join(outside(t), "x.txt")
		_, r := m.modern(can, "take_snapshot", object{"filePath": name}, nil)
		if text, r := m.modern(can, "take_snapshot", object{"filePath": name}, replied(t, r, "decline")); r["isError"] != true || exists(name) {
			t.Errorf("declined: %s", text)
		}
		if text, r := m.modern(can, "take_snapshot", object{"filePath": name}, replied(t, r, "accept")); r["isError"] == true || !exists(name) {
			t.Errorf("accepted: %s", text)
		}
	})
	t.Run("roots are asked for in the answer", func(t *testing.T) {
		m, can, dir := a.bridge("1"), object{"roots": object{}}, outside(t)
		_, r := m.modern(can, "take_snapshot", object{"filePath": "y.txt"}, nil)
		asked, _ := r["inputRequests"].(map[string]any)
		if len(asked) != 1 {
			t.Fatalf("the client is not asked: %v", r)
		}
		all := object{}
		for id := range asked {
			all[id] = object{"roots": []object{{"uri": "file://" + dir}}}
		}
		if text, _ := m.modern(can, "take_snapshot", object{"filePath": "y.txt"}, object{"inputResponses": all, "requestState": r["requestState"]}); !exists(filepath.Join(dir, "y.txt")) {
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
	for name, victim := range map[string]func(*app, int) int{"browser": (*app).browser, "keeper": (*app).keeper} {
		t.Run(name, func(t *testing.T) {
			a, web := start(t), newHoldSite(t)
			a.open(1)
			m := a.agent("1")
			m.works("new_page", object{"url": web.URL + "/held"})
			before := lastPage(m.works("list_pages", nil))
			root := regexp.MustCompile(`uid=(\S+) RootWebArea`)
			old := root.FindStringSubmatch(m.works("take_snapshot", nil))[1]
			kill(t, victim(a, 1)) // between two calls
			wait(t, "the end", closed(a, 1))
			pages := m.works("list_pages", nil)
			if !strings.Contains(pages, "crashed and was opened again") || strings.Contains(pages, fmt.Sprintf("\n%d: ", before)) {
				t.Errorf("after the crash: %s", pages)
			}
			if again := m.works("list_pages", nil); strings.Contains(again, "was opened again") {
				t.Errorf("it is said twice: %s", again)
			}
			before = lastPage(pages)
			m.works("new_page", object{"url": web.URL + "/held"})
			if now := root.FindStringSubmatch(m.works("take_snapshot", nil))[1]; now == old {
				t.Errorf("the uid %s means something else after the crash", old)
			}
			m.fails("click", object{"uid": old}, "no longer")
			call := m.beginTool("evaluate_script", object{"function": "() => ask()"})
			<-web.asked
			kill(t, victim(a, 1)) // during a call
			if got := call.tool(); !got.IsError || !strings.Contains(got.Text, "crashed") {
				t.Errorf("the call during the crash: %s", got.Text)
			}
			if pages := m.works("list_pages", nil); !strings.Contains(pages, "crashed and was opened again") || lastPage(pages) <= before {
				t.Errorf("after the second crash: %s", pages)
			}
		})
	}
}

func TestAfterAPersonsStopCallsFailUntilSomebodyOpensTheProfile(t *testing.T) {
	a, web := start(t), newHoldSite(t)
	a.open(1)
	m := a.agent("1")
	m.works("new_page", object{"url": web.URL + "/held"})
	before := lastPage(m.works("list_pages", nil))
	call := m.beginTool("evaluate_script", object{"function": "() => ask()"})
	<-web.asked
	a.must("stop", "1")
	if got := call.tool(); !got.IsError || !strings.Contains(got.Text, "closed by a person") {
		t.Errorf("the call during the stop: %s", got.Text)
	}
	for range 2 {
		m.fails("list_pages", nil, "closed by a person", "cove start 1 --automation")
	}
	if state, _ := a.state(1); state != "" {
		t.Errorf("a call has opened the profile: %s", state)
	}
	if _, err := m.call("ping", nil); err != nil {
		t.Errorf("ping: %v", err)
	}
	a.must("start", "1", "--automation")
	if pages := m.works("list_pages", nil); !strings.Contains(pages, "opened again by somebody") || lastPage(pages) <= before {
		t.Errorf("after somebody has opened it: %s", pages)
	}
	a.close(1)
	m.fails("list_pages", nil, "closed by a person")
	a.agent("1").works("list_pages", nil) // a new session of the client opens it
	m.works("list_pages", nil)
}

func TestAClosedWindowIsAPersonsStop(t *testing.T) {
	a := start(t, headed)
	port := a.open(1)
	m := a.agent("1")
	m.works("list_pages", nil)
	for _, p := range stateTargets(t, port) {
		res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/close/%s", port, p["id"]))
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	wait(t, "the end", closed(a, 1))
	m.fails("list_pages", nil, "closed by a person")
}

func TestTheBridgeOutlivesTheApp(t *testing.T) {
	a := start(t)
	a.open(1)
	m := a.agent("1")
	m.works("list_pages", nil)
	a.kill()
	m.works("new_page", object{"url": "about:blank"})
	a.up()
	m.works("list_pages", nil)
	stillOpen(t, a, 1)
}
