//go:build e2e

package policy

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"cove/e2e/harness"
)

// clobbering are names that fields of a form give to the form's own properties, in every world of scripts.
const clobbering = `parentNode elements attributes submit ownerDocument id form closest matches nodeType localName
	children getAttribute hasAttribute action host assignedSlot getRootNode contains querySelectorAll getClientRects
	getBoundingClientRect getAnimations labels control type tagName isConnected parentElement nodeName shadowRoot`

// clobberingDocument are names that images and forms give to properties of the document.
const clobberingDocument = `activeElement querySelectorAll documentElement body baseURI elementFromPoint images forms
	getAnimations visibilityState scrollingElement getElementById`

// unreadablePage is a page with a filled password that tries not to be read.
type unreadablePage struct {
	name string
	// fields stand in the form, after stands behind it.
	fields, after string
	// hangs says that the page does not answer any more after a turn of the mouse's wheel. Then only this tool and
	// this command are tried.
	hangs         bool
	tool, command string
}

func unreadablePages() []unreadablePage {
	fields := func(names string) (all string) {
		for name := range strings.FieldsSeq(names) {
			all += "<input type=hidden name=" + name + ">"
		}
		return all
	}
	images := ""
	for name := range strings.FieldsSeq(clobberingDocument) {
		images += "<img hidden alt='' name=" + name + ">"
	}
	script := func(text string) string { return "<script>" + text + "</script>" }

	return []unreadablePage{
		{name: "the form's parent is one of its fields", fields: fields("parentNode")},
		{name: "the form's properties are fields", fields: fields(clobbering)},
		{name: "the document's properties are images", after: images},
		{name: "the properties of both", fields: fields(clobbering), after: images},
		{name: "the page's getters and functions throw", after: script(throwing)},
		{name: "a script never ends", hangs: true, tool: "click", command: "Input.dispatchKeyEvent",
			after: script("addEventListener('wheel', () => setTimeout(() => { for (;;); }))")},
		{name: "a handler of an event never ends", hangs: true, tool: "press_key", command: "Input.dispatchMouseEvent",
			after: script("addEventListener('wheel', () => { for (;;); })")},
	}
}

// throwing makes what a script would use to look into a form throw.
const throwing = `for (const [type, names] of [[HTMLFormElement, ['elements', 'action', 'length']],
  [HTMLInputElement, ['type', 'value', 'name', 'form', 'autocomplete']],
  [Element, ['id', 'localName', 'attributes', 'shadowRoot']],
  [Node, ['parentNode', 'nodeType', 'ownerDocument']], [Document, ['activeElement', 'forms', 'body']]])
  for (const name of names) Object.defineProperty(type.prototype, name, { get() { throw new Error(name); } });
for (const type of [Document, Element]) for (const name of ['querySelectorAll', 'querySelector'])
  type.prototype[name] = () => { throw new Error(name); };
Element.prototype.getAttribute = Element.prototype.closest = Element.prototype.matches = () => { throw new Error('no'); };
String.prototype.toLowerCase = RegExp.prototype.test = Array.prototype.includes = () => { throw new Error('no'); };`

// A page that cannot be read, or does what it can not to be, is asked about: by a tool and by a program, with the mouse
// and with a key.
func TestAPageThatCannotBeReadIsAskedAbout(t *testing.T) {
	var sent atomic.Int32
	pages := unreadablePages()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			sent.Add(1)
		}
		page, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		if err != nil || page >= len(pages) {
			http.NotFound(w, r)
			return
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><title>unreadable</title><body style="margin:0">
<form action=/sent method=post style="margin:0">
<button style="position:absolute;left:0;top:0;width:100px;height:50px">Send</button>
<input autofocus type=password name=word value=hunter2 style="margin-top:60px" aria-label=Word>%s</form>%s`,
			pages[page].fields, pages[page].after)
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--tabs", "shared")
	a.Open(1)
	g := a.Agent("1")
	w, _ := dialWire(t, a.Socket(1))

	tools := map[string]harness.Object{"click": {}, "press_key": {"key": "Enter"}}
	commands := map[string]m{
		"Input.dispatchMouseEvent": {"type": "mousePressed", "x": 20, "y": 20, "button": "left", "clickCount": 1},
		"Input.dispatchKeyEvent":   {"type": "keyDown", "key": "Enter", "text": "\r"},
	}
	for i, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			address := fmt.Sprintf("%s/%d", web.URL, i)
			g.Works("new_page", harness.Object{"url": address})
			tools["click"]["uid"] = g.Find(`button "Send"`)
			page := w.attach(address)
			g.Works("click", harness.Object{"uid": g.Find(`textbox "Word"`)}) // only puts the cursor there
			if p.hangs {
				w.hang(page, page)
			}

			for tool, args := range tools {
				if p.hangs && tool != p.tool { // each of them waits for seconds
					continue
				}
				r := g.BeginTool(tool, args)
				asked := a.Asked(1)
				a.Decide(1, asked, false)
				got := r.Tool()
				if asked.Class != "submit" || !got.IsError || !strings.Contains(got.Text, "denied this") ||
					!strings.Contains(asked.What, "may send a form with a password") ||
					strings.Contains(asked.What, "could not check the page") != p.hangs {
					t.Errorf("%s: asked %q (%s), answered %s", tool, asked.What, asked.Class, got.Text)
				}
			}
			for method, params := range commands {
				if p.hangs && method != p.command {
					continue
				}
				done := make(chan string, 1)
				go func() { done <- w.do(page, method, params, nil) }()
				asked := a.Asked(1)
				a.Decide(1, asked, false)
				if err := <-done; asked.Class != "submit" || !strings.Contains(err, "denied this") ||
					!strings.Contains(asked.What, "press a button or a key") ||
					strings.Contains(asked.What, "could not check the page") != p.hangs {
					t.Errorf("%s: asked %q (%s), answered %s", method, asked.What, asked.Class, err)
				}
			}
			if n := sent.Load(); n > 0 {
				t.Errorf("the form was sent %d times", n)
			}
		})
	}
}

// A frame in a process of its own that hangs may hold a password that any button of the page sends.
func TestAPageWithAFrameThatHangsIsAskedAbout(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/frame" {
			_, _ = io.WriteString(w, "<!doctype html><title>frame</title><script>onmessage = () => { for (;;); }</script>")
			return
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><title>page</title><body style="margin:0">
<form onsubmit="return false" style="margin:0">
<button style="position:absolute;left:0;top:0;width:100px;height:50px">Send</button>
<input name=q value=1 style="margin-top:60px"></form><iframe src=%q></iframe>
<script>addEventListener('wheel', () => frames[0].postMessage('', '*'))</script>`, otherSite(r.Host)+"/frame")
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Must("policy", "set", "1", "--preset", "guarded", "--tabs", "shared")
	a.Open(1)
	g := a.Agent("1")
	w, _ := dialWire(t, a.Socket(1))
	g.Works("navigate_page", harness.Object{"url": web.URL + "/"})
	send := harness.Object{"uid": g.Find(`button "Send"`)}
	page := w.attach(web.URL + "/")
	g.Works("click", send)
	if err := w.mouse(page, "mousePressed", 20) + w.mouse(page, "mouseReleased", 20); err != "" {
		t.Errorf("while the frame can be read: %s", err)
	}

	w.hang(page, w.attach(otherSite(web.Listener.Addr().String())+"/frame"))
	const unread = "could not check the page"
	r := g.BeginTool("click", send)
	asked := a.Asked(1)
	a.Decide(1, asked, false)
	if got := r.Tool(); asked.Class != "submit" || !strings.Contains(asked.What, unread) || !got.IsError {
		t.Errorf("a tool: asked %q (%s), answered %s", asked.What, asked.Class, got.Text)
	}
	done := make(chan string, 1)
	go func() { done <- w.mouse(page, "mousePressed", 20) }()
	asked = a.Asked(1)
	a.Decide(1, asked, false)
	if err := <-done; asked.Class != "submit" || !strings.Contains(asked.What, unread) || err == "" {
		t.Errorf("a program: asked %q (%s), answered %s", asked.What, asked.Class, err)
	}
}

// The field that has the focus may be for a password when it cannot be read: what is typed there is in no journal.
func TestTextForAFrameThatHangsIsNotRecorded(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/frame" {
			_, _ = io.WriteString(w, "<!doctype html><title>frame</title><input aria-label=Word>"+
				"<script>onmessage = () => { for (;;); }</script>")
			return
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><title>page</title><iframe src=%q></iframe>
<script>addEventListener('wheel', () => frames[0].postMessage('', '*'))</script>`, otherSite(r.Host)+"/frame")
	}))
	t.Cleanup(web.Close)
	a := harness.Start(t)
	a.Open(1)
	g := a.Agent("1")
	w, _ := dialWire(t, a.Socket(1))
	g.Works("navigate_page", harness.Object{"url": web.URL + "/"})
	g.Works("click", harness.Object{"uid": g.Find(`textbox "Word"`)})
	g.Works("type_text", harness.Object{"text": "shown"})

	w.hang(w.attach(web.URL+"/"), w.attach(otherSite(web.Listener.Addr().String())+"/frame"))
	_ = g.BeginTool("type_text", harness.Object{"text": "hidden"}).Tool()
	if all := a.Must("journal", "export", "1"); !strings.Contains(all, "shown") || strings.Contains(all, "hidden") {
		t.Errorf("the journal has:\n%s", all)
	}
}

// otherSite returns the address of the same server under the name of another site.
func otherSite(host string) string {
	return "http://" + strings.Replace(host, "127.0.0.1", "localhost", 1)
}

// hang turns the mouse's wheel on a page, after which a page or a frame of it does not answer any more, and waits until
// that is so.
func (w *wire) hang(page, hanging string) {
	w.t.Helper()
	wheel := m{"type": "mouseWheel", "x": 300, "y": 300, "deltaX": 0, "deltaY": 9}
	w.Start(page, "Input.dispatchMouseEvent", wheel) // may never be answered
	harness.Wait(w.t, "the page to hang", func() bool {
		ctx, cancel := context.WithTimeout(w.t.Context(), time.Second)
		defer cancel()
		return w.Call(ctx, hanging, "DOM.getDocument", nil, nil) != nil
	})
}
