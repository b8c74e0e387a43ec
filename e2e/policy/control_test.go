//go:build e2e

package policy

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cove/api"
	"cove/e2e/harness"
)

// captchaPage is solved by dragging its slider to the end and typing the code, which only its picture shows. It shows
// nothing of that in its title.
const captchaPage = `<!doctype html><title>captcha</title><body style="margin:0">
<style>#rail{position:absolute;left:20px;top:20px;width:300px;height:30px;background:#ddd}
#knob{position:absolute;left:0;top:0;width:30px;height:30px;background:#06c}
#code{position:absolute;left:20px;top:70px;width:200px;height:30px}
#send{position:absolute;left:20px;top:120px;width:100px;height:30px}</style>
<div id=rail><div id=knob></div></div><input id=code aria-label=Code><button id=send>Send</button>
<canvas id=shown width=200 height=30 style="position:absolute;left:240px;top:70px"></canvas>
<script>
shown.getContext('2d').fillText('geheim-4711', 10, 20)
let from = null, at = 0
knob.onpointerdown = e => { if (!e.isTrusted) return; from = e.clientX - at; knob.setPointerCapture(e.pointerId) }
knob.onpointermove = e => { if (from !== null) { at = Math.max(0, Math.min(270, e.clientX - from)); knob.style.left = at + 'px' } }
knob.onpointerup = () => { from = null }
send.onclick = () => { if (at > 260 && code.value === 'geheim-4711') { console.log(code.value); location = '/inside' } }
</script>`

// workPage has one thing of everything that a person does.
const workPage = `<!doctype html><title>work</title><body style="margin:0;height:3000px">
<style>body>*{position:absolute;left:20px;width:300px;height:30px;box-sizing:border-box}</style>
<input id=text style="top:20px"><input id=password type=password style="top:60px" value="hunter2">
<select id=list style="top:100px"><option>one<option>two<optgroup label=more><option>three</optgroup></select>
<button id=ask style="top:140px" onclick="told.textContent = prompt('Who?', 'me')">ask</button>
<input id=file type=file style="top:180px" onchange="this.files[0].text().then(t => told.textContent = this.files[0].name + ':' + t)">
<a id=save href="/file" style="top:220px">save</a><p id=told style="top:260px;margin:0"></p>
<button id=pop style="top:300px" onclick="window.open('/inside')">open</button>
<iframe id=frame style="top:340px;height:120px" src="FRAME"></iframe>
<script>
const state = {}
text.addEventListener('compositionend', () => { state.composed = 'yes' })
addEventListener('touchstart', e => { state.touched = String(e.touches.length) })
onmessage = e => { told.textContent = e.data }
setInterval(() => {
  Object.assign(state, { text: text.value, list: list.value, told: told.textContent, scrolled: String(scrollY) })
  fetch('/state', { method: 'POST', body: JSON.stringify(state) })
}, 50)</script>`

const framePage = `<!doctype html><body style="margin:0;height:2000px"><script>setInterval(() => { if (scrollY < 500) scrollTo(0, 500) }, 50)</script>
<input id=inner style="position:absolute;left:10px;top:540px;width:150px;height:30px"
  oninput="parent.postMessage(this.value, '*')">`

// workSite serves the pages, with a frame of another site. The page says itself what it holds: programs wait.
type workSite struct {
	*httptest.Server
	mu    sync.Mutex
	state map[string]string
}

func (s *workSite) value(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state[name]
}

func newWorkSite(t *testing.T) *workSite {
	t.Helper()
	web := &workSite{}
	web.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/captcha":
			_, _ = io.WriteString(w, captchaPage)
		case "/work":
			other := strings.Replace(web.URL, "127.0.0.1", "localhost", 1)
			_, _ = io.WriteString(w, strings.Replace(workPage, "FRAME", other+"/frame", 1))
		case "/state":
			var state map[string]string
			if json.NewDecoder(r.Body).Decode(&state) == nil {
				web.mu.Lock()
				web.state = state
				web.mu.Unlock()
			}
		case "/frame":
			_, _ = io.WriteString(w, framePage)
		case "/trying":
			web.mu.Lock()
			web.state = map[string]string{"tried": "yes"}
			web.mu.Unlock()
		case "/inside":
			_, _ = io.WriteString(w, `<!doctype html><title>inside</title><h1>Welcome</h1>`)
		case "/file":
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Header().Set("Content-Disposition", `attachment; filename="saved.bin"`)
			_, _ = io.WriteString(w, "the bytes")
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(web.Close)
	return web
}

func TestAPersonSolvesInTheLiveViewWhatAnAgentCannot(t *testing.T) {
	web, a := newWorkSite(t), harness.Start(t)
	a.Open(1)
	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/captcha"})
	question := harness.Object{"message": "Please solve the captcha.", "wait": 300}
	asked := m.BeginTool("ask_person", question)
	ask := openRequest(t, a)

	v, _ := a.Watch(1, ask.Tab)
	if r := v.Control(true, ""); r.Status != http.StatusOK {
		t.Fatalf("control: %d %s", r.Status, r.Raw)
	}
	harness.Wait(t, "the request to be worked on", func() bool {
		now := openRequest(t, a)
		return now.State == "working" && now.ExpiresAt == nil
	})
	harness.Wait(t, "the view to follow", func() bool { return v.Controlled(ask.Tab) != nil })
	m.Works("new_page", harness.Object{"url": "about:blank"}) // other pages go on
	refused := m.Tool("take_screenshot", harness.Object{"pageId": 1})
	if !refused.IsError || !strings.Contains(refused.Text, "The user is working in this page") {
		t.Errorf("a call in the person's page: %s", refused.Text)
	}

	solveCaptcha(t, v, ask.Tab)
	if r := v.Control(false, "mind the slider"); r.Status != http.StatusOK {
		t.Fatalf("hand back: %d %s", r.Status, r.Raw)
	}
	done := asked.Tool()
	if done.IsError || !strings.Contains(done.Text, "The user has done it.") ||
		!strings.Contains(done.Text, "mind the slider") {
		t.Errorf("the agent hears: %s", done.Text)
	}
	m.Works("select_page", harness.Object{"pageId": 1})
	if text := m.Works("take_snapshot", nil); !strings.Contains(text, "Welcome") {
		t.Errorf("the agent sees %s", text)
	}
	for tool, all := range map[string]string{
		"list_console_messages": "includePreservedMessages", "list_network_requests": "includePreservedRequests",
	} {
		if got := m.Works(tool, harness.Object{all: true}); strings.Contains(got, "4711") ||
			strings.Contains(got, "/inside") {
			t.Errorf("%s shows what the person did: %s", tool, got)
		}
	}
	checkControlJournal(t, a)
}

// solveCaptcha does what captchaPage wants, with the hands of the person.
func solveCaptcha(t *testing.T, v *harness.Live, tab string) {
	t.Helper()
	at := func(path string) bool {
		for _, one := range v.Tabs() {
			if one.ID == tab {
				return strings.HasSuffix(one.URL, path)
			}
		}
		return false
	}
	v.Send(v.Event("move", 35, 35), v.Event("down", 35, 35))
	for x := 60.0; x <= 320; x += 20 {
		v.Send(v.Event("move", x, 36))
	}
	v.Send(v.Event("up", 320, 36))
	v.Press(60, 85)
	v.Send(api.LiveEvent{T: "text", Text: "geheim-4711"})
	before := v.Picture()
	v.Press(60, 135)
	harness.Wait(t, "the next page", func() bool { return at("/inside") })
	if got := v.SendFor(before, v.Event("down", 60, 135)); !got.Stale || got.Done != 0 {
		t.Errorf("a press in the picture of the page before: %+v", got)
	}
}

// checkControlJournal checks that the journal has what the person did in numbers, and nothing else of it.
func checkControlJournal(t *testing.T, a *harness.App) {
	t.Helper()
	names := map[string]int{}
	for _, line := range a.Journal(1) {
		names[line.Name]++
	}
	raw := a.Own(http.MethodGet, harness.StatePath(1, "/journal"), "").Raw
	if names["control begun"] != 1 || names["control ended"] != 1 ||
		!strings.Contains(raw, `{"clicks":3,"keys":11,"pages":1,"why":"handed back"`) {
		t.Errorf("%v: %s", names, raw)
	}
	words := a.Must("journal", "show", "1")
	if !strings.Contains(words, "You handed the page back (3 clicks, 11 keystrokes") {
		t.Errorf("in words: %s", words)
	}
	for _, dir := range []string{filepath.Dir(a.File(1, "x")), a.Home} {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(name, "data_dir") {
				return nil //nolint:nilerr // a file that has gone meanwhile
			}
			if raw, _ := os.ReadFile(name); bytes.Contains(raw, []byte("geheim")) {
				t.Errorf("%s has what the person typed", name)
			}
			return nil
		})
	}
}

func TestMouseKeysTextAndFilesReachThePage(t *testing.T) {
	web, a := newWorkSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	m := a.Agent("1")
	a.Policy(1, "--preset", "open")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/work"})
	v, _ := a.Watch(1, "")
	if r := v.Control(true, ""); r.Status != http.StatusOK {
		t.Fatalf("control: %d %s", r.Status, r.Raw)
	}
	tab := v.Picture().Tab
	harness.Wait(t, "the view to follow", func() bool { return v.Controlled(tab) != nil })
	value := web.value

	const scripts = "Grüße Привет مرحبا 👩‍👩‍👧"
	v.Press(60, 35)
	v.Send(api.LiveEvent{T: "text", Text: scripts})
	v.Send(api.LiveEvent{T: "compose", Text: "n"}, api.LiveEvent{T: "compose", Text: "你h"},
		api.LiveEvent{T: "compose", Text: "你好"}, api.LiveEvent{T: "text", Text: "你好"})
	v.Key("x", "KeyX", 0)
	harness.Wait(t, "the text", func() bool { return value("text") == scripts+"你好x" })
	if value("composed") != "yes" {
		t.Error("no composition ended")
	}
	v.Key("a", "KeyA", 2)
	if got := v.Key("c", "KeyC", 2); got.Copied != scripts+"你好x" {
		t.Errorf("copied %q", got.Copied)
	}
	long := strings.Repeat("lang ", 40)
	v.Send(api.LiveEvent{T: "text", Text: long})
	harness.Wait(t, "the long text", func() bool { return value("text") == long })
	v.Press(60, 75)
	v.Key("a", "KeyA", 2)
	if got := v.Key("c", "KeyC", 2); got.Copied != "" {
		t.Errorf("a password was copied: %q", got.Copied)
	}

	got := v.Press(60, 115)
	if len(got.Options) != 3 || got.Options[2].Text != "three" || got.Options[2].Group != "more" ||
		!got.Options[0].Chosen {
		t.Errorf("the list is %+v", got.Options)
	}
	v.Send(api.LiveEvent{T: "choose", N: 2})
	harness.Wait(t, "the option", func() bool { return value("list") == "three" })

	v.Press(60, 155)
	harness.Wait(t, "the dialog", func() bool { p := v.Prompt(); return p != nil && p.Message == "Who?" })
	v.Send(api.LiveEvent{T: "dialog", Accept: true, Text: "you"})
	harness.Wait(t, "its answer", func() bool { return value("told") == "you" })

	v.Press(60, 195)
	harness.Wait(t, "the chooser", func() bool { c := v.Controlled(tab); return c != nil && c.Chooser != nil })
	sendFile(t, a, tab, "mine.txt", "my words")
	harness.Wait(t, "the file", func() bool { return value("told") == "mine.txt:my words" })

	v.Press(60, 225)
	var saved string
	harness.Wait(t, "the download", func() bool {
		c := v.Controlled(tab)
		if c == nil || len(c.Downloads) == 0 || c.Downloads[0].State != "completed" {
			return false
		}
		saved = c.Downloads[0].ID
		return c.Downloads[0].Name == "saved.bin"
	})
	address := a.Base + harness.StatePath(1, "/live/download?id="+saved)
	if status, text := harness.Fetch(t, http.MethodGet, address, a.Token()); status != 200 || text != "the bytes" {
		t.Errorf("the download is %d %q", status, text)
	}

	harness.Wait(t, "the frame to be pressed", func() bool {
		v.Press(60, 395) // in the scrolled frame of another site
		v.Send(api.LiveEvent{T: "text", Text: "inside"})
		return strings.Contains(value("told"), "inside")
	})
	v.Send(v.Event("move", 500, 300), api.LiveEvent{T: "wheel", X: 0.5, Y: 0.5, DY: 400})
	harness.Wait(t, "the page to scroll", func() bool { return value("scrolled") == "400" })
	v.Send(api.LiveEvent{T: "touch", K: "start", Points: []float64{0, 0.5, 0.5}},
		api.LiveEvent{T: "touch", K: "end"})
	harness.Wait(t, "the touch", func() bool { return value("touched") == "1" })

	v.Send(v.Event("wheel", 500, 300), api.LiveEvent{T: "wheel", X: 0.5, Y: 0.5, DY: -900})
	harness.Wait(t, "the page to scroll back", func() bool { return value("scrolled") == "0" })
	v.Press(60, 315)
	harness.Wait(t, "the popup to be the person's", func() bool {
		tabs := v.Tabs()
		last := tabs[len(tabs)-1].ID
		return last != tab && v.Controlled(last) != nil && v.Controlled(last).Opener == tab
	})
	v.Control(false, "")
	harness.Wait(t, "everything to be given back", func() bool {
		state := a.Own(http.MethodGet, harness.StatePath(1, "/access"), "")
		return v.Controlled(tab) == nil && state.Status == http.StatusOK &&
			harness.Member(state.Body, "data", "controlled") == nil
	})
	r := a.Own(http.MethodPost, harness.StatePath(1, "/live/input"), `{"tab":"`+tab+`","pic":1,"events":[{"t":"move"}]}`)
	harness.MustRefuse(t, r, http.StatusConflict, "E_NOT_CONTROLLED")
}

// sendFile gives a page a file of the person.
func sendFile(t *testing.T, a *harness.App, tab, name, text string) {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(part, text)
	_ = form.Close()
	r := a.Raw(http.MethodPost, harness.StatePath(1, "/live/files?tab="+tab), body.String(),
		"Authorization", "Bearer "+a.Token(), "Content-Type", form.FormDataContentType())
	if r.Status != http.StatusOK {
		t.Fatalf("file: %d %s", r.Status, r.Raw)
	}
}
