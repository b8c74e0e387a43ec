//go:build e2e

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Cancelled sends a call, cancels it and waits for its answer, if one comes.
func (g *Driver) Cancelled(name string, args Object) error {
	answered := make(chan Rpc, 1)
	g.Mu.Lock()
	g.last++
	id := fmt.Sprint(g.last)
	g.waiting[id] = answered
	g.Mu.Unlock()
	if err := g.Send(Rpc{ID: []byte(id), Method: "tools/call", Params: Object{"name": name, "arguments": args}}); err != nil {
		return err
	}
	time.Sleep(500 * time.Millisecond)
	if err := g.Send(Rpc{Method: "notifications/cancelled", Params: Object{"requestId": g.last}}); err != nil {
		return err
	}
	<-answered
	return nil
}

// NoTraces checks that nothing of an open profile is left.
func NoTraces(t *testing.T, a *App, id int) {
	t.Helper()
	Wait(t, "the browser to go", func() bool { return len(a.Processes(a.File(id, "data_dir"))) == 0 })
	for _, name := range []string{"data_dir/DevToolsActivePort", "keeper.json", "keeper.sock", "data_dir/SingletonLock"} {
		if Exists(a.File(id, name)) {
			t.Errorf("%s is left behind", name)
		}
	}
}

func Closed(a *App, id int) func() bool {
	return func() bool { s, _ := a.State(id); return s == "" }
}

func Kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatalf("kill %d: %v", pid, err)
	}
}

// Driver is an MCP client of one profile, through the bridge.
type Driver struct {
	*Mcp
	Port int // the gate's
}

// NewDriver opens profile 1, if nobody has, and connects to it.
func NewDriver(t *testing.T, a *App) *Driver {
	t.Helper()
	port := a.Get("/v1.0/browser_profiles/1/active").Port()
	if port == 0 {
		port = a.Open(1)
	}
	g := &Driver{StartMCP(t, Command{Args: []string{Cove, "mcp", "1"}, Env: a.Environ(), Dir: t.TempDir()}), port}
	g.Initialize()
	return g
}

// Fails is a tool call whose answer must be an error with these words.
func (g *Driver) Fails(words, name string, args Object) string {
	g.T.Helper()
	a := g.Tool(name, args)
	if !a.IsError || !strings.Contains(a.Text, words) {
		g.T.Fatalf("%s %v: wanted an error with %q, got (error %v): %s", name, args, words, a.IsError, Cut(a.Text))
	}
	return a.Text
}

// Answers is a tool call that may fail or not, but says something.
func (g *Driver) Answers(name string, args Object) ToolAnswer {
	g.T.Helper()
	began := time.Now()
	a := g.Tool(name, args)
	g.T.Logf("%s: %v, error %v, %d bytes: %s", name, time.Since(began).Round(time.Millisecond), a.IsError, len(a.Text), Cut(a.Text))
	if strings.TrimSpace(a.Text) == "" {
		g.T.Errorf("%s says nothing", name)
	}
	return a
}

func Cut(text string) string {
	text = strings.ReplaceAll(text, "\n", "⏎")
	if len(text) > 400 {
		return strings.ToValidUTF8(text[:400], "") + "…"
	}
	return text
}

var SelectedPage = regexp.MustCompile(`(?m)^(\d+): .*\[selected\]`)

// Opened opens a page and returns its number.
func (g *Driver) Opened(address string) int {
	g.T.Helper()
	text := g.Works("new_page", Object{"url": address})
	m := SelectedPage.FindStringSubmatch(text)
	if m == nil {
		g.T.Fatalf("new_page %s: %s", address, text)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// Uid finds an element in a snapshot by role and name.
func (g *Driver) Uid(role, name string, args Object) string {
	g.T.Helper()
	text := g.Works("take_snapshot", args)
	m := regexp.MustCompile(`uid=(\S+) ` + role + ` "` + regexp.QuoteMeta(name) + `"`).FindStringSubmatch(text)
	if m == nil {
		g.T.Fatalf("no %s %q in %s", role, name, text)
	}
	return m[1]
}

// Eval is evaluate_script's value.
func (g *Driver) Eval(script string, args Object) string {
	g.T.Helper()
	with := Object{"function": script}
	for k, v := range args {
		with[k] = v
	}
	text := g.Works("evaluate_script", with)
	_, rest, _ := strings.Cut(text, "```json\n")
	value, _, _ := strings.Cut(rest, "\n```")
	return value
}

// Pss is the memory of a process in megabytes, its share of what others use too.
func Pss(t *testing.T, pid int) int {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^Pss:\s+(\d+) kB`).FindSubmatch(raw)
	kb, _ := strconv.Atoi(string(m[1]))
	return kb >> 10
}

// Freeze starts a script without end.
func (g *Driver) Freeze() {
	g.T.Helper()
	g.Eval("() => {setTimeout(() => {for (;;) {}}, 10)}", nil)
	time.Sleep(500 * time.Millisecond)
}

// gauge is what the keeper says of itself, when it is asked to.
type gauge struct {
	Goroutines, Heap int
	PSS              int
}

func (g gauge) String() string {
	return fmt.Sprintf("%d goroutines, heap %d KB, PSS %d MB", g.Goroutines, g.Heap>>10, g.PSS)
}

var gaugeLine = regexp.MustCompile(`msg=memstats.* goroutines=(\d+) heap=(\d+)`)

// Gauge waits for the keeper to rest and reads its next two figures: one may have been taken before.
func (a *App) Gauge(id int) gauge {
	a.T.Helper()
	read := func() (g gauge, n int) {
		raw, _ := os.ReadFile(filepath.Join(a.Home, "logs", fmt.Sprintf("keeper-%d.log", id)))
		all := gaugeLine.FindAllSubmatch(raw, -1)
		if len(all) > 0 {
			g.Goroutines, _ = strconv.Atoi(string(all[len(all)-1][1]))
			g.Heap, _ = strconv.Atoi(string(all[len(all)-1][2]))
		}
		return g, len(all)
	}
	_, before := read()
	var g gauge
	Wait(a.T, "the keeper's figures", func() bool {
		now, n := read()
		g = now
		return n >= before+2
	})
	g.PSS = Pss(a.T, a.Keeper(id))
	return g
}
