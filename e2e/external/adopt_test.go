//go:build e2e

package external

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"cove/e2e/harness"
)

// shared is the profile that stands for the person's browser. The app makes profile 1 by itself.
const shared = 2

// adopt shares one profile of the person's browser as my-browser.
func adopt(t *testing.T, a *harness.App, p *harness.Person, profile string) {
	t.Helper()
	done := make(chan struct{})
	var out string
	var code int
	go func() {
		defer close(done)
		out, code = a.Cli("adopt", "--from", p.DataDir+"/"+profile)
	}()
	p.Allow()
	<-done
	if code != 0 {
		t.Fatalf("%d %s", code, out)
	}
}

// share shares the tab with this in its URL.
func share(t *testing.T, a *harness.App, url string) {
	t.Helper()
	harness.Wait(t, "the tab "+url, func() bool {
		return strings.Contains(a.Own("GET", harness.StatePath(shared, "/tabs"), "").Raw, url)
	})
	if out := a.Must("adopt", "share", "my-browser", url); !strings.Contains(out, "shared") {
		t.Fatal(out)
	}
}

// openToPrograms gives programs the preset that binds them least, which needs a PIN.
func openToPrograms(a *harness.App) {
	a.T.Helper()
	args := []string{"policy", "set", "my-browser", "--preset", "open", "--yes"}
	if out, code := a.Cli(args...); code == 0 || !strings.Contains(out, "cove pin set") {
		a.T.Errorf("without a PIN: %d %s", code, out)
	}
	harness.MustSucceed(a.T, a.Own("PUT", "/v1.0/pin", `{"pin":"4711"}`))
	if out, code := a.CliWith("0815\n", args...); code == 0 {
		a.T.Errorf("with a wrong PIN: %s", out)
	}
	if out, code := a.CliWith("4711\n", args[:len(args)-1]...); code == 0 || !strings.Contains(out, "--yes") {
		a.T.Errorf("without the second question: %d %s", code, out)
	}
	for _, args := range [][]string{args, {"pin", "clear"}} {
		if out, code := a.CliWith("4711\n", args...); code != 0 {
			a.T.Fatalf("%v: %d %s", args, code, out)
		}
	}
}

// program connects to the gate of the shared browser, as a script does.
func program(t *testing.T, a *harness.App) *devtools {
	t.Helper()
	ws, _, err := websocket.Dial(t.Context(), endpoint(a), nil)
	if err != nil {
		t.Fatal(err)
	}
	ws.SetReadLimit(-1)
	t.Cleanup(func() { _ = ws.CloseNow() })
	return &devtools{t: t, ws: ws}
}

// TestAgentsWorkInSharedTabs: an agent sees the tabs that the person shares and those that it opens, acts as the person
// there, and closes only its own.
func TestAgentsWorkInSharedTabs(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.Visit("Default", s.url(1, "/"))
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	m := a.Agent("my-browser")
	if got := m.Works("list_pages", nil); strings.Contains(got, "localhost") {
		t.Errorf("nothing is shared: %s", got)
	}
	share(t, a, fmt.Sprintf("s1.localhost:%s/", s.port))
	if got := m.Works("list_pages", nil); !strings.Contains(got, "s1.localhost") || strings.Contains(got, "s3.") {
		t.Errorf("one tab is shared: %s", got)
	}
	if got := m.Works("take_snapshot", nil); !strings.Contains(got, `"ann"`) {
		t.Errorf("the shared tab: %s", got)
	}
	got := m.Works("new_page", harness.Object{"url": s.url(2, "/")})
	if snapshot := m.Works("take_snapshot", nil); !strings.Contains(got, "(http://s2.localhost") ||
		!strings.Contains(snapshot, `"ann"`) {
		t.Errorf("an agent's own tab: %s %s", got, snapshot)
	}
	m.Works("close_page", harness.Object{"pageId": 2})

	// The person's window of Cove is never theirs, and rules for sites hide tabs.
	p.Visit("Default", a.Base+"/")
	for _, own := range []string{a.Base + "/", strings.Replace(a.Base, "127.0.0.1", "localhost", 1) + "/docs"} {
		m.Fails("new_page", harness.Object{"url": own})
	}
	a.Policy(shared, "--block", "http://s2.localhost:*")
	m.Fails("new_page", harness.Object{"url": s.url(2, "/")})
	a.Policy(shared, "--block", "http://s1.localhost:*")
	harness.Wait(t, "the shared tab to be hidden", func() bool {
		return !strings.Contains(m.Works("list_pages", nil), "localhost")
	})
	if list := a.Own("GET", harness.StatePath(shared, "/tabs"), "").Raw; strings.Contains(list, a.Base) ||
		strings.Contains(list, "s1.localhost") || !strings.Contains(list, "s3.localhost") {
		t.Errorf("the person can share %s", list)
	}
	a.Policy(shared, "--clear", "block")
	if got := m.Works("list_pages", nil); !strings.Contains(got, "s1.localhost") {
		t.Errorf("nothing is blocked any more: %s", got)
	}
	a.Must("adopt", "unshare", "my-browser", fmt.Sprintf("s1.localhost:%s/", s.port))
	if got := m.Works("list_pages", nil); strings.Contains(got, "localhost") {
		t.Errorf("nothing is shared any more: %s", got)
	}
	a.Must("stop", "my-browser")
	d, _ := connect(p, p.Allow)
	if left := d.pages("localhost"); len(left) != 2 {
		t.Errorf("the person's tabs are %v", left)
	}
	_ = d.ws.CloseNow()

	// An agent that was there goes on when the person shares the browser again.
	m.Fails("list_pages", nil, "cove adopt")
	adopt(t, a, p, "Default")
	m.Works("list_pages", nil)
}

// crowd is a person's browser with two profiles and a window without one. The tab /open is to be shared, and no other.
func crowd(s *sites, p *harness.Person) {
	s.t.Helper()
	p.Visit("Default", s.url(1, "/secret-tab"))
	p.Visit("Default", s.url(2, "/open"))
	p.NewWindow("--profile-directory=Profile 1", "about:blank")
	p.Visit("Profile 1", s.url(3, "/secret-profile"))
	p.NewWindow("--profile-directory=Default", "--incognito", s.url(3, "/secret-incognito"))
	p.Focus(0)
}

// endpoint is the address at which programs connect to the shared browser.
func endpoint(a *harness.App) string {
	a.T.Helper()
	raw, err := os.ReadFile(a.ActivePort(shared))
	if err != nil {
		a.T.Fatal(err)
	}
	port, path, _ := strings.Cut(string(raw), "\n")
	return "ws://127.0.0.1:" + port + path
}

// TestNothingElseExistsForPrograms: whatever programs ask for, and whatever the person opens meanwhile.
func TestNothingElseExistsForPrograms(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	crowd(s, p)
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	openToPrograms(a)
	share(t, a, "/open")
	var clients sync.WaitGroup
	ctx, end := context.WithCancel(t.Context())
	for range 3 {
		d := program(t, a)
		d.must("", "Target.setDiscoverTargets", object{"discover": true, "filter": []object{{}}})
		d.must("", "Target.setAutoAttach", object{"autoAttach": true, "flatten": true, "waitForDebuggerOnStart": true,
			"filter": []object{{}}})
		clients.Go(func() {
			for {
				_, raw, err := d.ws.Read(ctx)
				if err != nil {
					return
				}
				if text := string(raw); strings.Contains(text, "secret-") || strings.Contains(text, "browser_ui") {
					t.Error(text)
				}
			}
		})
	}
	for n := range 10 {
		p.Focus(n % 3)
		p.Visit("Profile 1", s.url(3, fmt.Sprintf("/secret-more%d", n)))
		p.Visit("Default", s.url(1, fmt.Sprintf("/secret-other%d", n)))
	}
	p.Type("ctrl+t") // beside the shared tab: a tab of the person's own
	p.Type("ctrl+w")
	d := program(t, a)
	raw, err := json.Marshal(d.must("", "Target.getTargets", object{"filter": []object{{}}}))
	if err != nil || strings.Contains(string(raw), "secret-") || !strings.Contains(string(raw), "/open") {
		t.Errorf("%s %v", raw, err)
	}
	at, _, _ := strings.Cut(strings.TrimPrefix(endpoint(a), "ws://"), "/")
	if r, err := http.Get("http://" + at + "/json/list"); err != nil { //nolint:noctx // a test
		t.Error(err)
	} else if raw, err := io.ReadAll(r.Body); err != nil || strings.Contains(string(raw), "secret-") ||
		!strings.Contains(string(raw), "/open") {
		t.Errorf("/json/list: %s %v", raw, err)
	}
	end()
	clients.Wait()
	if p.Asked() {
		t.Error("the browser asks again")
	}
}

// TestFiveAgentsOnOneConsent: agents over MCP, in a shell, with Puppeteer and Playwright work at once, and the person
// goes from window to window at random moments, 200 times. Nothing of other tabs reaches an agent, and the browser has
// one connection.
func TestFiveAgentsOnOneConsent(t *testing.T) {
	const moves, rounds, most = 200, 4, 100 // a window of another profile is in front at random
	s, p := newSites(t, 3), harness.NewPerson(t)
	crowd(s, p)
	owner, _ := connect(p, p.Allow) // before agents' windows can hide the question
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	a.Policy(shared, "--right", "script=yes", "--tabs", "shared")
	share(t, a, "/open")

	var heard words
	var agents sync.WaitGroup
	for range 2 {
		m := a.Agent("my-browser")
		agents.Go(func() {
			for done, tries := 0, 0; done < rounds && tries < most; tries++ {
				heard.add(m.Tool("list_pages", nil))
				opened := m.Tool("new_page", harness.Object{"url": s.url(2, "/mcp")})
				if !opened.IsError {
					done++
				}
				heard.add(opened)
				heard.add(m.Tool("take_snapshot", nil))
				heard.add(m.Tool("take_screenshot", nil))
			}
		})
	}
	shell := a.Shell("tester", "one")
	agents.Go(func() {
		for done, tries := 0, 0; done < rounds && tries < most; tries++ {
			for _, words := range [][]string{{"open", s.url(2, "/shell"), "--new"}, {"tabs"}, {"snapshot"}} {
				got := shell.Try(append(words, "-p", "my-browser")...)
				if words[0] == "open" && got.Code == 0 {
					done++
				}
				heard.add(harness.ToolAnswer{Text: got.Out + got.Err, IsError: got.Code != 0})
			}
		}
	})
	agents.Go(func() {
		in, err := json.Marshal(object{"endpoint": endpoint(a), "site": s.url(2, "/script"), "rounds": rounds})
		if err != nil {
			t.Error(err)
			return
		}
		var got struct{ Seen, Failures []string }
		harness.Node(t, &got, "shared.mjs", string(in))
		for _, text := range got.Seen {
			heard.add(harness.ToolAnswer{Text: text})
		}
		for _, text := range got.Failures {
			heard.add(harness.ToolAnswer{Text: text, IsError: true})
		}
	})
	done := make(chan struct{})
	go func() { agents.Wait(); close(done) }()

	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	ended := false
	for n := 0; n < moves || !ended; n++ {
		p.Focus(random.IntN(3))
		harness.Delay(t.Context(), time.Duration(random.IntN(100))*time.Millisecond)
		select {
		case <-done:
			ended = true
		default:
		}
	}
	worked := map[string]int{}
	for _, one := range heard.list {
		if strings.Contains(one.Text, "secret-") {
			t.Errorf("an agent reads %s", one.Text)
		}
		for _, word := range []string{"/mcp", "/shell", "puppeteer", "playwright", "/open"} {
			if !one.IsError && strings.Contains(one.Text, word) {
				worked[word]++
			}
		}
		if one.IsError && !strings.Contains(one.Text, "another profile") && !strings.Contains(one.Text, "no page") {
			t.Errorf("an agent reads %s", one.Text)
		}
	}
	t.Logf("%d answers, %v", len(heard.list), worked)
	for _, word := range []string{"/mcp", "/shell", "puppeteer", "playwright", "/open"} {
		if worked[word] == 0 {
			t.Errorf("nobody saw %s", word)
		}
	}
	if n := connections(t, port(p)); n != 2 || p.Asked() {
		t.Errorf("the browser has %d connections, ours and that of the keeper, and asks: %v", n, p.Asked())
	}
	a.Must("stop", "my-browser")
	if len(owner.pages("/secret-")) != 3 || len(owner.pages("/open")) != 1 {
		t.Errorf("the person's tabs are %v", owner.pages(""))
	}
}

// words are answers that several agents have got.
type words struct {
	mu   sync.Mutex
	list []harness.ToolAnswer
}

func (w *words) add(a harness.ToolAnswer) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, a)
}

// connections counts the connections to a port of this computer.
func connections(t *testing.T, port string) (n int) {
	t.Helper()
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("/proc/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	const remote, state, established = 2, 3, "01"
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if strings.HasSuffix(f[remote], fmt.Sprintf(":%04X", number)) && f[state] == established {
			n++
		}
	}
	return n
}

// TestTheEndOfSharingLeavesTheBrowser: whoever ends it, and however, the person's browser and tabs stay, nothing asks
// again, and the person can share it anew.
func TestTheEndOfSharingLeavesTheBrowser(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/open"))
	a := harness.Start(t)
	pid := p.PID()
	for name, end := range map[string]func(){
		"stop":                   func() { a.Must("stop", "my-browser") },
		"a killed keeper":        func() { harness.Kill(t, a.Keeper(shared)) },
		"an interrupted keeper":  func() { _ = syscall.Kill(a.Keeper(shared), syscall.SIGTERM) },
		"a killed app, and stop": func() { a.Kill(); a.Up(); a.Must("stop", "my-browser") },
	} {
		adopt(t, a, p, "Default")
		share(t, a, "/open")
		d := program(t, a)
		if _, err := d.call("", "Browser.close", nil); err != nil && !strings.Contains(err.Error(), "EOF") {
			t.Logf("Browser.close: %v", err)
		}
		if s, _ := a.State(shared); s != "open" {
			t.Errorf("after Browser.close the profile is %q", s)
		}
		end()
		harness.Wait(t, "the end after "+name, harness.Closed(a, shared))
		if !p.Open() || p.PID() != pid || p.Asked() {
			t.Fatalf("%s: the person's browser has gone, or asks", name)
		}
		if r := a.Get(harness.StatePath(shared, "/start?automation=1")); r.Status != 409 || p.Asked() {
			t.Errorf("%s: a start by a program: %d %s", name, r.Status, r.Raw)
		}
	}
	d, _ := connect(p, p.Allow)
	if len(d.pages("/open")) != 1 {
		t.Error("the person's tab has gone")
	}
}

// TestThePersonEndsTheSharing in the browser: by the box, and by quitting. The event says how, and nothing asks again.
func TestThePersonEndsTheSharing(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/open"))
	a := harness.Start(t)
	states := a.Events()
	owner, _ := connect(p, p.Allow)
	for _, one := range []struct {
		end string
		do  func()
	}{
		{"switched-off", func() {
			made := owner.must("", "Target.createTarget", object{"url": "chrome://inspect/#remote-debugging"})
			inspect := owner.attach(made["targetId"])
			const box = "document.getElementById('remote-debugging-enabled')"
			harness.Wait(t, "the box", func() bool {
				got := owner.must(inspect, "Runtime.evaluate", object{"expression": box + "?.checked"})
				return got["result"].(object)["value"] == true
			})
			// Its own connection ends, too.
			_, _ = owner.call(inspect, "Runtime.evaluate", object{"expression": box + ".click()"})
		}},
		{"browser-quit", func() { p.Quit(); p.Tick(true); p.Start() }},
	} {
		adopt(t, a, p, "Default")
		m := a.Agent("my-browser")
		m.Works("list_pages", nil)
		one.do()
		if out, code := a.Cli("page", "tabs", "-p", "my-browser"); code == 0 || !strings.Contains(out, "cove adopt") {
			t.Errorf("%s: an agent in a shell reads %d %s", one.end, code, out)
		}
		harness.Wait(t, "the end: "+one.end, func() bool {
			states.Mu.Lock()
			defer states.Mu.Unlock()
			return slices.Contains(states.Seen, fmt.Sprintf("%d closed automation %s", shared, one.end))
		})
		if got := m.Fails("list_pages", nil); !strings.Contains(got, "cove adopt") {
			t.Errorf("%s: the agent reads %s", one.end, got)
		}
		if one.end == "switched-off" {
			p.Quit()
			p.Tick(true)
			p.Start()
		}
		harness.Never(t, time.Second, func() string {
			if p.Asked() {
				return "the browser is asked again"
			}
			return ""
		})
	}
}

// TestPanicInASharedBrowser keeps agents out, and the person's tabs stay.
func TestPanicInASharedBrowser(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/open"))
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	share(t, a, "/open")
	m := a.Agent("my-browser")
	m.Works("take_snapshot", nil)
	a.Must("panic")
	if got := m.Tool("take_snapshot", nil); !got.IsError || strings.Contains(got.Text, "/open") {
		t.Errorf("after panic: %s", got.Text)
	}
	a.Must("panic", "--undo")
	m = a.Agent("my-browser")
	if got := m.Works("take_snapshot", nil); !strings.Contains(got, "/open") || p.Asked() || !p.Open() {
		t.Errorf("after the panic: %s", got)
	}
}

// TestThePersonsDownloadsStay: those that began before the sharing and end after it, those of tabs that are not shared,
// and whatever programs say about downloads. Programs hear of those of shared tabs.
func TestThePersonsDownloadsStay(t *testing.T) {
	t.Setenv("HOME", t.TempDir()) // the browser's folder for downloads is in it
	t.Setenv("XDG_CONFIG_HOME", "")
	s, p := newSites(t, 1), harness.NewPerson(t)
	downloads := filepath.Join(os.Getenv("HOME"), "Downloads")
	p.Visit("Default", s.url(1, "/open"))
	p.Visit("Default", s.url(1, "/secret-slow?file"))
	harness.Wait(t, "the first half", func() bool { return s.count("/secret-slow") == 1 })
	p.Visit("Default", s.url(1, "/open2"))
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	openToPrograms(a)
	share(t, a, "/open2")

	d := program(t, a)
	var heard []string
	d.seen = func(raw []byte) { heard = append(heard, string(raw)) }
	for _, behavior := range []object{{"behavior": "deny"}, {"behavior": "allow", "downloadPath": t.TempDir()},
		{"behavior": "default", "eventsEnabled": true}} {
		d.must("", "Browser.setDownloadBehavior", behavior)
	}
	p.Visit("Default", s.url(1, "/secret-quick?file"))
	harness.Wait(t, "the person's download", func() bool { return harness.Exists(filepath.Join(downloads, "secret-quick")) })
	tab := d.attach(d.pages("/open2")[0]["targetId"])
	d.must(tab, "Runtime.evaluate", object{"expression": "location = '/shared-quick?file'"})
	harness.Wait(t, "the event of the shared tab's download", func() bool {
		d.must("", "Browser.getVersion", nil)
		return strings.Contains(strings.Join(heard, ""), "shared-quick")
	})
	if all := strings.Join(heard, ""); strings.Contains(all, "secret-") {
		t.Errorf("the program hears of the person's downloads: %s", all)
	}
	harness.Kill(t, a.Keeper(shared))
	harness.Wait(t, "the end of the sharing", harness.Closed(a, shared))
	close(s.rest)
	for _, name := range []string{"secret-slow", "secret-quick", "shared-quick"} {
		harness.Wait(t, name, func() bool {
			raw, err := os.ReadFile(filepath.Join(downloads, name))
			return err == nil && string(raw) == strings.Repeat("x", 2*half)
		})
	}
}

// TestAPersonsBrowserIsNoOrdinaryProfile: what needs data or a browser of Cove's own is refused with the next step, and
// nobody but the person can share the browser.
func TestAPersonsBrowserIsNoOrdinaryProfile(t *testing.T) {
	a, folder := harness.Start(t), t.TempDir()
	for name, text := range map[string]string{
		"Local State": `{"profile":{"info_cache":{"Default":{"name":"Ann"}}}}`, "Default/Preferences": "{}",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	body := fmt.Sprintf(`{"name":"my-browser","dataDir":%q}`, folder)
	harness.MustSucceed(t, a.Own("POST", "/v1.0/adopt", body))
	harness.MustSucceed(t, a.Own("POST", "/v1.0/adopt", body)) // the same one
	for _, row := range []struct {
		words string
		code  int
		hint  string
	}{
		{"start my-browser", 2, "cove adopt 2"},
		{"start my-browser --automation", 4, "cove adopt 2"},
		{"start my-browser --automation --headless", 2, "cove adopt 2"},
		{"cookies export my-browser", 2, "cove adopt 2"},
		{"profile clone my-browser", 2, "another profile"},
		{"profile edit my-browser --proxy http://127.0.0.1:1", 2, "Set it in that browser"},
		{"profile edit my-browser --start-page https://a.test", 2, "Set it in that browser"},
		{"import browser my-browser --all --from " + folder, 2, "another profile"},
		{"verify my-browser", 2, "cove adopt 2"},
		{"page snapshot -p my-browser", 4, "cove adopt 2"},
		{"adopt share my-browser", 3, "cove adopt 2"},
		{"adopt 1", 2, "Choose another name"},
		{"adopt \"First profile\" --from " + folder, 2, "Choose another name"},
		{"adopt --from /nowhere", 3, "chrome://version"},
	} {
		args := strings.Fields(row.words)
		if i := slices.Index(args, `"First`); i >= 0 {
			args = slices.Replace(args, i, i+2, "First profile")
		}
		out, code := a.Cli(args...)
		if code != row.code || !strings.Contains(strings.ReplaceAll(out, harness.Cove, "cove"), row.hint) {
			t.Errorf("cove %s: %d %s", row.words, code, out)
		}
	}
	if out := a.Must("policy", "show", "my-browser"); !strings.Contains(out, "Agents work only in tabs that you share") {
		t.Error(out)
	}
	if out := a.Must("profile", "show", "my-browser"); !strings.Contains(out, folder) {
		t.Error(out)
	}
	token := a.APIToken()
	for _, path := range []string{"/v1.0/adopt", harness.StatePath(shared, "/adopt"), harness.StatePath(shared, "/tabs")} {
		r := a.Request("POST", path, `{"name":"x","dataDir":"/"}`, "Authorization", "Bearer "+token)
		if r.Status != 403 || !strings.Contains(r.Raw, "E_NOT_PERSON") {
			t.Errorf("%s with an API token: %d %s", path, r.Status, r.Raw)
		}
	}
	if r := a.Own("POST", "/v1.0/browser_profiles", `{"name":"x","external":{"dataDir":"/","dir":"x"}}`); r.Status != 400 {
		t.Errorf("a profile made with external: %d %s", r.Status, r.Raw)
	}
	if got := a.Running(); len(got) != 0 {
		t.Errorf("open: %v", got)
	}
}

// TestASharingThatIsRefused: nobody asks twice, and the profile that was made for it goes again.
func TestASharingThatIsRefused(t *testing.T) {
	p := harness.NewPerson(t)
	a := harness.Start(t)
	states := a.Events()
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, code := a.Cli("adopt", "--from", p.DataDir)
		if code == 0 || !strings.Contains(out, "you pressed Cancel") {
			t.Errorf("%d %s", code, out)
		}
	}()
	p.Refuse()
	<-done
	if s, _ := a.State(shared); s != "" || p.Asked() || !p.Open() {
		t.Errorf("the profile is %q", s)
	}
	if r := a.Own("GET", harness.StatePath(shared, ""), ""); r.Status != 404 {
		t.Errorf("the profile is still there: %d %s", r.Status, r.Raw)
	}
	states.Mu.Lock()
	defer states.Mu.Unlock()
	if want := fmt.Sprintf("%d closed automation refused", shared); !slices.Contains(states.Seen, want) {
		t.Errorf("no %q in %v", want, states.Seen)
	}
}
