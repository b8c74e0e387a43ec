//go:build e2e

package tools

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
)

// step is one call, made of both servers.
type step struct {
	tool string
	args harness.Object
	// differs lists what may differ, and why: "error", "shape", "state", "focus" or "log".
	differs map[string]string
	// ours looks at our answer alone.
	ours func(t *testing.T, s harness.Said)
	// both looks at the two answers, upstream's first.
	both func(t *testing.T, theirs, ours harness.Said)
}

// scenario is a page and what is done to it.
type scenario struct {
	name  string
	html  string
	steps []step
}

// pageLog notes in each document what events its elements get; frames tell the top.
const pageLog = `<script>(() => {
  const types = ['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup', 'pointerdown',
    'pointerup', 'keydown', 'keyup', 'keypress', 'beforeinput', 'input', 'change', 'focusin', 'focusout', 'submit',
    'reset', 'dragstart', 'dragenter', 'drop', 'dragend', 'toggle', 'invalid', 'select'];
  const log = window.__log = [];
  const where = window === window.top ? '' : (new URLSearchParams(location.search).get('as') || 'frame') + ':';
  const say = (line) => { if (window === window.top) log.push(line); else window.top.postMessage({ log: line }, '*'); };
  const named = (n) => n === window ? 'window' : n === document ? 'document' : n.id || n.localName || '?';
  for (const type of types) window.addEventListener(type, (e) => {
    if (e.target === window) return;
    let line = where + type + ' ' + named(e.composedPath()[0]) + (e.isTrusted ? '' : ' untrusted');
    if (e instanceof KeyboardEvent) line += ' ' + [e.ctrlKey && 'C', e.shiftKey && 'S', e.altKey && 'A', e.metaKey && 'M', JSON.stringify(e.key), e.code, e.keyCode, e.location, e.repeat && 'repeat'].filter((x) => x !== false).join(' ');
    else if (e instanceof MouseEvent) line += ' button=' + e.button + ' buttons=' + e.buttons +
      (e.type.startsWith('pointer') || e.type.startsWith('drag') || e.type === 'drop' ? '' : ' detail=' + e.detail);
    else if (e instanceof InputEvent) line += ' ' + e.inputType + ' ' + JSON.stringify(e.data);
    say(line);
  }, true);
  if (window === window.top) addEventListener('message', (e) => { if (e.data && e.data.log) log.push(e.data.log); });
})();</script>`

// dump tells the state of a page: what its controls hold, what has the focus, where it is, what it has heard since the
// last dump.
const dump = `async () => {
  for (let i = 0; i < 6; i++) await new Promise((done) => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); });
  const state = {};
  const roots = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((e) => e.shadowRoot ? roots(e.shadowRoot) : [])];
  const read = (root, prefix) => { for (const r of roots(root)) {
    for (const e of r.querySelectorAll('input, textarea, select, [contenteditable], output, details, dialog, ' +
      '[role=checkbox], [role=switch], [aria-expanded]')) {
      const key = prefix + (e.id || e.localName);
      if (e.localName === 'input' && (e.type === 'checkbox' || e.type === 'radio')) state[key] = e.checked;
      else if (e.localName === 'input' && e.type === 'file') state[key] = [...e.files].map((f) => f.name + ' ' + f.size).join();
      else if (e.localName === 'select') state[key] = [...e.selectedOptions].map((o) => o.value).join();
      else if (e.localName === 'details' || e.localName === 'dialog') state[key] = e.open;
      else if (e.localName === 'output') state[key] = e.innerHTML;
      else if (e.hasAttribute('contenteditable')) state[key] = e.innerText;
      else if ('value' in e && e.localName !== 'button') state[key] = e.value;
      else state[key] = (e.getAttribute('aria-checked') || '') + (e.getAttribute('aria-expanded') || '');
    }
    for (const f of r.querySelectorAll('iframe')) { try { if (f.contentDocument) read(f.contentDocument, prefix + (f.id || 'frame') + ':'); } catch {} }
  } };
  read(document, '');
  let active = document.activeElement, focus = '';
  while (active) { focus += ' ' + (active.id || active.localName); active = active.shadowRoot ? active.shadowRoot.activeElement : active.localName === 'iframe' && active.contentDocument ? active.contentDocument.activeElement : null; }
  return { state, focus, at: location.href, title: document.title, log: (window.__log || []).splice(0) };
}`

// picture of a page's state.
type state struct {
	State map[string]any
	Focus string
	At    string
	Title string
	Log   []string
}

// diffSite serves the scenarios' pages and what they need.
func diffSite(t *testing.T, all []scenario) *httptest.Server {
	t.Helper()
	routes := http.NewServeMux()
	var server *httptest.Server
	html := func(w http.ResponseWriter, title, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Cache-Control", "no-store")
		other := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
		_, _ = io.WriteString(w, "<!doctype html><meta charset=utf-8><title>"+title+"</title>"+pageLog+
			strings.ReplaceAll(body, "{{other}}", other))
	}
	for i, s := range all {
		routes.HandleFunc(fmt.Sprintf("/page/%d", i),
			func(w http.ResponseWriter, _ *http.Request) { html(w, s.name, s.html) })
	}
	for name, body := range framePages {
		routes.HandleFunc("/frame/"+name, func(w http.ResponseWriter, _ *http.Request) { html(w, name, body) })
	}
	routes.HandleFunc("/second", func(w http.ResponseWriter, _ *http.Request) {
		html(w, "Second", "<h1>Second</h1><a href=/third>third</a>")
	})
	routes.HandleFunc("/third", func(w http.ResponseWriter, _ *http.Request) { html(w, "Third", "<h1>Third</h1>") })
	routes.HandleFunc("/redirect",
		func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/second", http.StatusFound) })
	routes.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(20 * time.Second):
		}
	})
	routes.HandleFunc("/api/json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"answer":42}`)
	})
	routes.HandleFunc("/api/post", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Set-Cookie", "session=verysecret; Path=/")
		_, _ = io.Copy(w, r.Body)
	})
	routes.HandleFunc("/api/echo", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"agent": r.UserAgent(), "extra": r.Header.Get("X-Extra")})
	})
	routes.HandleFunc("/api/late", func(w http.ResponseWriter, r *http.Request) {
		harness.Delay(r.Context(), 400*time.Millisecond)
		_, _ = io.WriteString(w, "late")
	})
	routes.HandleFunc("/slow.bin", func(w http.ResponseWriter, r *http.Request) {
		harness.Delay(r.Context(), 300*time.Millisecond)
		w.Header().Set("Content-Disposition", "attachment; filename=slow.bin")
		_, _ = w.Write(make([]byte, 1000))
	})
	routes.HandleFunc("/file.bin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename=file.bin")
		_, _ = w.Write(make([]byte, 1000))
	})
	server = httptest.NewServer(routes)
	t.Cleanup(server.Close)
	return server
}

// pair is both servers, each on its own profile.
type pair struct {
	theirs, ours *harness.Agent
	web          *httptest.Server
}

func newPair(t *testing.T, all []scenario) pair {
	t.Helper()
	a := harness.Start(t)
	second := a.Create(`{"name":"second"}`)
	p := pair{web: diffSite(t, all)}
	p.theirs = harness.NewTheirs(t, a, second)
	p.ours = harness.NewOurs(t, a, 1)
	return p
}

// each runs a step on both at the same time.
func (p pair) each(do func(g *harness.Agent) harness.Said) (theirs, ours harness.Said) {
	var all sync.WaitGroup
	all.Go(func() { theirs = do(p.theirs) })
	all.Go(func() { ours = do(p.ours) })
	all.Wait()
	return theirs, ours
}

// states reads the pages' state on both sides; nil where a dialog holds the page.
func (p pair) states(t *testing.T) (theirs, ours *state) {
	t.Helper()
	read := func(g *harness.Agent, into **state) func() {
		return func() {
			var s state
			if err := g.Eval(dump, &s); err == nil {
				*into = &s
			}
		}
	}
	var all sync.WaitGroup
	all.Go(read(p.theirs, &theirs))
	all.Go(read(p.ours, &ours))
	all.Wait()
	return theirs, ours
}

// unlisted leaves out the list of pages where ours names only the page that the call was about.
func unlisted(tool string, shape []string) []string {
	if tool != "navigate_page" && tool != "handle_dialog" {
		return shape
	}
	return slices.DeleteFunc(shape, func(block string) bool { return strings.HasPrefix(block, "## Pages") })
}

func (p pair) run(t *testing.T, n int, s scenario) {
	url := fmt.Sprintf("%s/page/%d", p.web.URL, n)
	theirs, ours := p.each(func(g *harness.Agent) harness.Said {
		g.Seen, g.Fresh = nil, false
		return g.Call("navigate_page", harness.Object{"url": url})
	})
	if theirs.Outcome() != "ok" || ours.Outcome() != "ok" {
		t.Fatalf("navigate: %v %s / %v %s", theirs.Err, theirs.Text, ours.Err, ours.Text)
	}
	p.states(t)
	held := false // by a dialog
	for i, st := range s.steps {
		theirs, ours := p.each(func(g *harness.Agent) harness.Said { return g.Do(st.tool, p.place(g, st.args)) })
		args, _ := json.Marshal(st.args)
		if testing.Verbose() {
			t.Logf("%s %s\n--- upstream (%s)\n%s\n--- ours (%s)\n%s", st.tool, args, theirs.Outcome(), brief(theirs),
				ours.Outcome(), brief(ours))
		}
		differ := func(what string, a, b any) {
			t.Helper()
			if st.differs[what] == "" {
				t.Errorf("step %d, %s %s: %s differs\nupstream: %v\nours:     %v\n--- upstream\n%s\n--- ours\n%s", i,
					st.tool, args, what, a, b, brief(theirs), brief(ours))
			}
		}
		if a, b := theirs.Outcome(), ours.Outcome(); a != b {
			differ("error", a, b)
		}
		if a, b := theirs.Shape(), ours.Shape(); !slices.Equal(unlisted(st.tool, a), b) {
			differ("shape", a, b)
		}
		if strings.Contains(theirs.Text+ours.Text, "# Open dialog") {
			held = true
		} else if st.tool == "handle_dialog" {
			held = false
		}
		if held {
			if st.ours != nil {
				st.ours(t, ours)
			}
			continue // the page is held
		}
		a, b := p.states(t)
		if a == nil || b == nil {
			if a != b {
				differ("state", a, b)
			}
		} else {
			if at, bt := flat(*a), flat(*b); at != bt {
				differ("state", at, bt)
			}
			if a.Focus != b.Focus {
				differ("focus", a.Focus, b.Focus)
			}
			if la, lb := calm(a.Log), calm(b.Log); !slices.Equal(la, lb) {
				differ("log", "", unlike(la, lb))
			}
		}
		if st.ours != nil {
			st.ours(t, ours)
		}
		if st.both != nil {
			st.both(t, theirs, ours)
		}
	}
}

// place puts what only now is known into arguments: the site's address, pages of this agent, and the side that it is
// on, for both sides work at once and must not write the same file.
func (p pair) place(g *harness.Agent, args harness.Object) harness.Object {
	side := "theirs"
	if g == p.ours {
		side = "ours"
	}
	placed := maps.Clone(args)
	for key, value := range placed {
		text, ok := value.(string)
		if !ok {
			continue
		}
		switch text {
		case "{{first}}":
			placed[key] = g.Page
		case "{{last}}":
			all := regexp.MustCompile(`(?m)^(\d+): `).FindAllStringSubmatch(g.Call("list_pages", nil).Text, -1)
			placed[key], _ = strconv.Atoi(all[len(all)-1][1])
		default:
			placed[key] = strings.NewReplacer("{{site}}", p.web.URL, "{{side}}", side).Replace(text)
		}
	}
	return placed
}

func flat(s state) string {
	raw, _ := json.Marshal(s.State)
	return fmt.Sprintf("%s at=%s title=%s", raw, s.At, s.Title)
}

var (
	shiftHeld = regexp.MustCompile(`^((?:\w+:)?key\w+ \S+) S (".)`)
	signKey   = regexp.MustCompile(`^((?:\w+:)?key\w+ \S+ (?:[CAM] )*"[-+*/.]").*`)
)

// calm takes out of a log what is not compared: ours holds Shift where a person must, and takes + and / from the main
// part of the keyboard; ours selects what it writes over, so that the page hears of it; and focus moves are compared by
// where they end.
func calm(log []string) (rest []string) {
	for _, line := range log {
		kind, _, _ := strings.Cut(line[strings.LastIndexByte(line[:strings.IndexByte(line, ' ')], ':')+1:], " ")
		switch {
		case kind == "select" || kind == "focusin" || kind == "focusout":
			continue
		case strings.Contains(line, `"Shift" ShiftLeft`):
			continue
		}
		line = shiftHeld.ReplaceAllString(line, "$1 $2")
		rest = append(rest, signKey.ReplaceAllString(line, "$1"))
	}
	return rest
}

// unlike shows where two lists part.
func unlike(a, b []string) string {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return "\n    - " + strings.Join(a, "\n    - ") + "\n    + " + strings.Join(b, "\n    + ")
}

func brief(s harness.Said) string {
	text := s.Text
	if s.Err != nil {
		text = s.Err.Error()
	}
	if len(text) > 2500 {
		text = text[:2500] + "…"
	}
	return strings.TrimSpace(text)
}

func TestToolsDoWhatUpstreamDoes(t *testing.T) {
	all := scenarios(t)
	p := newPair(t, all)
	for i, s := range all {
		t.Run(s.name, func(t *testing.T) { p.run(t, i, s) })
	}
}
