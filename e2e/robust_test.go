//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// agent is an MCP client of one profile, through the bridge.
type agent struct {
	*mcp
	port int // the gate's
}

// newAgent opens profile 1 and connects to it.
func newAgent(t *testing.T, a *app) *agent {
	t.Helper()
	port := a.open(1)
	g := &agent{startMCP(t, command{args: []string{cove, "mcp", "1"}, env: a.environ(), dir: t.TempDir()}), port}
	g.initialize()
	return g
}

// fails is a tool call whose answer must be an error with these words.
func (g *agent) fails(words, name string, args object) string {
	g.t.Helper()
	a := g.tool(name, args)
	if !a.IsError || !strings.Contains(a.Text, words) {
		g.t.Fatalf("%s %v: wanted an error with %q, got (error %v): %s", name, args, words, a.IsError, cut(a.Text))
	}
	return a.Text
}

// answers is a tool call that may fail or not, but says something.
func (g *agent) answers(name string, args object) toolAnswer {
	g.t.Helper()
	began := time.Now()
	a := g.tool(name, args)
	g.t.Logf("%s: %v, error %v, %d bytes: %s", name, time.Since(began).Round(time.Millisecond), a.IsError, len(a.Text), cut(a.Text))
	if strings.TrimSpace(a.Text) == "" {
		g.t.Errorf("%s says nothing", name)
	}
	return a
}

func cut(text string) string {
	text = strings.ReplaceAll(text, "\n", "⏎")
	if len(text) > 400 {
		return strings.ToValidUTF8(text[:400], "") + "…"
	}
	return text
}

var selectedPage = regexp.MustCompile(`(?m)^(\d+): .*\[selected\]`)

// opened opens a page and returns its number.
func (g *agent) opened(address string) int {
	g.t.Helper()
	text := g.works("new_page", object{"url": address})
	m := selectedPage.FindStringSubmatch(text)
	if m == nil {
		g.t.Fatalf("new_page %s: %s", address, text)
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// uid finds an element in a snapshot by role and name.
func (g *agent) uid(role, name string, args object) string {
	g.t.Helper()
	text := g.works("take_snapshot", args)
	m := regexp.MustCompile(`uid=(\S+) ` + role + ` "` + regexp.QuoteMeta(name) + `"`).FindStringSubmatch(text)
	if m == nil {
		g.t.Fatalf("no %s %q in %s", role, name, text)
	}
	return m[1]
}

// eval is evaluate_script's value.
func (g *agent) eval(script string, args object) string {
	g.t.Helper()
	with := object{"function": script}
	for k, v := range args {
		with[k] = v
	}
	text := g.works("evaluate_script", with)
	_, rest, _ := strings.Cut(text, "```json\n")
	value, _, _ := strings.Cut(rest, "\n```")
	return value
}

// targets lists the pages behind the gate.
func targets(t *testing.T, port int) (all []struct{ ID, URL, Title string }) {
	t.Helper()
	res, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/json/list", port))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if err := json.NewDecoder(res.Body).Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// target finds the page whose address holds part.
func target(t *testing.T, port int, part string) string {
	t.Helper()
	for _, p := range targets(t, port) {
		if strings.Contains(p.URL, part) {
			return p.ID
		}
	}
	t.Fatalf("no page with %q in %v", part, targets(t, port))
	return ""
}

// pss is the memory of a process in megabytes, its share of what others use too.
func pss(t *testing.T, pid int) int {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^Pss:\s+(\d+) kB`).FindSubmatch(raw)
	kb, _ := strconv.Atoi(string(m[1]))
	return kb >> 10
}

// pages is a site whose pages are given as text, by path.
func pages(t *testing.T, all map[string]string) string {
	t.Helper()
	routes := http.NewServeMux()
	for path, text := range all {
		routes.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html>"+text)
		})
	}
	s := httptest.NewServer(routes)
	t.Cleanup(s.Close)
	return s.URL
}

// calmPage is a page beside the one that misbehaves.
const calmPage = `<title>calm</title><button onclick="this.textContent='pressed '+(++n)">press</button><script>n=0</script>`

// calm checks that a page goes on working: it is what every test here asks of the pages beside the bad one.
type calm struct {
	g    *agent
	page int
	uid  string
}

func newCalm(g *agent, base string) *calm {
	g.t.Helper()
	c := &calm{g: g, page: g.opened(base + "/calm")}
	c.uid = g.uid("button", "press", object{"pageId": c.page})
	return c
}

// works presses the page's button and reads it.
func (c *calm) works() {
	c.g.t.Helper()
	c.g.works("click", object{"pageId": c.page, "uid": c.uid})
	if text := c.g.works("take_snapshot", object{"pageId": c.page}); !strings.Contains(text, "pressed") {
		c.g.t.Errorf("the calm page says %s", text)
	}
}

func TestHundredTabs(t *testing.T) {
	t.Parallel()
	base := pages(t, map[string]string{"/tab/{n}": `<title>tab</title><button>go</button>`, "/calm": calmPage})
	a := start(t)
	g := newAgent(t, a)
	keeper := a.keeper(1)
	before := pss(t, keeper)
	var numbers []int
	for i := range 100 {
		numbers = append(numbers, g.opened(fmt.Sprintf("%s/tab/%d", base, i)))
	}
	if text := g.works("list_pages", nil); strings.Count(text, base+"/tab/") != 100 {
		t.Errorf("list_pages: %s", text)
	}
	last := numbers[len(numbers)-1]
	g.works("select_page", object{"pageId": numbers[0]})
	g.works("take_snapshot", nil)
	g.works("select_page", object{"pageId": last})
	g.works("click", object{"uid": g.uid("button", "go", nil)})
	t.Logf("keeper: %d MB before, %d MB with 100 tabs", before, pss(t, keeper))
	for _, n := range numbers {
		g.works("close_page", object{"pageId": n})
	}
	if text := g.works("list_pages", nil); strings.Contains(text, base) {
		t.Errorf("list_pages: %s", text)
	}
	t.Logf("keeper: %d MB after", pss(t, keeper))
}

const frozenPage = `<title>frozen</title><button>go</button><input aria-label=field><script>
onmessage=()=>0; setTimeout(()=>{for(;;){}}, %d)</script>`

func TestFrozenTab(t *testing.T) {
	t.Parallel()
	base := pages(t, map[string]string{"/frozen": fmt.Sprintf(frozenPage, 3000), "/again": `<title>again</title><button>go</button><script>setInterval(()=>{for(;;){}},3000)</script>`, "/calm": calmPage})
	a := start(t)
	g := newAgent(t, a)
	c := newCalm(g, base)
	n := g.opened(base + "/frozen")
	uid := g.uid("button", "go", nil)
	field := g.uid("textbox", "field", nil)
	time.Sleep(4 * time.Second)
	c.works()
	for _, call := range []struct {
		name string
		args object
	}{
		{"take_snapshot", nil}, {"click", object{"uid": uid}}, {"fill", object{"uid": field, "value": "x"}}, {"evaluate_script", object{"function": "() => 1"}},
		{"take_screenshot", nil}, {"press_key", object{"key": "Enter"}}, {"type_text", object{"text": "abc"}}, {"hover", object{"uid": uid}},
		{"wait_for", object{"text": []string{"never"}, "timeout": 1000}}, {"get_css_styles", object{"uid": uid}}, {"emulate", object{"colorScheme": "dark"}}, {"resize_page", object{"width": 500, "height": 500}},
	} {
		began := time.Now()
		a := g.answers(call.name, call.args)
		if !a.IsError {
			t.Errorf("%s of a frozen page says success: %s", call.name, a.Text)
		}
		if took := time.Since(began); took > patience/2 {
			t.Errorf("%s of a frozen page took %v", call.name, took)
		}
	}
	c.works()
	if text := g.works("list_pages", nil); !strings.Contains(text, "frozen") {
		t.Errorf("list_pages: %s", text)
	}
	t.Run("navigating away heals it", func(t *testing.T) {
		if text := g.works("navigate_page", object{"url": base + "/calm?healed"}); !strings.Contains(text, "Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
		g.works("take_snapshot", nil)
	})
	t.Run("a reload heals it", func(t *testing.T) {
		g.works("navigate_page", object{"url": base + "/frozen"})
		time.Sleep(4 * time.Second)
		if text := g.works("navigate_page", object{"type": "reload"}); !strings.Contains(text, "Successfully reloaded") {
			t.Errorf("navigate_page: %s", text)
		}
		g.works("take_snapshot", nil)
	})
	t.Run("closing works", func(t *testing.T) {
		time.Sleep(4 * time.Second)
		g.works("close_page", object{"pageId": n})
		if text := g.works("list_pages", nil); strings.Contains(text, "frozen") {
			t.Errorf("list_pages: %s", text)
		}
	})
	t.Run("a page that freezes again and again", func(t *testing.T) {
		g.opened(base + "/again")
		time.Sleep(4 * time.Second)
		if text := g.works("navigate_page", object{"url": base + "/calm?healed"}); !strings.Contains(text, "Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
	})
	c.works()
}

func TestCrashedTab(t *testing.T) {
	t.Parallel()
	base := pages(t, map[string]string{"/page": `<title>page</title><button>go</button>`, "/calm": calmPage})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	base2 := pages(t, map[string]string{"/frame": `<title>outer</title><button>outer</button><iframe src="` + other + `/page"></iframe>`})
	a := start(t)
	g := newAgent(t, a)
	c := newCalm(g, base)
	n := g.opened(base + "/page")
	uid := g.uid("button", "go", nil)
	crash := func(t *testing.T, part string) {
		t.Helper()
		b := attachTab(t, g.port, target(t, g.port, part))
		b.conn.Start(b.session, "Page.crash", nil)
	}
	pending := make(chan toolAnswer, 1)
	go func() {
		pending <- g.tool("evaluate_script", object{"pageId": n, "function": "() => new Promise(() => {})"})
	}()
	time.Sleep(time.Second)
	crash(t, base+"/page")
	select {
	case r := <-pending:
		if !r.IsError || !strings.Contains(r.Text, "The page has crashed.") {
			t.Errorf("a pending call: %s", r.Text)
		}
	case <-time.After(patience / 4):
		t.Error("a pending call goes on after the crash")
	}
	g.fails("The page has crashed.", "take_snapshot", object{"pageId": n})
	g.fails("The page has crashed.", "click", object{"pageId": n, "uid": uid})
	if text := g.works("list_pages", nil); !strings.Contains(text, "[crashed]") {
		t.Errorf("list_pages: %s", text)
	}
	c.works()
	g.works("navigate_page", object{"pageId": n, "type": "reload"})
	g.works("click", object{"pageId": n, "uid": g.uid("button", "go", object{"pageId": n})})
	if text := g.works("list_pages", nil); strings.Contains(text, "[crashed]") {
		t.Errorf("list_pages: %s", text)
	}
	t.Run("somebody else heals it", func(t *testing.T) {
		crash(t, base+"/page")
		wait(t, "the crash to be known", func() bool { return strings.Contains(g.works("list_pages", nil), "[crashed]") })
		b := attachTab(t, g.port, target(t, g.port, base+"/page"))
		b.conn.Start(b.session, "Page.reload", nil)
		wait(t, "the page to be well", func() bool { return !g.tool("take_snapshot", object{"pageId": n}).IsError })
	})
	t.Run("a frame crashes", func(t *testing.T) {
		n := g.opened(base2 + "/frame")
		if text := g.works("take_snapshot", nil); !strings.Contains(text, `"go"`) {
			t.Fatalf("no frame in %s", text)
		}
		b := attachTab(t, g.port, target(t, g.port, base2+"/frame"))
		b.call("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, nil)
		var inner struct {
			SessionID  string
			TargetInfo struct{ Type string }
		}
		for inner.TargetInfo.Type != "iframe" {
			if err := json.Unmarshal(b.await("Target.attachedToTarget"), &inner); err != nil {
				t.Fatal(err)
			}
		}
		b.conn.Start(inner.SessionID, "Page.crash", nil)
		wait(t, "the frame to be gone", func() bool { return !strings.Contains(g.works("take_snapshot", object{"pageId": n}), `"go"`) })
		if text := g.works("take_snapshot", object{"pageId": n}); !strings.Contains(text, `"outer"`) {
			t.Errorf("the page around it: %s", text)
		}
		if text := g.works("list_pages", nil); strings.Contains(text, "[crashed]") {
			t.Errorf("list_pages: %s", text)
		}
	})
}

// attachTab attaches a client of its own to a page.
func attachTab(t *testing.T, port int, id string) *tab {
	t.Helper()
	b := newTab(t, port)
	var s struct{ SessionID string }
	mine := b.session
	b.session = ""
	b.call("Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &s)
	b.session = mine
	b.call("Page.close", nil, nil)
	b.session = s.SessionID
	return b
}
