//go:build e2e

package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"cove/e2e/harness"
	"cove/internal/cdp"
)

// These are the facts of the browser's WebMCP that Cove relies on, one by one. When a new browser behaves otherwise,
// the test that fails here says in what.

// protocol is a program on the debugging port that keeps every event.
type protocol struct {
	t    *testing.T
	conn *cdp.Conn
	base string

	mu     sync.Mutex
	events []cdp.Event
	heard  []string // all messages
}

func newProtocol(t *testing.T, a *harness.App, base string) *protocol {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), a.Socket(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	p := &protocol{t: t, base: base}
	ctx := context.WithoutCancel(t.Context())
	p.conn = cdp.NewConn(func(raw []byte) error { return ws.Write(ctx, websocket.MessageText, raw) },
		func(e cdp.Event) {
			p.mu.Lock()
			defer p.mu.Unlock()
			e.Params = append(json.RawMessage(nil), e.Params...)
			p.events = append(p.events, e)
		})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			_, raw, err := ws.Read(ctx)
			if err != nil {
				return
			}
			p.mu.Lock()
			p.heard = append(p.heard, string(raw))
			p.mu.Unlock()
			p.conn.Receive(raw)
		}
	}()
	t.Cleanup(func() { _ = ws.CloseNow(); <-done })
	return p
}

// fails sends a command and returns its error as text; "" when it worked.
func (p *protocol) fails(session, method string, params, result any) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), harness.Patience)
	defer cancel()
	if err := p.conn.Call(ctx, session, method, params, result); err != nil {
		return err.Error()
	}
	return ""
}

func (p *protocol) must(session, method string, params, result any) {
	p.t.Helper()
	if err := p.fails(session, method, params, result); err != "" {
		p.t.Fatal(err)
	}
}

// shown is a page that a test has opened, with the domain enabled.
type shown struct {
	*protocol
	id, session string
}

// open opens a page and waits until it is loaded.
func (p *protocol) open(path string) *shown {
	p.t.Helper()
	var made struct{ TargetID string }
	p.must("", "Target.createTarget", harness.Object{"url": "about:blank"}, &made)
	d := &shown{p, made.TargetID, p.attach(made.TargetID)}
	p.must(d.session, "Page.enable", nil, nil)
	p.must(d.session, "WebMCP.enable", nil, nil)
	d.visit(path)
	return d
}

func (p *protocol) attach(target string) string {
	p.t.Helper()
	var s struct{ SessionID string }
	p.must("", "Target.attachToTarget", harness.Object{"targetId": target, "flatten": true}, &s)
	return s.SessionID
}

func (d *shown) visit(path string) {
	d.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = d.base + path
	}
	from := d.count()
	d.must(d.session, "Page.navigate", harness.Object{"url": path}, nil)
	d.await(from, "Page.loadEventFired", "")
}

func (p *protocol) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.events)
}

// since returns the events from one on, of a method and with a text in them.
func (p *protocol) since(from int, method, text string) (found []cdp.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.events[from:] {
		if e.Method == method && strings.Contains(string(e.Params), text) {
			found = append(found, e)
		}
	}
	return found
}

func (p *protocol) await(from int, method, text string) cdp.Event {
	p.t.Helper()
	harness.Wait(p.t, method+" "+text, func() bool { return len(p.since(from, method, text)) > 0 })
	return p.since(from, method, text)[0]
}

// answer is what a tool has answered.
type answer struct {
	Status, ErrorText string
	Output            json.RawMessage
	Exception         struct{ Description string }
}

// invoke calls a tool of the page and returns the id.
func (d *shown) invoke(name string, input any) string {
	d.t.Helper()
	var r struct{ InvocationID string }
	d.must(d.session, "WebMCP.invokeTool", harness.Object{"frameId": d.id, "toolName": name, "input": input}, &r)
	return r.InvocationID
}

// answers calls a tool of the page and waits for the answer.
func (d *shown) answers(name string, input any) (a answer) {
	d.t.Helper()
	from := d.count()
	id := d.invoke(name, input)
	if err := json.Unmarshal(d.await(from, "WebMCP.toolResponded", id).Params, &a); err != nil {
		d.t.Fatal(err)
	}
	return a
}

func (d *shown) eval(expression string) string {
	d.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	d.must(d.session, "Runtime.evaluate",
		harness.Object{"expression": expression, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		return r.ExceptionDetails.Exception.Description
	}
	return fmt.Sprint(r.Result.Value)
}

// names lists the tools that the browser tells to a session which enables the domain.
func (p *protocol) names(target string) (all []string) {
	p.t.Helper()
	from, session := p.count(), p.attach(target)
	p.must(session, "WebMCP.enable", nil, nil)
	for _, e := range p.since(from, "WebMCP.toolsAdded", "") {
		if e.Session != session {
			continue
		}
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(e.Params, &list); err != nil {
			p.t.Fatal(err)
		}
		for _, one := range list.Tools {
			all = append(all, one.Name)
		}
	}
	p.must("", "Target.detachFromTarget", harness.Object{"sessionId": session}, nil)
	return all
}

const scriptTools = `<h1>tools</h1><script>
const tool = (name, execute, more, options) =>
  document.modelContext.registerTool({name, description: 'does ' + name, execute, ...more}, options)
tool('add', input => ({sum: input.a + input.b}), {
  inputSchema: {type: 'object', properties: {a: {type: 'number'}, b: {type: 'number'}}, required: ['a', 'b']},
  annotations: {readOnlyHint: true, untrustedContentHint: true}})
tool('throws', () => { throw new Error('no way') })
tool('nothing', () => undefined)
tool('text', () => 'hello')
tool('circle', () => { const a = {}; a.a = a; return a })
tool('long', () => 'x'.repeat(3e6))
tool('waits', (input, {signal}) => new Promise(() => signal.addEventListener('abort', () => { window.aborted = true })))
tool('leaves', () => { location.href = '/data'; return new Promise(() => {}) })
tool('leavesAtOnce', () => { location.href = '/next'; return 'first' })
tool('reloads', () => { location.reload(); return new Promise(() => {}) })
tool('asks', () => { alert('well?'); return 5 })
window.one = new AbortController()
tool('exchanged', () => 1, {}, {signal: one.signal})
</script>`

const formTools = `<h1>forms</h1>
<form toolname="login" tooldescription="Log in" action="/next">
<input name="user" required toolparamdescription="who"><input type="password" name="pass"><input type="hidden" name="h">
<input type="file" name="f"><select name="c"><option>a<option>b</select><button id="send">Send</button></form>
<form toolname="search" tooldescription="Search" toolautosubmit action="/data"><input name="q"></form>
<form toolname="replies" tooldescription="Replies" toolautosubmit onsubmit="event.preventDefault()
  window.seen = [event.agentInvoked, navigator.userActivation.isActive]; event.respondWith(Promise.resolve('thanks'))">
<input name="q"></form>
<form toolname="mute" tooldescription="Mute" toolautosubmit onsubmit="event.preventDefault()"><input name="q"></form>`

func toolPages(t *testing.T) string {
	return pages(t, map[string]string{
		"/":      scriptTools,
		"/forms": formTools,
		"/next":  `<h1>next</h1><script>document.modelContext.registerTool({name: 'next', description: 'x', execute: () => 1})</script>`,
		"/data":  `<script type="application/ld+json">{"@type": "Thing", "n": 1}</script>`,
		"/many": `<script>for (let i = 0; i < 2000; i++) document.modelContext.registerTool(
{name: 't' + i, description: 'd'.repeat(i ? 10 : 200000), execute: () => i})</script>`,
		"/sandbox": `<iframe src="/next"></iframe><iframe srcdoc="<script>document.modelContext.registerTool(
{name: 'inner', description: 'x', execute: () => 1})</script>"></iframe><iframe sandbox="allow-scripts" srcdoc="<script>
document.modelContext.registerTool({name: 'boxed', description: 'x', execute: () => 1})</script>"></iframe>`,
	})
}

func TestFactsOfPageTools(t *testing.T) {
	base, a := toolPages(t), harness.Start(t)
	a.Open(1)
	p := newProtocol(t, a, base)

	t.Run("the API is in secure documents of browsers that agents drive", func(t *testing.T) {
		d := p.open("/next")
		if got := d.eval("typeof document.modelContext + typeof navigator.modelContext"); got != "objectundefined" {
			t.Error(got)
		}
		d.must(d.session, "Page.navigate", harness.Object{"url": "data:text/html,x"}, nil)
		harness.Wait(t, "no API", func() bool { return d.eval("typeof document.modelContext") == "undefined" })
	})

	t.Run("enable tells all tools, and again when it is sent again", func(t *testing.T) {
		d := p.open("/")
		if got := p.names(d.id); len(got) != 12 {
			t.Errorf("a new session hears of %v", got)
		}
		from := p.count()
		d.must(d.session, "WebMCP.enable", nil, nil)
		if again := p.since(from, "WebMCP.toolsAdded", `"exchanged"`); len(again) != 1 {
			t.Errorf("told %d times", len(again))
		}
		first := string(p.await(0, "WebMCP.toolsAdded", `"add"`).Params)
		says(t, first, `"readOnly":true`, `"untrustedContent":true`, `"consequential":false`, `"debugging":false`,
			`"required":["a","b"]`, `"frameId":"`+d.id+`"`, `!"backendNodeId"`)
	})

	t.Run("a session that has not enabled the domain cannot call", func(t *testing.T) {
		d := p.open("/")
		session := p.attach(d.id)
		says(t, p.fails(session, "WebMCP.invokeTool",
			harness.Object{"frameId": d.id, "toolName": "text", "input": harness.Object{}}, nil), "not enabled")
	})

	t.Run("what scripts answer", func(t *testing.T) {
		d := p.open("/")
		for _, c := range []struct{ name, status, output, says string }{
			{"add", "Completed", `{"sum":3}`, ""},
			{"text", "Completed", `"hello"`, ""},
			{"nothing", "Completed", `"undefined"`, ""},
			{"throws", "Error", "", "Error: no way\n    at "},
			{"circle", "Error", "", "circular"},
		} {
			got := d.answers(c.name, harness.Object{"a": 1, "b": 2})
			if got.Status != c.status || string(got.Output) != c.output ||
				!strings.Contains(got.Exception.Description, c.says) {
				t.Errorf("%s: %+v", c.name, got)
			}
		}
		if got := d.answers("add", harness.Object{"a": 1}); got.Status != "Completed" {
			t.Errorf("input that the schema does not allow is checked by now: %+v", got)
		}
		if got := d.answers("long", harness.Object{}); len(got.Output) < 3e6 {
			t.Errorf("%d bytes", len(got.Output))
		}
		params := harness.Object{"frameId": d.id, "toolName": "nobody", "input": harness.Object{}}
		says(t, p.fails(d.session, "WebMCP.invokeTool", params, nil), "Tool not found")
		params["toolName"], params["input"] = "text", []int{1}
		says(t, p.fails(d.session, "WebMCP.invokeTool", params, nil), "Invalid parameters")
	})

	t.Run("the id of a call is told first, then that it has begun, then what it answers", func(t *testing.T) {
		d := p.open("/")
		other := p.attach(d.id)
		p.must(other, "WebMCP.enable", nil, nil)
		from := p.count()
		id := d.invoke("text", harness.Object{"z": 1})
		harness.Wait(t, "both to hear it", func() bool { return len(p.since(from, "WebMCP.toolResponded", id)) == 2 })
		told := p.since(from, "WebMCP.toolInvoked", id)
		if len(told) != 2 || !strings.Contains(string(told[0].Params), `"input":"{\"z\":1}"`) {
			t.Errorf("told: %v", told)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		first := slices.IndexFunc(p.heard, func(raw string) bool { return strings.Contains(raw, id) })
		if !strings.Contains(p.heard[first], `"result"`) {
			t.Errorf("told first: %s", p.heard[first])
		}
	})

	t.Run("a cancelled call", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		id := d.invoke("waits", harness.Object{})
		other := p.attach(d.id)
		p.must(other, "WebMCP.enable", nil, nil)
		p.must(other, "WebMCP.cancelInvocation", harness.Object{"invocationId": id}, nil) // any session can
		says(t, string(p.await(from, "WebMCP.toolResponded", id).Params), `"Canceled"`)
		harness.Wait(t, "the signal", func() bool { return d.eval("window.aborted") == "true" })
	})

	t.Run("every session that has enabled the domain hears every call", func(t *testing.T) {
		d := p.open("/")
		other := p.attach(d.id)
		p.must(other, "WebMCP.enable", nil, nil)
		from := p.count()
		id := d.invoke("text", harness.Object{"mine": "only"})
		harness.Wait(t, "both to hear it", func() bool { return len(p.since(from, "WebMCP.toolResponded", id)) == 2 })
		if told := p.since(from, "WebMCP.toolInvoked", "mine"); len(told) != 2 {
			t.Errorf("told: %v", told)
		}
	})

	t.Run("names are bounded and unique, nothing else is", func(t *testing.T) {
		d := p.open("/")
		register := func(name string) string {
			return d.eval(`document.modelContext.registerTool({name: '` + name + `', description: 'x', execute: () => 1})`)
		}
		says(t, d.eval(`document.modelContext.registerTool({name: 'bare', description: '', execute: () => 1})`), "Invalid")
		says(t, register("text"), "Duplicate tool name")
		says(t, register("a b"), "Invalid tool name")
		says(t, register(strings.Repeat("a", 129)), "Invalid tool name")
		says(t, register(strings.Repeat("a", 128)), "!Invalid")
		if got := p.names(p.open("/many").id); len(got) != 2000 {
			t.Errorf("%d tools", len(got))
		}
	})

	t.Run("an exchanged definition is removed and added", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		d.eval(`one.abort(); tool('exchanged', () => 2, {description: 'another'})`)
		p.await(from, "WebMCP.toolsRemoved", `"exchanged"`)
		p.await(from, "WebMCP.toolsAdded", `"another"`)
	})
}

func TestFactsOfPageToolsAndNavigation(t *testing.T) {
	base, a := toolPages(t), harness.Start(t)
	a.Open(1)
	p := newProtocol(t, a, base)

	t.Run("a navigation removes no tools, and the new ones come after it", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		d.visit("/next")
		p.await(from, "WebMCP.toolsAdded", `"next"`)
		if removed := p.since(from, "WebMCP.toolsRemoved", ""); len(removed) > 0 {
			t.Errorf("by now it does: %v", removed)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.events[from:] {
			if e.Method == "Page.frameNavigated" {
				return
			}
			if e.Method == "WebMCP.toolsAdded" {
				t.Fatal("tools came before the navigation")
			}
		}
	})

	t.Run("tools of a document that comes back are told before its navigation", func(t *testing.T) {
		d := p.open("/next")
		d.visit("/data")
		from := p.count()
		d.eval("history.back()")
		p.await(from, "Page.frameNavigated", "BackForwardCacheRestore")
		p.mu.Lock()
		defer p.mu.Unlock()
		for _, e := range p.events[from:] {
			if e.Method == "WebMCP.toolsAdded" {
				return
			}
			if e.Method == "Page.frameNavigated" {
				t.Fatal("by now they come after it: nobody needs to ask for them again")
			}
		}
	})

	t.Run("a tool that navigates answers with what the next document says", func(t *testing.T) {
		d := p.open("/")
		if got := d.answers("leaves", harness.Object{}); got.Status != "Completed" ||
			string(got.Output) != `[{"@type":"Thing","n":1}]` {
			t.Errorf("%+v", got)
		}
		d.visit("/")
		if got := d.answers("reloads", harness.Object{}); string(got.Output) != `[]` {
			t.Errorf("one that reloads: %+v", got)
		}
	})

	t.Run("one that has answered before answers twice", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		id := d.invoke("leavesAtOnce", harness.Object{})
		harness.Wait(t, "two answers", func() bool { return len(p.since(from, "WebMCP.toolResponded", id)) == 2 })
		both := p.since(from, "WebMCP.toolResponded", id)
		says(t, string(both[0].Params), `"first"`)
		says(t, string(both[1].Params), `"output":[]`)
	})

	t.Run("a reload during a call leaves it without an answer", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		id := d.invoke("waits", harness.Object{})
		d.must(d.session, "Page.reload", nil, nil)
		p.await(from, "Page.loadEventFired", "")
		says(t, p.fails(d.session, "WebMCP.cancelInvocation", harness.Object{"invocationId": id}, nil),
			"No pending execution")
		if got := d.answers("text", harness.Object{}); got.Status != "Completed" { // it came after all that there was
			t.Errorf("%+v", got)
		}
		if late := p.since(from, "WebMCP.toolResponded", id); len(late) > 0 {
			t.Errorf("by now it is answered: %s", late[0].Params)
		}
	})

	t.Run("a dialog holds up the answer, not the id", func(t *testing.T) {
		d := p.open("/")
		from := p.count()
		id := d.invoke("asks", harness.Object{})
		p.await(from, "Page.javascriptDialogOpening", "well?")
		d.must(d.session, "Page.handleJavaScriptDialog", harness.Object{"accept": true}, nil)
		says(t, string(p.await(from, "WebMCP.toolResponded", id).Params), `"output":5`)
	})
}

func TestFactsOfFormsAndFrames(t *testing.T) {
	base, a := toolPages(t), harness.Start(t)
	a.Open(1)
	p := newProtocol(t, a, base)

	t.Run("the schema of a form", func(t *testing.T) {
		var told string
		from := 0
		for range 5 { // on a slow computer the parser may rest in the middle of the form; see below
			from = p.count()
			p.open("/forms")
			told = string(p.await(from, "WebMCP.toolsAdded", `"login"`).Params)
			if strings.Contains(told, `"enum":["a","b"]`) {
				break
			}
		}
		says(t, told, `"user":{"type":"string","description":"who"}`, `"pass":{"type":"string"}`, `"enum":["a","b"]`,
			`"required":["user"]`, `"backendNodeId"`, `!"h":`, `!"f":`, `!"autosubmit"`)
		says(t, string(p.await(from, "WebMCP.toolsAdded", `"search"`).Params), `"autosubmit":true`)
	})

	t.Run("a form that comes in parts keeps the schema of its first part", func(t *testing.T) {
		more := make(chan struct{})
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<h1>parts</h1><form toolname="parts" tooldescription="x"><select name="c">`+
				strings.Repeat(" ", 4096))
			_ = http.NewResponseController(w).Flush()
			<-more
			_, _ = io.WriteString(w, `<option>a<option>b</select></form>`)
		}))
		send := sync.OnceFunc(func() { close(more) })
		t.Cleanup(web.Close)
		t.Cleanup(send) // web.Close waits for the answer
		d := p.open("/next")
		from := p.count()
		d.must(d.session, "Page.navigate", harness.Object{"url": web.URL}, nil)
		says(t, string(p.await(from, "WebMCP.toolsAdded", `"parts"`).Params), `"enum":[]`)
		send()
		p.await(from, "Page.loadEventFired", "")
		from = p.count()
		d.must(d.session, "WebMCP.disable", nil, nil)
		d.must(d.session, "WebMCP.enable", nil, nil)
		says(t, string(p.await(from, "WebMCP.toolsAdded", `"parts"`).Params), `"enum":[]`)
	})

	t.Run("a form without toolautosubmit waits for its button", func(t *testing.T) {
		d := p.open("/forms")
		from := p.count()
		first := d.invoke("login", harness.Object{"user": "ada", "pass": "pw"})
		id := d.invoke("login", harness.Object{"user": "eve", "pass": "pw", "c": "b"})
		harness.Wait(t, "the form to be filled", func() bool {
			return d.eval(`document.activeElement.id + document.querySelector('[name=user]').value`) == "sendeve"
		})
		if early := p.since(from, "WebMCP.toolResponded", ""); len(early) > 0 {
			t.Errorf("answered: %s", early[0].Params)
		}
		d.eval(`document.getElementById('send').click()`)
		says(t, string(p.await(from, "WebMCP.toolResponded", id).Params), `"output":[]`)
		if got := p.since(from, "WebMCP.toolResponded", first); len(got) > 0 {
			t.Errorf("the call before it is answered, too: %s", got[0].Params)
		}
	})

	t.Run("a call of a form that is cancelled before the form is called again", func(t *testing.T) {
		d := p.open("/forms")
		from := p.count()
		first := d.invoke("login", harness.Object{"user": "ada"})
		d.must(d.session, "WebMCP.cancelInvocation", harness.Object{"invocationId": first}, nil) // later, the page crashes
		id := d.invoke("login", harness.Object{"user": "eve"})
		says(t, string(p.await(from, "WebMCP.toolResponded", first).Params), `"Canceled"`)
		d.eval(`document.getElementById('send').click()`)
		says(t, string(p.await(from, "WebMCP.toolResponded", id).Params), `"output":[]`)
	})

	t.Run("values of forms are checked", func(t *testing.T) {
		d := p.open("/forms")
		if got := d.answers("login", harness.Object{"user": "ada", "c": "z"}); got.Status != "Error" ||
			!strings.Contains(got.ErrorText, "Invalid value") {
			t.Errorf("%+v", got)
		}
	})

	t.Run("what a submit handler does", func(t *testing.T) {
		d := p.open("/forms")
		if got := d.answers("replies", harness.Object{"q": "x"}); string(got.Output) != `"thanks"` {
			t.Errorf("%+v", got)
		}
		if got := d.eval("JSON.stringify(window.seen)"); got != "[true,false]" {
			t.Errorf("agentInvoked and user activation: %s", got)
		}
		if got := d.answers("mute", harness.Object{"q": "x"}); got.Status != "Error" ||
			!strings.Contains(got.ErrorText, "respondWith") {
			t.Errorf("%+v", got)
		}
		if got := d.answers("search", harness.Object{"q": "x"}); !strings.Contains(string(got.Output), "Thing") {
			t.Errorf("%+v", got)
		}
	})

	t.Run("frames", func(t *testing.T) {
		from := p.count()
		d := p.open("/sandbox")
		p.await(from, "WebMCP.toolsAdded", `"next"`)
		p.await(from, "WebMCP.toolsAdded", `"inner"`)
		if boxed := p.since(from, "WebMCP.toolsAdded", `"boxed"`); len(boxed) > 0 {
			t.Errorf("a sandboxed frame has tools: %s", boxed[0].Params)
		}
		if late := p.names(d.id); len(late) > 0 {
			t.Errorf("enable tells tools of frames by now: %v", late)
		}

		// A frame of another site has a session of its own, and tools only if its page lets it.
		for allow, want := range map[string]bool{``: false, `allow="tools"`: true} {
			elsewhere := strings.Replace(base, "127.0.0.1", "localhost", 1)
			frame := pages(t, map[string]string{"/": `<iframe ` + allow + ` src="` + elsewhere + `/next"></iframe>`})
			from, outer := p.count(), p.open(frame+"/")
			p.must(outer.session, "Target.setAutoAttach",
				harness.Object{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, nil)
			var inner struct {
				TargetInfo struct{ TargetID string }
			}
			p.await(from, "Target.attachedToTarget", `"type":"iframe"`)
			told := p.since(from, "Target.attachedToTarget", `"type":"iframe"`)
			if err := json.Unmarshal(told[len(told)-1].Params, &inner); err != nil {
				t.Fatal(err)
			}
			if names := p.names(outer.id); len(names) != 0 {
				t.Errorf("in the page's own session: %v", names)
			}
			found := func() bool { return len(p.names(inner.TargetInfo.TargetID)) > 0 }
			if want {
				harness.Wait(t, "its tool", found)
			} else if found() {
				t.Errorf("a frame that its page does not let has tools")
			}
			p.must("", "Target.closeTarget", harness.Object{"targetId": outer.id}, nil)
		}
	})
}
