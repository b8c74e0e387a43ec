//go:build e2e

package policy

import (
	"bytes"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"cove/e2e/harness"
	"cove/internal/secret/totp"
)

// codeSite is a site that asks for one-time codes. It takes each once, as sites do.
type codeSite struct {
	*httptest.Server
	setup totp.Setup
	more  []totp.Setup // keys whose codes it takes, too
	// ahead is how far its clock is ahead of this computer's.
	ahead time.Duration

	mu    sync.Mutex
	taken []string // the codes that it has accepted
	keys  int      // the keys that were pressed in boxes
}

func newCodeSite(t *testing.T, address string, ahead time.Duration) *codeSite {
	t.Helper()
	setup, err := totp.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	s := &codeSite{setup: setup, ahead: ahead}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *codeSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", time.Now().Add(s.ahead).UTC().Format(http.TimeFormat))
	w.Header().Set("Content-Type", "text/html")
	digits := s.setup.Digits
	switch r.URL.Path {
	case "/field":
		_, _ = io.WriteString(w, `<title>sign in</title><form action=/check method=post>
			<label>Code <input name=code autocomplete=one-time-code></label><button>Verify</button></form>`)
	case "/boxes": // the focus moves on by itself, and the last digit sends the form
		_, _ = io.WriteString(w, `<title>boxes</title><form action=/check method=post><input type=hidden name=code>
			<input type=hidden name=keys>`+strings.Repeat(`<input class=b aria-label=Digit maxlength=1>`, digits)+
			`</form><script>let keys = 0; const all = [...document.querySelectorAll('.b')], f = document.forms[0]
			all.forEach((b, i) => {
				b.onkeydown = e => { if (/^\d$/.test(e.key) && e.keyCode === e.key.charCodeAt(0)) keys++ }
				b.oninput = () => {
					if (all[i + 1]) return all[i + 1].focus()
					f.code.value = all.map(b => b.value).join(''); f.keys.value = keys; f.submit() } })</script>`)
	case "/drawn": // narrow boxes that a script draws anew after each digit; it takes digits from the keys themselves
		fmt.Fprintf(w, `<title>drawn</title><style>input{width:2em}</style><form action=/check method=post>
			<div></div><input type=hidden name=code><button>Verify</button></form><script>
			const d = document.querySelector('div'), value = Array(%d).fill('')
			const draw = at => { d.innerHTML = value.map(v => '<input aria-label=Digit value="' + v + '">').join('')
				document.forms[0].code.value = value.join('')
				const all = [...d.children]
				all.forEach((b, i) => b.onkeydown = e => {
					e.preventDefault(); value[i] = e.key; draw(i + 1) })
				all[at]?.focus() }
			draw(0)</script>`, digits)
	case "/leaves": // goes elsewhere in the middle of a code
		fmt.Fprintf(w, `<title>leaves</title>%s<script>const all = [...document.querySelectorAll('input')]
			all.forEach((b, i) => b.oninput = () => { if (i === 2) {
				location = %q; const until = Date.now() + 300; while (Date.now() < until); } })</script>`,
			strings.Repeat(`<input aria-label=Digit maxlength=1>`, digits), r.FormValue("to"))
	case "/mirror": // shows the code wherever it can
		_, _ = io.WriteString(w, `<title>mirror</title><form action=/check method=post>
			<label>Code <input name=code></label><button>Verify</button></form><p id=p></p><script>
			document.querySelector('input').oninput = e => { const v = e.target.value
				document.title = p.textContent = 'typed ' + v + ' or ' + v.slice(0, 4) + ' ' + v.slice(4)
				console.log('typed', v); document.cookie = 'c=' + v; history.replaceState(0, '', '?c=' + v)
				fetch('/mirrored?c=' + v, {method: 'POST', body: JSON.stringify({v})}).catch(() => {}) }</script>`)
	case "/setup": // as a site shows it once
		key := base32.StdEncoding.EncodeToString(s.setup.Key)
		groups := regexp.MustCompile(`.{4}`).FindAllString(strings.ToLower(key), -1)
		fmt.Fprintf(w, `<title>setup</title><p>Your key: %s</p><a href="otpauth://totp/x?secret=%s">open</a>`,
			strings.Join(groups, " "), key)
	case "/check":
		s.check(w, r)
	}
}

// check accepts the code of this period or of the one before.
func (s *codeSite) check(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	code := r.FormValue("code")
	step, _ := s.setup.Step(time.Now().Add(s.ahead))
	good := false
	for _, setup := range append(s.more, s.setup) {
		good = good || code == setup.Code(step) || code == setup.Code(step-1)
	}
	for _, before := range s.taken {
		good = good && code != before
	}
	if !good {
		_, _ = io.WriteString(w, "<title>refused</title>Wrong code")
		return
	}
	s.taken = append(s.taken, code)
	_, _ = fmt.Sscan(r.FormValue("keys"), &s.keys)
	_, _ = io.WriteString(w, "<title>welcome</title>Welcome")
}

func (s *codeSite) accepted() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.taken...)
}

const codeKey = "NRXXEZLNEBUXA43VNUQGI33MN5ZCAZDP"

func address(digits, period int) string {
	return fmt.Sprintf("otpauth://totp/Shop:ann?secret=%s&digits=%d&period=%d", codeKey, digits, period)
}

func setCodes(t *testing.T, a *harness.App, name, site, address string) {
	t.Helper()
	r := a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets",
		fmt.Sprintf(`{"name":%q,"kind":"totp","site":%q,"value":%q}`, name, site, address))
	harness.MustSucceed(t, r)
}

func TestOneTimeCodesSignIn(t *testing.T) {
	web := newCodeSite(t, address(6, 15), 0)
	a := harness.Start(t)
	a.Open(1)
	setCodes(t, a, "shop", web.URL, address(6, 15))
	for i, name := range []string{"second", "third", "fourth", "fifth"} { // so that not every step waits for a period
		more := strings.Replace(address(6, 15), "NRXX", "MFZ"+string(rune('A'+i)), 1)
		setup, err := totp.Parse(more)
		if err != nil {
			t.Fatal(err)
		}
		web.more = append(web.more, setup)
		setCodes(t, a, name, web.URL, more)
	}
	m := a.Agent("1")
	welcome := func(what string) {
		t.Helper()
		if text := m.Works("take_snapshot", nil); !strings.Contains(text, "Welcome") {
			t.Errorf("%s: %s", what, text)
		}
	}
	verify := func(what string) {
		t.Helper()
		m.Works("click", harness.Object{"uid": m.Find(`button "Verify"`)})
		welcome(what)
	}

	// One field, with each of the three tools. The second waits for a code that the site has not had yet.
	for _, tool := range []string{"fill", "fill_form", "type_text"} {
		m.Works("navigate_page", harness.Object{"url": web.URL + "/field"})
		uid := m.Find(`textbox "Code"`)
		var heard string
		switch tool {
		case "fill":
			heard = m.Works(tool, harness.Object{"uid": uid, "value": "{{totp:shop}}", "includeSnapshot": true})
		case "fill_form":
			heard = m.Works(tool, harness.Object{"elements": []harness.Object{{"uid": uid, "value": "{{totp:shop}}"}}})
		case "type_text":
			m.Works("click", harness.Object{"uid": uid})
			heard = m.Works(tool, harness.Object{"text": "{{totp:second}}"})
		}
		if regexp.MustCompile(`\b\d{6}\b`).MatchString(heard) || strings.Contains(heard, "clock") {
			t.Errorf("%s answers %s", tool, heard)
		}
		verify(tool)
	}

	// Six boxes: the page hears six keys and sends the form itself.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/boxes"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Digit"`), "value": "{{totp:third}}"})
	welcome("six boxes")
	if web.mu.Lock(); web.keys != 6 {
		t.Errorf("the page heard %d keys", web.keys)
	}
	web.mu.Unlock()

	m.Works("navigate_page", harness.Object{"url": web.URL + "/drawn"})
	m.Works("click", harness.Object{"uid": m.Find(`textbox "Digit"`)})
	m.Works("type_text", harness.Object{"text": "{{totp:fourth}}"})
	if text := m.Works("take_snapshot", nil); regexp.MustCompile(`Digit"[^\n]* value="?\d`).MatchString(text) {
		t.Errorf("the agent reads digits: %s", text)
	}
	verify("boxes that are drawn anew")
	if got := web.accepted(); len(got) != 5 {
		t.Errorf("the site has accepted %d codes", len(got))
	}

	// What is no code, and where none is typed.
	m.Works("navigate_page", harness.Object{"url": web.URL + "/field"})
	uid := m.Find(`textbox "Code"`)
	harness.MustSucceed(t, a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets",
		fmt.Sprintf(`{"name":"word","site":%q,"value":"correct-horse"}`, web.URL)))
	for value, says := range map[string]string{
		"{{totp:none}}":                "no secret none",
		"{{totp:word}}":                "not for one-time codes",
		"{{secret:shop}}":              "for one-time codes",
		"x{{totp:shop}}":               "whole value",
		"{{totp:shop}}{{secret:word}}": "whole value",
	} {
		m.Fails("fill", harness.Object{"uid": uid, "value": value}, says)
	}
	m.Fails("fill", harness.Object{"uid": m.Find(`button "Verify"`), "value": "{{totp:shop}}"}, "")
	other := newCodeSite(t, address(6, 15), 0)
	m.Works("navigate_page", harness.Object{"url": other.URL + "/field"})
	m.Fails("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": "{{totp:shop}}"}, "was not typed")
	if text := m.Works("take_snapshot", nil); regexp.MustCompile(`Code"[^\n]* value=`).MatchString(text) {
		t.Errorf("the other site got something: %s", text)
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/leaves?to=" + url.QueryEscape(other.URL+"/boxes")})
	m.Tool("fill", harness.Object{"uid": m.Find(`textbox "Digit"`), "value": "{{totp:fifth}}"})
	harness.Wait(t, "the other site", func() bool {
		return strings.Contains(m.Works("take_snapshot", nil), `RootWebArea "boxes"`)
	})
	script := `() => location.host + ' has ' + [...document.querySelectorAll('.b')].map(b => b.value).join('').length`
	if text := m.Works("evaluate_script", harness.Object{"function": script}); !strings.Contains(text,
		strings.TrimPrefix(other.URL, "http://")+" has 0") {
		t.Errorf("digits went elsewhere: %s", text)
	}
	said := a.Must("journal", "show", "1")
	if !strings.Contains(said, "with a one-time code") || strings.Contains(said, web.accepted()[0]) {
		t.Errorf("the journal: %s", said)
	}
}

// A command in a shell waits for the next code no longer than it says.
func TestACommandDoesNotWaitForACode(t *testing.T) {
	web := newCodeSite(t, address(6, 60), 0)
	a := harness.Start(t)
	a.Open(1)
	setCodes(t, a, "shop", web.URL, address(6, 60))
	s := a.Shell("codex", "one")
	for range 3 { // a period may begin between two of them
		s.Does("open", web.URL+"/field")
		p := s.Try("fill", s.Ref(`textbox "Code"`)+"={{totp:shop}}", "--timeout", "1ms")
		if p.Code == 0 {
			continue
		}
		if p.Code != 1 || !strings.Contains(p.Err, "later than the step may wait: nothing was typed") {
			t.Errorf("exit code %d: %s%s", p.Code, p.Out, p.Err)
		}
		if text := s.Does("snapshot"); regexp.MustCompile(`Code"[^\n]* value=`).MatchString(text) {
			t.Errorf("something was typed: %s", text)
		}
		return
	}
	t.Error("three codes came within a minute")
}

func TestAClockThatIsOffIsTold(t *testing.T) {
	web := newCodeSite(t, address(6, 15), 40*time.Second)
	a := harness.Start(t)
	a.Open(1)
	setCodes(t, a, "shop", web.URL, address(6, 15))
	m := a.Agent("1")
	try := func() (answer, page string) {
		m.Works("navigate_page", harness.Object{"url": web.URL + "/field"})
		answer = m.Works("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": "{{totp:shop}}"})
		m.Works("click", harness.Object{"uid": m.Find(`button "Verify"`)})
		return answer, m.Works("take_snapshot", nil)
	}
	answer, page := try()
	found := regexp.MustCompile(`The clock of the site is (\d+) s ahead .*--skew (\d+)`).FindStringSubmatch(answer)
	if found == nil || !strings.Contains(page, "Wrong code") {
		t.Fatalf("%s\n%s", answer, page)
	}
	a.Must("secret", "set", "shop", "--profile", "1", "--totp", "--skew", found[2])
	if answer, page = try(); strings.Contains(answer, "clock") || !strings.Contains(page, "Welcome") {
		t.Errorf("corrected by %s: %s\n%s", found[2], answer, page)
	}
}

// Setup key and codes are looked for in every byte that left towards the agent, and in everything of Cove's on the
// disk.
func TestASetupKeyAndItsCodesAreNeverTold(t *testing.T) {
	web := newCodeSite(t, address(8, 60), 0)
	boxes := newCodeSite(t, strings.Replace(address(8, 60), "NRXX", "MFZW", 1), 0)
	a := harness.Start(t)
	a.Open(1)
	for name, site := range map[string]*codeSite{"shop": web, "boxes": boxes} {
		setCodes(t, a, name, site.URL, strings.Replace(address(8, 60), codeKey,
			base32.StdEncoding.EncodeToString(site.setup.Key), 1))
	}
	tapped := filepath.Join(t.TempDir(), "tapped")
	m := harness.StartMCP(t, harness.Command{Args: []string{"sh", "-c",
		fmt.Sprintf("%q mcp 1 --tools all | tee %q", harness.Cove, tapped)}, Env: a.Environ(), Dir: t.TempDir()})
	m.Initialize()
	files := filepath.Join(os.TempDir(), fmt.Sprintf("cove-totp-%d", os.Getpid()))
	t.Cleanup(func() { _ = os.RemoveAll(files) })

	m.Works("navigate_page", harness.Object{"url": web.URL + "/setup"})
	if text := m.Works("take_snapshot", nil); !strings.Contains(text, "Your key: ••••") {
		t.Errorf("the setup page: %s", text)
	}
	m.Tool("evaluate_script", harness.Object{"function": "() => document.body.innerHTML"})
	m.Works("navigate_page", harness.Object{"url": boxes.URL + "/boxes"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Digit"`), "value": "{{totp:boxes}}", "includeSnapshot": true})
	requests(m, files)

	m.Works("navigate_page", harness.Object{"url": web.URL + "/mirror"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": "{{totp:shop}}", "includeSnapshot": true})
	if text := m.Works("take_snapshot", nil); !strings.Contains(text, "typed ••••") {
		t.Errorf("the mirror: %s", text)
	}
	m.Works("take_snapshot", harness.Object{"filePath": filepath.Join(files, "snapshot.txt")})
	m.Works("take_screenshot", nil)
	m.Works("list_pages", nil)
	m.Works("list_console_messages", nil)
	for _, script := range []string{"() => document.querySelector('input').value", "() => document.cookie",
		"() => btoa(document.querySelector('input').value)", "() => location.href"} {
		m.Tool("evaluate_script", harness.Object{"function": script})
	}
	m.Works("click", harness.Object{"uid": m.Find(`button "Verify"`)})
	requests(m, files)
	if code := m.Close(); code != 0 {
		t.Errorf("exit %d", code)
	}
	a.Close(1)

	var forms []string
	for _, site := range []*codeSite{web, boxes} {
		codes := site.accepted()
		if len(codes) != 1 {
			t.Fatalf("the site has accepted %q", codes)
		}
		key := base32.StdEncoding.EncodeToString(site.setup.Key)
		forms = append(forms, codes[0], codes[0][:4]+" "+codes[0][4:], key, strings.ToLower(key), key[4:20],
			key[:4]+" "+key[4:8], strings.ToLower(key[:4]+" "+key[4:8]), string(site.setup.Key),
			hex.EncodeToString(site.setup.Key))
	}
	if info, err := os.Stat(tapped); err != nil || info.Size() < 5_000 {
		t.Errorf("nothing was heard: %v", err)
	}
	if n := noForm(t, forms, tapped, files, a.Home); n < 8 {
		t.Errorf("only %d files were looked into", n)
	}
	lines, _ := filepath.Glob(a.File(1, "journal/*.jsonl"))
	for _, name := range lines {
		raw, _ := os.ReadFile(name)
		if !bytes.Contains(raw, []byte("{{totp:shop}}")) || !bytes.Contains(raw, []byte("{{totp:boxes}}")) {
			t.Errorf("the journal does not tell what was typed: %s", clipped(string(raw)))
		}
	}
	if pictures, _ := os.ReadDir(a.File(1, "journal-pictures")); len(pictures) == 0 || len(lines) == 0 {
		t.Error("the journal has no pictures")
	}
}

// requests asks for everything that is known of each request.
func requests(m *harness.MCP, files string) {
	list := m.Works("list_network_requests", harness.Object{"includePreservedRequests": true})
	for _, id := range regexp.MustCompile(`reqid=(\d+)`).FindAllStringSubmatch(list, -1) {
		m.Tool("get_network_request", harness.Object{"reqid": id[1]})
		m.Tool("get_network_request", harness.Object{"reqid": id[1], "requestFilePath": filepath.Join(files, "req"+id[1]),
			"responseFilePath": filepath.Join(files, "res"+id[1])})
	}
}

// noForm fails when a file below one of the roots, other than the browser's own, holds one of the texts. It returns how
// many files it has read.
func noForm(t *testing.T, forms []string, roots ...string) (n int) {
	t.Helper()
	for _, root := range roots {
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, _ error) error {
			if d == nil || d.IsDir() && d.Name() == "data_dir" {
				return fs.SkipDir
			}
			if d.IsDir() {
				return nil
			}
			raw, _ := os.ReadFile(name) // a socket cannot be read
			n += min(1, len(raw))
			for _, form := range forms {
				if at := bytes.Index(raw, []byte(form)); at >= 0 {
					t.Errorf("%s holds %q: …%s…", name, form, raw[max(0, at-150):min(len(raw), at+100)])
				}
			}
			return nil
		})
	}
	return n
}

// A password that a command prints is run for when it is typed, only on its site, and hidden from then on.
func TestACommandGivesAPassword(t *testing.T) {
	const value = "from-the-manager-0815"
	web, evil := newFormSite(t), newFormSite(t)
	a := harness.Start(t)
	a.Open(1)
	dir := t.TempDir()
	manager, runs := filepath.Join(dir, "manager"), filepath.Join(dir, "runs")
	harness.Script(t, manager, fmt.Sprintf("echo run >> %q\ntest -e %q && exit 7\necho \"$1\" | tr a-z b-za\necho login: ann",
		runs, runs+".locked"))
	shifted := strings.Map(func(r rune) rune { // so that the value is in no command line
		switch {
		case r == 'a':
			return 'z'
		case r > 'a' && r <= 'z':
			return r - 1
		}
		return r
	}, value)
	a.Must("secret", "set", "shop", "--profile", "1", "--site", web.URL, "--command", manager+" '"+shifted+"'")
	ran := func() int {
		raw, _ := os.ReadFile(runs)
		return bytes.Count(raw, []byte("run"))
	}
	harness.MustRefuse(t, a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets",
		fmt.Sprintf(`{"name":"x","kind":"command","site":%q,"value":%q}`, web.URL, manager)), http.StatusBadRequest, "E_INVALID")

	m := a.Agent("1")
	m.Works("navigate_page", harness.Object{"url": evil.URL + "/login"})
	m.Fails("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:shop}}"}, "was not typed")
	m.Works("navigate_page", harness.Object{"url": web.URL + "/mirror"})
	if ran() != 0 {
		t.Error("the command was run for another site, or before it was typed")
	}
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": "{{secret:shop}}", "includeSnapshot": true})
	if text := m.Works("take_snapshot", nil); !strings.Contains(text, "typed ••••") {
		t.Errorf("the mirror: %s", text)
	}
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Code"`), "value": ""}) // clears what nobody may read
	if text := m.Works("take_snapshot", nil); strings.Contains(text, "typed ••••") {
		t.Errorf("the mirror of an empty field: %s", text)
	}
	m.Works("list_console_messages", nil)
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Works("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:shop}}"})
	m.Works("click", harness.Object{"uid": m.Find(`button "Sign in"`)})
	if got := web.got(); len(got) != 1 || !strings.Contains(got[0], "password="+value) || ran() != 2 {
		t.Errorf("sent after %d runs: %v", ran(), got)
	}

	if err := os.WriteFile(runs+".locked", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
	m.Fails("fill", harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:shop}}"}, "ended with code 7")
	if code := m.Close(); code != 0 {
		t.Errorf("exit %d", code)
	}
	a.Close(1)
	if n := noForm(t, []string{value, "manager-0815", manager}, a.Home); n < 8 {
		t.Errorf("only %d files were looked into", n)
	}
}
