//go:build e2e

package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// UnderWay calls a tool that does not answer by itself, and returns when the keeper works on it.
func (g *Driver) UnderWay(name string, args Object) *Request {
	g.T.Helper()
	r := g.BeginTool(name, args)
	Wait(g.T, name+" to be under way", func() bool { return g.App.Going(1, name) })
	return r
}

// NoTraces checks that nothing of an open profile is left.
func NoTraces(t *testing.T, a *App, id int) {
	t.Helper()
	Wait(t, "the browser to go", func() bool { return len(a.Processes(a.File(id, "data_dir"))) == 0 })
	for _, name := range []string{"data_dir/DevToolsActivePort", "keeper.json", "keeper.sock",
		"data_dir/SingletonLock"} {
		if Exists(a.File(id, name)) {
			t.Errorf("%s is left behind", name)
		}
	}
}

// Closed is a condition for Wait: the profile is closed.
func Closed(a *App, id int) func() bool {
	return func() bool { s, _ := a.State(id); return s == "" }
}

// Kill sends SIGKILL to a process.
func Kill(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatalf("kill %d: %v", pid, err)
	}
}

// Driver is an MCP client of one profile, through the bridge.
type Driver struct {
	*MCP
	App  *App
	Port int // the gate's
}

// NewDriver opens profile 1, if nobody has, and connects to it.
func NewDriver(t *testing.T, a *App) *Driver {
	t.Helper()
	port := a.Get("/v1.0/browser_profiles/1/active").Port()
	if port == 0 {
		port = a.Open(1)
	}
	c := Command{Args: []string{Cove, "mcp", "1"}, Env: a.Environ(), Dir: t.TempDir()}
	g := &Driver{MCP: StartMCP(t, c), App: a, Port: port}
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
	g.T.Logf("%s: %v, error %v, %d bytes: %s", name, time.Since(began).Round(time.Millisecond), a.IsError, len(a.Text),
		Cut(a.Text))
	if strings.TrimSpace(a.Text) == "" {
		g.T.Errorf("%s says nothing", name)
	}
	return a
}

// Cut shortens a text for a log line.
func Cut(text string) string {
	text = strings.ReplaceAll(text, "\n", "⏎")
	if len(text) > 400 {
		return strings.ToValidUTF8(text[:400], "") + "…"
	}
	return text
}

// SelectedPage matches the selected page in a list of pages.
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

// UID finds an element in a snapshot by role and name.
func (g *Driver) UID(role, name string, args Object) string {
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

// Freeze starts a script without end, in the selected page, with setTimeout or setInterval. It returns when the script
// runs: the last thing that the page does is to change its title.
func (g *Driver) Freeze(timer string) {
	g.T.Helper()
	title := fmt.Sprintf("frozen by script %d", frozen.Add(1))
	g.Eval(fmt.Sprintf("() => {%s(() => {document.title = %q; for (;;) {}}, 10)}", timer, title), nil)
	Wait(g.T, "the page to freeze", func() bool { return strings.Contains(g.Works("list_pages", nil), title) })
}

// frozen counts the pages that were frozen.
var frozen atomic.Int64

// memStats is what the keeper says of itself, when it is asked to.
type memStats struct {
	Goroutines, Heap int
	PSS              int
}

func (g memStats) String() string {
	return fmt.Sprintf("%d goroutines, heap %d KB, PSS %d MB", g.Goroutines, g.Heap>>10, g.PSS)
}

var memStatsLine = regexp.MustCompile(`msg=memstats.* goroutines=(\d+) heap=(\d+)`)

// MemStats waits for the keeper to rest and reads its next two figures: one may have been taken before.
func (a *App) MemStats(id int) memStats {
	a.T.Helper()
	read := func() (g memStats, n int) {
		raw, _ := os.ReadFile(filepath.Join(a.Home, "logs", fmt.Sprintf("keeper-%d.log", id)))
		all := memStatsLine.FindAllSubmatch(raw, -1)
		if len(all) > 0 {
			g.Goroutines, _ = strconv.Atoi(string(all[len(all)-1][1]))
			g.Heap, _ = strconv.Atoi(string(all[len(all)-1][2]))
		}
		return g, len(all)
	}
	_, before := read()
	var g memStats
	Wait(a.T, "the keeper's figures", func() bool {
		now, n := read()
		g = now
		return n >= before+2
	})
	g.PSS = Pss(a.T, a.Keeper(id))
	return g
}
