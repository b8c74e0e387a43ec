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

// driver is an MCP client of one profile, through the bridge.
type driver struct {
	*mcp
	port int // the gate's
}

// newDriver opens profile 1, if nobody has, and connects to it.
func newDriver(t *testing.T, a *app) *driver {
	t.Helper()
	port := a.get("/v1.0/browser_profiles/1/active").port()
	if port == 0 {
		port = a.open(1)
	}
	g := &driver{startMCP(t, command{args: []string{cove, "mcp", "1"}, env: a.environ(), dir: t.TempDir()}), port}
	g.initialize()
	return g
}

// fails is a tool call whose answer must be an error with these words.
func (g *driver) fails(words, name string, args object) string {
	g.t.Helper()
	a := g.tool(name, args)
	if !a.IsError || !strings.Contains(a.Text, words) {
		g.t.Fatalf("%s %v: wanted an error with %q, got (error %v): %s", name, args, words, a.IsError, cut(a.Text))
	}
	return a.Text
}

// answers is a tool call that may fail or not, but says something.
func (g *driver) answers(name string, args object) toolAnswer {
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
func (g *driver) opened(address string) int {
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
func (g *driver) uid(role, name string, args object) string {
	g.t.Helper()
	text := g.works("take_snapshot", args)
	m := regexp.MustCompile(`uid=(\S+) ` + role + ` "` + regexp.QuoteMeta(name) + `"`).FindStringSubmatch(text)
	if m == nil {
		g.t.Fatalf("no %s %q in %s", role, name, text)
	}
	return m[1]
}

// eval is evaluate_script's value.
func (g *driver) eval(script string, args object) string {
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
	return host(t, routes(all))
}

func routes(all map[string]string) *http.ServeMux {
	routes := http.NewServeMux()
	for path, text := range all {
		routes.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<!doctype html>"+text)
		})
	}
	return routes
}

func host(t *testing.T, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// calmPage is a page beside the one that misbehaves.
const calmPage = `<title>calm</title><button onclick="this.textContent='pressed '+(++n)">press</button><script>n=0</script>`

// calmTab checks that a page goes on working: it is what every test here asks of the pages beside the bad one.
type calmTab struct {
	g    *driver
	page int
	uid  string
}

func newCalm(g *driver, base string) *calmTab {
	g.t.Helper()
	c := &calmTab{g: g, page: g.opened(base + "/calm")}
	c.uid = g.uid("button", "press", object{"pageId": c.page})
	return c
}

// works presses the page's button and reads it.
func (c *calmTab) works() {
	c.g.t.Helper()
	c.g.works("click", object{"pageId": c.page, "uid": c.uid})
	if text := c.g.works("take_snapshot", object{"pageId": c.page}); !strings.Contains(text, "pressed") {
		c.g.t.Errorf("the calm page says %s", text)
	}
}

// sized is how much of something a test makes: all of it in make soak, less in the ordinary run.
func sized(all, usual int) int {
	if os.Getenv("COVE_SOAK") != "" {
		return all
	}
	return usual
}

func TestHundredTabs(t *testing.T) {
	base := pages(t, map[string]string{"/tab/{n}": `<title>tab</title><button>go</button>`, "/calm": calmPage})
	a := start(t)
	g := newDriver(t, a)
	keeper := a.keeper(1)
	before := pss(t, keeper)
	var numbers []int
	count := sized(100, 30)
	for i := range count {
		numbers = append(numbers, g.opened(fmt.Sprintf("%s/tab/%d", base, i)))
	}
	if text := g.works("list_pages", nil); strings.Count(text, base+"/tab/") != count {
		t.Errorf("list_pages: %s", text)
	}
	last := numbers[len(numbers)-1]
	g.works("select_page", object{"pageId": numbers[0]})
	g.works("take_snapshot", nil)
	g.works("select_page", object{"pageId": last})
	g.works("click", object{"uid": g.uid("button", "go", nil)})
	t.Logf("keeper: %d MB before, %d MB with %d tabs", before, pss(t, keeper), count)
	for _, n := range numbers {
		g.works("close_page", object{"pageId": n})
	}
	if text := g.works("list_pages", nil); strings.Contains(text, base) {
		t.Errorf("list_pages: %s", text)
	}
	t.Logf("keeper: %d MB after", pss(t, keeper))
}

// freeze starts a script without end.
func (g *driver) freeze() {
	g.t.Helper()
	g.eval("() => {setTimeout(() => {for (;;) {}}, 10)}", nil)
	time.Sleep(500 * time.Millisecond)
}

func TestFrozenTab(t *testing.T) {
	base := pages(t, map[string]string{"/frozen": `<title>frozen</title><button>go</button><input aria-label=field>`, "/calm": calmPage})
	a := start(t)
	g := newDriver(t, a)
	c := newCalm(g, base)
	n := g.opened(base + "/frozen")
	uid := g.uid("button", "go", nil)
	field := g.uid("textbox", "field", nil)
	g.freeze()
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
		g.freeze()
		if text := g.works("navigate_page", object{"type": "reload"}); !strings.Contains(text, "Successfully reloaded") {
			t.Errorf("navigate_page: %s", text)
		}
		g.works("take_snapshot", nil)
	})
	t.Run("closing works", func(t *testing.T) {
		g.freeze()
		g.works("close_page", object{"pageId": n})
		if text := g.works("list_pages", nil); strings.Contains(text, "frozen") {
			t.Errorf("list_pages: %s", text)
		}
	})
	t.Run("a page that freezes again and again", func(t *testing.T) {
		g.opened(base + "/frozen?again")
		g.eval("() => {setInterval(() => {for (;;) {}}, 10)}", nil)
		time.Sleep(500 * time.Millisecond)
		if text := g.works("navigate_page", object{"url": base + "/calm?healed"}); !strings.Contains(text, "Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
	})
	c.works()
}

func TestCrashedTab(t *testing.T) {
	base := pages(t, map[string]string{"/page": `<title>page</title><button>go</button>`, "/calm": calmPage})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	base2 := pages(t, map[string]string{"/frame": `<title>outer</title><button>outer</button><iframe src="` + other + `/page"></iframe>`})
	a := start(t)
	g := newDriver(t, a)
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
	t.Run("it can be closed", func(t *testing.T) {
		n := g.opened(base + "/page?close")
		crash(t, base+"/page?close")
		wait(t, "the crash to be known", func() bool { return strings.Contains(g.works("list_pages", nil), "[crashed]") })
		if text := g.works("close_page", object{"pageId": n}); strings.Contains(text, "?close") {
			t.Errorf("close_page: %s", text)
		}
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

func TestDialogs(t *testing.T) {
	base := pages(t, map[string]string{
		"/calm":   calmPage,
		"/loop":   `<title>loop</title><script>setTimeout(()=>{for(let i=0;;i++)alert('again '+i)},500)</script>`,
		"/later":  `<title>later</title><p>text</p><script>setTimeout(()=>{document.title=String(confirm('sure?'))},1500);</script>`,
		"/prompt": `<title>prompt</title><script>setTimeout(()=>{document.title=String(prompt('name?','x'.repeat(1e6)))},500)</script>`,
		"/unload": `<title>unload</title><button>go</button><script>addEventListener('beforeunload',e=>e.preventDefault())</script>`,
		"/long":   `<title>long</title><script>setTimeout(()=>alert('y'.repeat(5e6)),500)</script>`,
	})
	a := start(t)
	g := newDriver(t, a)
	c := newCalm(g, base)
	opens := func(t *testing.T, n int) string {
		t.Helper()
		var text string
		wait(t, "a dialog", func() bool {
			r := g.tool("take_snapshot", object{"pageId": n})
			text = r.Text
			return r.IsError && strings.Contains(r.Text, "dialog")
		})
		return text
	}
	t.Run("without end", func(t *testing.T) {
		n := g.opened(base + "/loop")
		opens(t, n)
		c.works()
		g.fails("dialog", "navigate_page", object{"pageId": n, "url": base + "/calm?away"})
		for i := range 5 {
			if text := g.works("handle_dialog", object{"pageId": n, "action": "accept"}); !strings.Contains(text, "again") {
				t.Errorf("the answer to dialog %d does not tell of the next: %s", i, text)
			}
		}
		c.works()
		if text := g.works("navigate_page", object{"pageId": n, "url": base + "/calm?away"}); !strings.Contains(text, "Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
		g.works("take_snapshot", object{"pageId": n})
		g.works("navigate_page", object{"pageId": n, "url": base + "/loop"})
		opens(t, n)
		g.works("close_page", object{"pageId": n})
	})
	t.Run("from a timer, while somebody waits", func(t *testing.T) {
		n := g.opened(base + "/later")
		if text := g.fails("dialog", "wait_for", object{"pageId": n, "text": []string{"never"}}); !strings.Contains(text, "sure?") {
			t.Errorf("wait_for: %s", text)
		}
		c.works()
		g.works("handle_dialog", object{"pageId": n, "action": "dismiss"})
		if title := g.eval("() => document.title", object{"pageId": n}); title != `"false"` {
			t.Errorf("the page got %s", title)
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("a prompt with a long value", func(t *testing.T) {
		n := g.opened(base + "/prompt")
		if text := opens(t, n); len(text) > 10_000 {
			t.Errorf("%d bytes of dialog", len(text))
		}
		g.works("handle_dialog", object{"pageId": n, "action": "accept", "promptText": "me"})
		if title := g.eval("() => document.title", object{"pageId": n}); title != `"me"` {
			t.Errorf("the page got %s", title)
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("a long message", func(t *testing.T) {
		n := g.opened(base + "/long")
		if text := opens(t, n); len(text) > 10_000 {
			t.Errorf("%d bytes of dialog", len(text))
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("before unload", func(t *testing.T) {
		n := g.opened(base + "/unload")
		g.works("click", object{"pageId": n, "uid": g.uid("button", "go", object{"pageId": n})})
		if text := g.works("navigate_page", object{"pageId": n, "url": base + "/calm?b", "handleBeforeUnload": "dismiss"}); !strings.Contains(text, "stayed") {
			t.Errorf("navigate_page: %s", text)
		}
		if text := g.works("navigate_page", object{"pageId": n, "url": base + "/calm?b"}); !strings.Contains(text, "Accepted a beforeunload dialog") {
			t.Errorf("navigate_page: %s", text)
		}
		g.works("navigate_page", object{"pageId": n, "url": base + "/unload"})
		g.works("click", object{"pageId": n, "uid": g.uid("button", "go", object{"pageId": n})})
		g.works("close_page", object{"pageId": n})
	})
	c.works()
}

func TestLargePages(t *testing.T) {
	base := pages(t, map[string]string{
		"/calm":   calmPage,
		"/many":   `<title>many</title><button>first</button><div id=all></div><script>let s='';for(let i=0;i<25000;i++)s+='<div><p>text '+i+'</p><a href="/x'+i+'">link '+i+'</a><span>z</span></div>';all.innerHTML=s</script>`,
		"/deep":   `<title>deep</title><body><script>let n=document.body;for(let i=0;i<2000;i++){const d=document.createElement('div');n.append(d);n=d}n.innerHTML='<button>bottom</button>'</script>`,
		"/abyss":  `<title>abyss</title><body><script>let n=document.body;for(let i=0;i<20000;i++){const d=document.createElement('div');n.append(d);n=d}</script>`,
		"/fast":   `<title>fast</title><div id=all></div><script>let k=0;const draw=()=>{all.innerHTML='<button onclick="hits.textContent=1+Number(hits.textContent)">press</button><p>'+(k++)+'</p>'};draw();setInterval(draw,16)</script><output id=hits>0</output>`,
		"/faster": `<title>faster</title><div id=all></div><script>let k=0;const draw=()=>{all.innerHTML='<button onclick="hits.textContent=1+Number(hits.textContent)">press</button><p>'+(k++)+'</p>'},c=new MessageChannel();c.port1.onmessage=()=>{draw();c.port2.postMessage(0)};c.port2.postMessage(0)</script><output id=hits>0</output>`,
		"/title":  `<script>document.title='t'.repeat(2e6)</script><p>` + "\u202e\u2066 bidi \u0000 \ufffd 𝔘𝔫𝔦 \u200b e\u0301" + `</p><button>go</button>`,
		"/log":    `<title>log</title><script>console.log('x'.repeat(` + fmt.Sprint(sized(50, 10)) + `e6));for(let i=0;i<` + fmt.Sprint(sized(100_000, 20_000)) + `;i++)console.log('m'+i);console.log({deep:{er:['a'.repeat(1e6)]}},'y'.repeat(1e6));console.error(new Error('e'.repeat(1e6)))</script>done`,
		"/reqs":   `<title>reqs</title><script>(async()=>{for(let i=0;i<` + fmt.Sprint(sized(5000, 1000)) + `;i+=50)await Promise.all(Array.from({length:50},(_,k)=>fetch('/small?'+(i+k)+'&'+'q'.repeat(3000),{method:'POST',body:'b'.repeat(5000)})));document.title='all'})()</script>`,
		"/small":  "ok",
	})
	a := start(t)
	g := newDriver(t, a)
	c := newCalm(g, base)
	keeper := a.keeper(1)
	before := pss(t, keeper)
	// most is what the keeper may grow by; the race detector multiplies what a program uses.
	const most = 1500
	fits := func(t *testing.T, what string) {
		t.Helper()
		now := pss(t, keeper)
		t.Logf("keeper after %s: %d MB (%d before)", what, now, before)
		if now > before+most {
			t.Errorf("the keeper has grown from %d to %d MB", before, now)
		}
	}
	bounded := func(t *testing.T, text string, most int) {
		t.Helper()
		if len(text) > most {
			t.Errorf("%d bytes of text", len(text))
		}
	}
	t.Run("a hundred thousand elements", func(t *testing.T) {
		n := g.opened(base + "/many")
		wait(t, "the page to be drawn", func() bool { return !g.tool("evaluate_script", object{"function": "() => 1"}).IsError })
		text := g.works("take_snapshot", nil)
		t.Logf("%d bytes by default", len(text))
		bounded(t, text, 200_000)
		small := g.works("take_snapshot", object{"maxTokens": 1000})
		t.Logf("%d bytes with maxTokens 1000", len(small))
		bounded(t, small, 10_000)
		if text := g.works("take_snapshot", object{"query": "link 24999"}); !strings.Contains(text, `link "link 24999"`) || strings.Contains(text, "were not searched") {
			t.Errorf("query of what a snapshot leaves out: %s", cut(text))
		}
		if text := g.works("take_snapshot", object{"query": "first"}); !strings.Contains(text, `"first"`) {
			t.Errorf("query: %s", cut(text))
		}
		uid := g.uid("button", "first", object{"query": "first"})
		bounded(t, g.works("take_snapshot", object{"uid": uid}), 2000)
		g.works("click", object{"uid": uid})
		g.eval("() => {document.querySelector('p').textContent='changed'}", nil)
		m := regexp.MustCompile(`(?i)snapshot (\d+)`).FindStringSubmatch(g.works("take_snapshot", object{"query": "first"}))
		if m != nil {
			bounded(t, g.works("take_snapshot", object{"since": m[1]}), 200_000)
		}
		c.works()
		g.works("close_page", object{"pageId": n})
		fits(t, "100,000 elements")
	})
	t.Run("nested deeply", func(t *testing.T) {
		n := g.opened(base + "/deep")
		if text := g.works("take_snapshot", nil); !strings.Contains(text, `"bottom"`) && !strings.Contains(text, "are missing here") {
			t.Errorf("take_snapshot: %s", cut(text))
		}
		g.works("close_page", object{"pageId": n})
		n = g.opened(base + "/abyss") // more than the browser itself can draw
		bounded(t, g.answers("take_snapshot", nil).Text, 200_000)
		g.answers("take_screenshot", nil)
		g.works("close_page", object{"pageId": n})
		c.works()
	})
	t.Run("drawn anew sixty times a second", func(t *testing.T) {
		n := g.opened(base + "/fast")
		uid := g.uid("button", "press", nil)
		worked := 0
		for range 20 {
			r := g.answers("click", object{"uid": uid})
			if !r.IsError {
				worked++
			} else if !strings.Contains(r.Text, "was pressed but not clicked") {
				t.Errorf("click: %s", cut(r.Text))
			}
		}
		if hits := g.eval("() => Number(hits.textContent)", nil); worked == 0 || hits != fmt.Sprint(worked) {
			t.Errorf("%d clicks said success, the page counted %s", worked, hits)
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("drawn anew all the time", func(t *testing.T) {
		n := g.opened(base + "/faster")
		uid := g.uid("button", "press", nil)
		worked := 0
		for range 10 {
			if r := g.answers("click", object{"uid": uid}); !r.IsError {
				worked++
			}
		}
		if hits := g.eval("() => Number(hits.textContent)", nil); hits != fmt.Sprint(worked) {
			t.Errorf("%d clicks said success, the page counted %s", worked, hits)
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("odd text", func(t *testing.T) {
		n := g.opened(base + "/title")
		bounded(t, g.works("list_pages", nil), 20_000)
		text := g.works("take_snapshot", nil)
		bounded(t, text, 20_000)
		if strings.ContainsAny(text, "\u202e\u2066") {
			t.Errorf("the snapshot turns the text around: %q", text)
		}
		g.works("close_page", object{"pageId": n})
	})
	t.Run("a loud console", func(t *testing.T) {
		n := g.opened(base + "/log")
		last := func() bool {
			return strings.Contains(g.works("list_console_messages", object{"types": []string{"error"}}), "eee")
		}
		// A hundred thousand messages are a lot for a program with the race detector.
		for deadline := time.Now().Add(4 * patience); !last(); time.Sleep(200 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatal("waited in vain for the last message")
			}
		}
		bounded(t, g.works("list_console_messages", nil), 200_000)
		bounded(t, g.works("list_console_messages", object{"pageSize": 5000, "includeStackTraces": true}), 2_000_000)
		m := regexp.MustCompile(`msgid=(\d+) \[error\]`).FindStringSubmatch(g.works("list_console_messages", object{"types": []string{"error"}}))
		bounded(t, g.works("get_console_message", object{"msgid": m[1]}), 100_000)
		c.works()
		g.works("close_page", object{"pageId": n})
		fits(t, "50 MB of console")
	})
	t.Run("five thousand requests", func(t *testing.T) {
		n := g.opened(base + "/reqs")
		g.answers("take_snapshot", object{"pageId": c.page}) // five thousand requests leave little of a small machine for hidden tabs
		wait(t, "the last request", func() bool { return strings.Contains(g.works("list_pages", nil), "all (") })
		c.works()
		bounded(t, g.works("list_network_requests", object{"pageId": n}), 200_000)
		bounded(t, g.works("list_network_requests", object{"pageId": n, "pageSize": 5000}), 2_000_000)
		g.works("close_page", object{"pageId": n})
		fits(t, "5,000 requests")
	})
	t.Run("odd results of scripts", func(t *testing.T) {
		n := g.opened(base + "/calm?scripts")
		for _, s := range []string{
			"() => 'x'.repeat(50e6)", "() => Array.from({length: 5e6}, (_, i) => i)", "() => {const a = {}; a.a = a; return a}", "() => {throw null}", "() => {throw 'words'}",
			"() => {throw new Proxy({}, {get() {throw 1}})}", "() => new Proxy({}, {get() {throw 1}, ownKeys() {throw 2}})", "() => {throw {toString() {throw 3}}}", "() => Promise.reject(undefined)",
			"() => Symbol('s')", "() => 10n", "() => document", "() => window", "() => NaN", "() => new Map([[1,2]])", "() => {let s = {}; for (let i = 0; i < 50000; i++) s = {s}; return s}", "((((", "() => {", "async () => {await 1; throw new Error('late')}",
		} {
			bounded(t, g.answers("evaluate_script", object{"function": s}).Text, 200_000)
		}
		r := g.answers("evaluate_script", object{"function": "() => new Promise(() => {})"})
		if !r.IsError {
			t.Errorf("a promise without end: %s", r.Text)
		}
		g.works("take_snapshot", nil)
		g.works("close_page", object{"pageId": n})
		fits(t, "50 MB of result")
	})
	c.works()
}

func TestHiddenTabsGivePictures(t *testing.T) {
	base := pages(t, map[string]string{"/calm": calmPage})
	a := start(t)
	g := newDriver(t, a)
	var numbers []int
	for i := range 4 {
		numbers = append(numbers, g.opened(fmt.Sprintf("%s/calm?%d", base, i)))
	}
	for i := range 5 {
		for _, n := range numbers {
			if r := g.tool("take_screenshot", object{"pageId": n, "fullPage": i == 4}); r.IsError || len(r.Images) != 1 {
				t.Errorf("page %d: %s", n, r.Text)
			}
		}
	}
}

// A PDF has no text in its page, so an agent is told where to look.
func TestAPDFIsNamed(t *testing.T) {
	base := host(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/bill.pdf" {
			_, _ = io.WriteString(w, `<!doctype html><title>Bills</title><h1>Your bill</h1><iframe src="/bill.pdf" title="Bill"></iframe>`)
			return
		}
		w.Header().Set("Content-Type", "application/pdf")
		_, _ = io.WriteString(w, "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"+
			"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj\ntrailer<</Root 1 0 R>>\n")
	}))
	g := newDriver(t, start(t))
	for _, path := range []string{"/bill.pdf", "/"} {
		g.works("navigate_page", object{"url": base + path})
		if text := g.works("take_snapshot", nil); !strings.Contains(text, `/bill.pdf"`) || !strings.Contains(text, "a PDF") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// The journal's picture after a step is taken beside the next one, and the browser sets the size again afterwards that the page had
// before it: an emulated size came back so.
func TestAnEmulatedSizeThatWasEndedDoesNotComeBack(t *testing.T) {
	base := pages(t, map[string]string{"/calm": calmPage})
	g := newDriver(t, start(t))
	g.works("navigate_page", object{"url": base + "/calm"})
	const size = "() => innerWidth + 'x' + innerHeight + 'x' + devicePixelRatio"
	usual := g.eval(size, nil)
	for i := range 10 {
		g.works("emulate", object{"viewport": "400x800x2,mobile,touch"})
		g.works("emulate", object{"userAgent": "UA/1"})
		if now := g.eval(size, nil); now != usual {
			t.Fatalf("round %d: the page has %s, not %s", i, now, usual)
		}
	}
	g.works("resize_page", object{"width": 700, "height": 500})
	for i := range 10 {
		g.works("take_screenshot", object{"fullPage": i%2 == 0})
		if now := g.eval(size, nil); now != `"700x500x1"` {
			t.Fatalf("round %d: the page has %s, not 700x500", i, now)
		}
	}
}
