//go:build e2e

package tools

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// page is one of the pages that a gate lists.
type page struct{ ID, URL, Title string }

// targets lists the pages behind the gate.
func targets(t *testing.T, port int) (all []page) {
	t.Helper()
	res, err := harness.Get(t, fmt.Sprintf("http://127.0.0.1:%d/json/list", port))
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
	g    *harness.Driver
	page int
	uid  string
}

func newCalm(g *harness.Driver, base string) *calmTab {
	g.T.Helper()
	c := &calmTab{g: g, page: g.Opened(base + "/calm")}
	c.uid = g.UID("button", "press", harness.Object{"pageId": c.page})
	return c
}

// works presses the page's button and reads it.
func (c *calmTab) works() {
	c.g.T.Helper()
	c.g.Works("click", harness.Object{"pageId": c.page, "uid": c.uid})
	if text := c.g.Works("take_snapshot", harness.Object{"pageId": c.page}); !strings.Contains(text, "pressed") {
		c.g.T.Errorf("the calm page says %s", text)
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
	a := harness.Start(t, harness.With("COVE_MEMORY_INTERVAL=1s"))
	g := harness.NewDriver(t, a)
	for i := range 3 { // what the first tabs leave in the keeper is no leak
		g.Works("close_page", harness.Object{"pageId": g.Opened(fmt.Sprintf("%s/tab/warm%d", base, i))})
	}
	before := a.MemStats(1)
	var numbers []int
	count := sized(100, 30)
	for i := range count {
		numbers = append(numbers, g.Opened(fmt.Sprintf("%s/tab/%d", base, i)))
	}
	if text := g.Works("list_pages", nil); strings.Count(text, base+"/tab/") != count {
		t.Errorf("list_pages: %s", text)
	}
	last := numbers[len(numbers)-1]
	g.Works("select_page", harness.Object{"pageId": numbers[0]})
	g.Works("take_snapshot", nil)
	g.Works("select_page", harness.Object{"pageId": last})
	g.Works("click", harness.Object{"uid": g.UID("button", "go", nil)})
	with := a.MemStats(1)
	for _, n := range numbers {
		g.Works("close_page", harness.Object{"pageId": n})
	}
	if text := g.Works("list_pages", nil); strings.Contains(text, base) {
		t.Errorf("list_pages: %s", text)
	}
	after := a.MemStats(1)
	t.Logf("the keeper has %s before, %s with %d tabs, %s after", before, with, count, after)
	if after.Goroutines > before.Goroutines+count/3 {
		t.Errorf("goroutines of closed tabs are left: %d before, %d after", before.Goroutines, after.Goroutines)
	}
	if with.Heap > 5*before.Heap || after.Heap > 3*before.Heap { // a list of what agents did stays
		t.Errorf("the heap of the keeper: %d bytes before, %d with the tabs, %d after", before.Heap, with.Heap,
			after.Heap)
	}
}

func TestFrozenTab(t *testing.T) {
	base := pages(t, map[string]string{"/frozen": `<title>frozen</title><button>go</button><input aria-label=field>`,
		"/calm": calmPage})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	c := newCalm(g, base)
	n := g.Opened(base + "/frozen")
	uid := g.UID("button", "go", nil)
	field := g.UID("textbox", "field", nil)
	g.Freeze("setTimeout")
	c.works()
	for _, call := range []struct {
		name string
		args harness.Object
	}{
		{"take_snapshot", nil}, {"click", harness.Object{"uid": uid}},
		{"fill", harness.Object{"uid": field, "value": "x"}},
		{"evaluate_script", harness.Object{"function": "() => 1"}},
		{"take_screenshot", nil}, {"press_key", harness.Object{"key": "Enter"}},
		{"type_text", harness.Object{"text": "abc"}}, {"hover", harness.Object{"uid": uid}},
		{"wait_for", harness.Object{"text": []string{"never"}, "timeout": 1000}},
		{"get_css_styles", harness.Object{"uid": uid}}, {"emulate", harness.Object{"colorScheme": "dark"}},
		{"resize_page", harness.Object{"width": 500, "height": 500}},
	} {
		began := time.Now()
		a := g.Answers(call.name, call.args)
		if !a.IsError {
			t.Errorf("%s of a frozen page says success: %s", call.name, a.Text)
		}
		if took := time.Since(began); took > harness.Patience/2 {
			t.Errorf("%s of a frozen page took %v", call.name, took)
		}
	}
	c.works()
	if text := g.Works("list_pages", nil); !strings.Contains(text, "frozen") {
		t.Errorf("list_pages: %s", text)
	}
	t.Run("navigating away heals it", func(t *testing.T) {
		if text := g.Works("navigate_page", harness.Object{"url": base + "/calm?healed"}); !strings.Contains(text,
			"Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
		g.Works("take_snapshot", nil)
	})
	t.Run("a reload heals it", func(t *testing.T) {
		g.Works("navigate_page", harness.Object{"url": base + "/frozen"})
		g.Freeze("setTimeout")
		if text := g.Works("navigate_page", harness.Object{"type": "reload"}); !strings.Contains(text,
			"Successfully reloaded") {
			t.Errorf("navigate_page: %s", text)
		}
		g.Works("take_snapshot", nil)
	})
	t.Run("closing works", func(t *testing.T) {
		g.Freeze("setTimeout")
		g.Works("close_page", harness.Object{"pageId": n})
		if text := g.Works("list_pages", nil); strings.Contains(text, "frozen") {
			t.Errorf("list_pages: %s", text)
		}
	})
	t.Run("a page that freezes again and again", func(t *testing.T) {
		g.Opened(base + "/frozen?again")
		g.Freeze("setInterval")
		if text := g.Works("navigate_page", harness.Object{"url": base + "/calm?healed"}); !strings.Contains(text,
			"Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
	})
	c.works()
}

func TestCrashedTab(t *testing.T) {
	base := pages(t, map[string]string{"/page": `<title>page</title><button>go</button>`, "/calm": calmPage})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	base2 := pages(t, map[string]string{"/frame": `<title>outer</title><button>outer</button><iframe src="` + other +
		`/page"></iframe>`})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	c := newCalm(g, base)
	n := g.Opened(base + "/page")
	uid := g.UID("button", "go", nil)
	crash := func(t *testing.T, part string) {
		t.Helper()
		b := attachTab(t, g.Port, target(t, g.Port, part))
		b.Conn.Start(b.Session, "Page.crash", nil)
	}
	pending := g.UnderWay("evaluate_script", harness.Object{"pageId": n, "function": "() => new Promise(() => {})"})
	crash(t, base+"/page")
	if r := pending.Tool(); !r.IsError || !strings.Contains(r.Text, "The page has crashed.") {
		t.Errorf("a pending call: %s", r.Text)
	}
	g.Fails("The page has crashed.", "take_snapshot", harness.Object{"pageId": n})
	g.Fails("The page has crashed.", "click", harness.Object{"pageId": n, "uid": uid})
	if text := g.Works("list_pages", nil); !strings.Contains(text, "[crashed]") {
		t.Errorf("list_pages: %s", text)
	}
	c.works()
	g.Works("navigate_page", harness.Object{"pageId": n, "type": "reload"})
	g.Works("click", harness.Object{"pageId": n, "uid": g.UID("button", "go", harness.Object{"pageId": n})})
	if text := g.Works("list_pages", nil); strings.Contains(text, "[crashed]") {
		t.Errorf("list_pages: %s", text)
	}
	t.Run("somebody else heals it", func(t *testing.T) {
		crash(t, base+"/page")
		harness.Wait(t, "the crash to be known",
			func() bool { return strings.Contains(g.Works("list_pages", nil), "[crashed]") })
		b := attachTab(t, g.Port, target(t, g.Port, base+"/page"))
		b.Conn.Start(b.Session, "Page.reload", nil)
		harness.Wait(t, "the page to be well",
			func() bool { return !g.Tool("take_snapshot", harness.Object{"pageId": n}).IsError })
	})
	t.Run("it can be closed", func(t *testing.T) {
		n := g.Opened(base + "/page?close")
		crash(t, base+"/page?close")
		harness.Wait(t, "the crash to be known",
			func() bool { return strings.Contains(g.Works("list_pages", nil), "[crashed]") })
		if text := g.Works("close_page", harness.Object{"pageId": n}); strings.Contains(text, "?close") {
			t.Errorf("close_page: %s", text)
		}
	})
	t.Run("a frame crashes", func(t *testing.T) {
		n := g.Opened(base2 + "/frame")
		if text := g.Works("take_snapshot", nil); !strings.Contains(text, `"go"`) {
			t.Fatalf("no frame in %s", text)
		}
		b := attachTab(t, g.Port, target(t, g.Port, base2+"/frame"))
		b.Call("Target.setAutoAttach", map[string]any{"autoAttach": true, "waitForDebuggerOnStart": false,
			"flatten": true}, nil)
		var inner struct {
			SessionID  string
			TargetInfo struct{ Type string }
		}
		for inner.TargetInfo.Type != "iframe" {
			if err := json.Unmarshal(b.Await("Target.attachedToTarget"), &inner); err != nil {
				t.Fatal(err)
			}
		}
		b.Conn.Start(inner.SessionID, "Page.crash", nil)
		harness.Wait(t, "the frame to be gone",
			func() bool { return !strings.Contains(g.Works("take_snapshot", harness.Object{"pageId": n}), `"go"`) })
		if text := g.Works("take_snapshot", harness.Object{"pageId": n}); !strings.Contains(text, `"outer"`) {
			t.Errorf("the page around it: %s", text)
		}
		if text := g.Works("list_pages", nil); strings.Contains(text, "[crashed]") {
			t.Errorf("list_pages: %s", text)
		}
	})
}

// attachTab attaches a client of its own to a page.
func attachTab(t *testing.T, port int, id string) *harness.Tab {
	t.Helper()
	b := harness.NewTab(t, port)
	var s struct{ SessionID string }
	mine := b.Session
	b.Session = ""
	b.Call("Target.attachToTarget", map[string]any{"targetId": id, "flatten": true}, &s)
	b.Session = mine
	b.Call("Page.close", nil, nil)
	b.Session = s.SessionID
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
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	c := newCalm(g, base)
	opens := func(t *testing.T, n int) string {
		t.Helper()
		var text string
		harness.Wait(t, "a dialog", func() bool {
			r := g.Tool("take_snapshot", harness.Object{"pageId": n})
			text = r.Text
			return r.IsError && strings.Contains(r.Text, "dialog")
		})
		return text
	}
	t.Run("without end", func(t *testing.T) {
		n := g.Opened(base + "/loop")
		opens(t, n)
		c.works()
		g.Fails("dialog", "navigate_page", harness.Object{"pageId": n, "url": base + "/calm?away"})
		for i := range 5 {
			if text := g.Works("handle_dialog",
				harness.Object{"pageId": n, "action": "accept"}); !strings.Contains(text, "again") {
				t.Errorf("the answer to dialog %d does not tell of the next: %s", i, text)
			}
		}
		c.works()
		if text := g.Works("navigate_page",
			harness.Object{"pageId": n,
				"url": base + "/calm?away"}); !strings.Contains(text, "Successfully navigated") {
			t.Errorf("navigate_page: %s", text)
		}
		g.Works("take_snapshot", harness.Object{"pageId": n})
		g.Works("navigate_page", harness.Object{"pageId": n, "url": base + "/loop"})
		opens(t, n)
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("from a timer, while somebody waits", func(t *testing.T) {
		n := g.Opened(base + "/later")
		if text := g.Fails("dialog", "wait_for",
			harness.Object{"pageId": n, "text": []string{"never"}}); !strings.Contains(text, "sure?") {
			t.Errorf("wait_for: %s", text)
		}
		c.works()
		g.Works("handle_dialog", harness.Object{"pageId": n, "action": "dismiss"})
		if title := g.Eval("() => document.title", harness.Object{"pageId": n}); title != `"false"` {
			t.Errorf("the page got %s", title)
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("a prompt with a long value", func(t *testing.T) {
		n := g.Opened(base + "/prompt")
		if text := opens(t, n); len(text) > 10_000 {
			t.Errorf("%d bytes of dialog", len(text))
		}
		g.Works("handle_dialog", harness.Object{"pageId": n, "action": "accept", "promptText": "me"})
		if title := g.Eval("() => document.title", harness.Object{"pageId": n}); title != `"me"` {
			t.Errorf("the page got %s", title)
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("a long message", func(t *testing.T) {
		n := g.Opened(base + "/long")
		if text := opens(t, n); len(text) > 10_000 {
			t.Errorf("%d bytes of dialog", len(text))
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("before unload", func(t *testing.T) {
		n := g.Opened(base + "/unload")
		g.Works("click", harness.Object{"pageId": n, "uid": g.UID("button", "go", harness.Object{"pageId": n})})
		if text := g.Works("navigate_page", harness.Object{"pageId": n, "url": base + "/calm?b",
			"handleBeforeUnload": "dismiss"}); !strings.Contains(text, "stayed") {
			t.Errorf("navigate_page: %s", text)
		}
		if text := g.Works("navigate_page",
			harness.Object{"pageId": n,
				"url": base + "/calm?b"}); !strings.Contains(text, "Accepted a beforeunload dialog") {
			t.Errorf("navigate_page: %s", text)
		}
		g.Works("navigate_page", harness.Object{"pageId": n, "url": base + "/unload"})
		g.Works("click", harness.Object{"pageId": n, "uid": g.UID("button", "go", harness.Object{"pageId": n})})
		g.Works("close_page", harness.Object{"pageId": n})
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
		"/title": `<script>document.title='t'.repeat(2e6)</script><p>` +
			"\u202e\u2066 bidi \u0000 \ufffd 𝔘𝔫𝔦 \u200b e\u0301" + `</p><button>go</button>`,
		"/log": `<title>log</title><script>console.log('x'.repeat(` + fmt.Sprint(sized(50, 10)) +
			`e6));for(let i=0;i<` + fmt.Sprint(sized(100_000, 20_000)) +
			`;i++)console.log('m'+i);console.log({deep:{er:['a'.repeat(1e6)]}},'y'.repeat(1e6));console.error(new Error('e'.repeat(1e6)))</script>done`,
		"/reqs": `<title>reqs</title><script>(async()=>{for(let i=0;i<` + fmt.Sprint(sized(5000, 1000)) +
			`;i+=50)await Promise.all(Array.from({length:50},(_,k)=>fetch('/small?'+(i+k)+'&'+'q'.repeat(3000),{method:'POST',body:'b'.repeat(5000)})));document.title='all'})()</script>`,
		"/small": "ok",
	})
	a := harness.Start(t, harness.With("COVE_MEMORY_INTERVAL=1s"))
	g := harness.NewDriver(t, a)
	c := newCalm(g, base)
	before := a.MemStats(1)
	// fits checks that what the keeper holds of a page goes with the page. The pages here have many megabytes.
	fits := func(t *testing.T, what string) {
		t.Helper()
		now := before
		if !harness.Poll(harness.Patience, func() bool { now = a.MemStats(1); return now.Heap < 24*before.Heap }) {
			t.Errorf("the heap of the keeper has grown from %d to %d bytes", before.Heap, now.Heap)
		}
		t.Logf("the keeper after %s: %s (before: %s)", what, now, before)
	}
	bounded := func(t *testing.T, text string, most int) {
		t.Helper()
		if len(text) > most {
			t.Errorf("%d bytes of text", len(text))
		}
	}
	t.Run("a hundred thousand elements", func(t *testing.T) {
		n := g.Opened(base + "/many")
		harness.Wait(t, "the page to be drawn",
			func() bool { return !g.Tool("evaluate_script", harness.Object{"function": "() => 1"}).IsError })
		text := g.Works("take_snapshot", nil)
		t.Logf("%d bytes by default", len(text))
		bounded(t, text, 200_000)
		small := g.Works("take_snapshot", harness.Object{"maxTokens": 1000})
		t.Logf("%d bytes with maxTokens 1000", len(small))
		bounded(t, small, 10_000)
		// A slow machine says so.
		if text := g.Works("take_snapshot", harness.Object{"query": "link 24999"}); !strings.Contains(text,
			`link "link 24999"`) && !strings.Contains(text, "were not searched") {
			t.Errorf("query of what a snapshot leaves out: %s", harness.Cut(text))
		}
		if text := g.Works("take_snapshot", harness.Object{"query": "first"}); !strings.Contains(text, `"first"`) {
			t.Errorf("query: %s", harness.Cut(text))
		}
		uid := g.UID("button", "first", harness.Object{"query": "first"})
		bounded(t, g.Works("take_snapshot", harness.Object{"uid": uid}), 2000)
		g.Works("click", harness.Object{"uid": uid})
		g.Eval("() => {document.querySelector('p').textContent='changed'}", nil)
		m := regexp.MustCompile(`(?i)snapshot (\d+)`).FindStringSubmatch(g.Works("take_snapshot",
			harness.Object{"query": "first"}))
		if m != nil {
			bounded(t, g.Works("take_snapshot", harness.Object{"since": m[1]}), 200_000)
		}
		c.works()
		g.Works("close_page", harness.Object{"pageId": n})
		fits(t, "100,000 elements")
	})
	t.Run("nested deeply", func(t *testing.T) {
		n := g.Opened(base + "/deep")
		if text := g.Works("take_snapshot", nil); !strings.Contains(text, `"bottom"`) &&
			!strings.Contains(text, "are missing here") {
			t.Errorf("take_snapshot: %s", harness.Cut(text))
		}
		g.Works("close_page", harness.Object{"pageId": n})
		n = g.Opened(base + "/abyss") // more than the browser itself can draw
		bounded(t, g.Answers("take_snapshot", nil).Text, 200_000)
		g.Answers("take_screenshot", nil)
		g.Works("close_page", harness.Object{"pageId": n})
		c.works()
	})
	t.Run("drawn anew sixty times a second", func(t *testing.T) {
		n := g.Opened(base + "/fast")
		uid := g.UID("button", "press", nil)
		worked := 0
		for range 20 {
			r := g.Answers("click", harness.Object{"uid": uid})
			if !r.IsError {
				worked++
			} else if !strings.Contains(r.Text, "was pressed but not clicked") {
				t.Errorf("click: %s", harness.Cut(r.Text))
			}
		}
		if hits := g.Eval("() => Number(hits.textContent)", nil); worked == 0 || hits != fmt.Sprint(worked) {
			t.Errorf("%d clicks said success, the page counted %s", worked, hits)
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("drawn anew all the time", func(t *testing.T) {
		n := g.Opened(base + "/faster")
		uid := g.UID("button", "press", nil)
		worked := 0
		for range 10 {
			if r := g.Answers("click", harness.Object{"uid": uid}); !r.IsError {
				worked++
			}
		}
		if hits := g.Eval("() => Number(hits.textContent)", nil); hits != fmt.Sprint(worked) {
			t.Errorf("%d clicks said success, the page counted %s", worked, hits)
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("odd text", func(t *testing.T) {
		n := g.Opened(base + "/title")
		bounded(t, g.Works("list_pages", nil), 20_000)
		text := g.Works("take_snapshot", nil)
		bounded(t, text, 20_000)
		if strings.ContainsAny(text, "\u202e\u2066") {
			t.Errorf("the snapshot turns the text around: %q", text)
		}
		g.Works("close_page", harness.Object{"pageId": n})
	})
	t.Run("a loud console", func(t *testing.T) {
		n := g.Opened(base + "/log")
		last := func() bool {
			return strings.Contains(g.Works("list_console_messages", harness.Object{"types": []string{"error"}}), "eee")
		}
		// A hundred thousand messages are a lot for a program with the race detector.
		harness.WaitLong(t, 4*harness.Patience, "the last message", last)
		bounded(t, g.Works("list_console_messages", nil), 200_000)
		bounded(t, g.Works("list_console_messages", harness.Object{"pageSize": 5000, "includeStackTraces": true}),
			2_000_000)
		m := regexp.MustCompile(`msgid=(\d+) \[error\]`).FindStringSubmatch(g.Works("list_console_messages",
			harness.Object{"types": []string{"error"}}))
		bounded(t, g.Works("get_console_message", harness.Object{"msgid": m[1]}), 100_000)
		c.works()
		g.Works("close_page", harness.Object{"pageId": n})
		fits(t, "50 MB of console")
	})
	t.Run("five thousand requests", func(t *testing.T) {
		n := g.Opened(base + "/reqs")
		// Five thousand requests leave little of a small machine for hidden tabs.
		g.Answers("take_snapshot", harness.Object{"pageId": c.page})
		harness.Wait(t, "the last request",
			func() bool { return strings.Contains(g.Works("list_pages", nil), "all (") })
		c.works()
		bounded(t, g.Works("list_network_requests", harness.Object{"pageId": n}), 200_000)
		bounded(t, g.Works("list_network_requests", harness.Object{"pageId": n, "pageSize": 5000}), 2_000_000)
		g.Works("close_page", harness.Object{"pageId": n})
		fits(t, "5,000 requests")
	})
	t.Run("odd results of scripts", func(t *testing.T) {
		n := g.Opened(base + "/calm?scripts")
		for _, s := range []string{
			fmt.Sprintf("() => 'x'.repeat(%de6)", sized(50, 10)),
			fmt.Sprintf("() => Array.from({length: %de6}, (_, i) => i)", sized(5, 1)),
			"() => {const a = {}; a.a = a; return a}", "() => {throw null}", "() => {throw 'words'}",
			"() => {throw new Proxy({}, {get() {throw 1}})}",
			"() => new Proxy({}, {get() {throw 1}, ownKeys() {throw 2}})", "() => {throw {toString() {throw 3}}}",
			"() => Promise.reject(undefined)",
			"() => Symbol('s')", "() => 10n", "() => document", "() => window", "() => NaN", "() => new Map([[1,2]])",
			"() => {let s = {}; for (let i = 0; i < 50000; i++) s = {s}; return s}", "((((", "() => {",
			"async () => {await 1; throw new Error('late')}",
		} {
			bounded(t, g.Answers("evaluate_script", harness.Object{"function": s}).Text, 200_000)
		}
		r := g.Answers("evaluate_script", harness.Object{"function": "() => new Promise(() => {})"})
		if !r.IsError {
			t.Errorf("a promise without end: %s", r.Text)
		}
		g.Works("take_snapshot", nil)
		g.Works("close_page", harness.Object{"pageId": n})
		fits(t, "large results")
	})
	c.works()
}

func TestHiddenTabsGivePictures(t *testing.T) {
	base := pages(t, map[string]string{"/calm": calmPage})
	a := harness.Start(t)
	g := harness.NewDriver(t, a)
	var numbers []int
	for i := range 4 {
		numbers = append(numbers, g.Opened(fmt.Sprintf("%s/calm?%d", base, i)))
	}
	for i := range 5 {
		for _, n := range numbers {
			if r := g.Tool("take_screenshot", harness.Object{"pageId": n, "fullPage": i == 4}); r.IsError ||
				len(r.Images) != 1 {
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
	g := harness.NewDriver(t, harness.Start(t))
	for _, path := range []string{"/bill.pdf", "/"} {
		g.Works("navigate_page", harness.Object{"url": base + path})
		text := ""
		harness.Wait(t, "the PDF at "+path+" to be named", func() bool { // while its frame begins, it does not answer
			text = g.Works("take_snapshot", nil)
			return !strings.Contains(text, "this frame does not answer")
		})
		if !strings.Contains(text, `/bill.pdf"`) || !strings.Contains(text, "a PDF") {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// The journal's picture after a step is taken beside the next one, and the browser sets the size again afterwards that
// the page had before it: an emulated size came back so.
func TestAnEmulatedSizeThatWasEndedDoesNotComeBack(t *testing.T) {
	base := pages(t, map[string]string{"/calm": calmPage})
	g := harness.NewDriver(t, harness.Start(t))
	g.Works("navigate_page", harness.Object{"url": base + "/calm"})
	const size = "() => innerWidth + 'x' + innerHeight + 'x' + devicePixelRatio"
	usual := g.Eval(size, nil)
	for i := range 10 {
		g.Works("emulate", harness.Object{"viewport": "400x800x2,mobile,touch"})
		g.Works("emulate", harness.Object{"userAgent": "UA/1"})
		if now := g.Eval(size, nil); now != usual {
			t.Fatalf("round %d: the page has %s, not %s", i, now, usual)
		}
	}
	g.Works("resize_page", harness.Object{"width": 700, "height": 500})
	for i := range 10 {
		g.Works("take_screenshot", harness.Object{"fullPage": i%2 == 0})
		if now := g.Eval(size, nil); now != `"700x500x1"` {
			t.Fatalf("round %d: the page has %s, not 700x500", i, now)
		}
	}
}
