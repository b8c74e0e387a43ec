//go:build e2e

package policy

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"

	"cove/api"
	"cove/e2e/harness"
)

// tabSite serves pages with a title for each, and counts how often each was loaded.
type tabSite struct {
	*httptest.Server
	mu    sync.Mutex
	loads map[string]int
}

func newTabSite(t *testing.T) *tabSite {
	t.Helper()
	web := &tabSite{loads: map[string]int{}}
	web.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, ok := strings.CutPrefix(r.URL.Path, "/tab/")
		if !ok {
			http.NotFound(w, r)
			return
		}
		web.mu.Lock()
		web.loads[name]++
		web.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>tab-%s</title><body style="height:3000px">
<button onclick="window.open('/tab/%s-popup')">open</button>
<a href="/tab/%s-quiet" target=_blank rel=noopener>quiet</a>`, name, name, name)
		_, _ = io.WriteString(w, `<script>onresize = () => { document.title = 'resized' }</script>`)
	}))
	t.Cleanup(web.Close)
	return web
}

func (s *tabSite) loaded(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loads[name]
}

// tabAgent is an agent with a name of its own.
type tabAgent struct {
	*harness.MCP
	name string
}

func namedAgent(a *harness.App, name string) tabAgent {
	a.T.Helper()
	m := a.Bridge("1")
	m.Must("initialize", harness.Object{"protocolVersion": "2025-11-25", "capabilities": harness.Object{},
		"clientInfo": harness.Object{"name": name, "version": "1"}}, &struct{}{})
	if err := m.Send(harness.RPC{Method: "notifications/initialized"}); err != nil {
		a.T.Fatal(err)
	}
	return tabAgent{m, name}
}

// listed returns the number of a page in the agent's list, and whose it is.
func (m tabAgent) listed(title string) (number int, label string) {
	m.T.Helper()
	line := regexp.MustCompile(`(?m)^(\d+): ` + regexp.QuoteMeta(title) + ` \(\S+\)(?: \[selected\])? \[([^\]]+)\]`)
	found := line.FindStringSubmatch(m.Works("list_pages", nil))
	if found == nil {
		return 0, ""
	}
	number, _ = strconv.Atoi(found[1])
	return number, found[2]
}

// on names a page by its title.
func (m tabAgent) on(title string) harness.Object {
	m.T.Helper()
	number := 0
	if !harness.Poll(harness.Patience, func() bool { number, _ = m.listed(title); return number > 0 }) {
		m.T.Fatalf("%s is not in the list of %s:\n%s", title, m.name, m.Works("list_pages", nil))
	}
	return harness.Object{"pageId": number}
}

func with(o harness.Object, more harness.Object) harness.Object {
	for k, v := range more {
		o[k] = v
	}
	return o
}

func TestAgentsWorkInTabsOfTheirOwn(t *testing.T) {
	web, a := newTabSite(t), harness.Start(t)
	a.Open(1)
	claude, codex := namedAgent(a, "claude-code"), namedAgent(a, "codex")
	claude.Works("new_page", harness.Object{"url": web.URL + "/tab/a"})

	if _, label := claude.listed("tab-a"); label != "yours" {
		t.Errorf("the one that opened it reads [%s]", label)
	}
	if _, label := codex.listed("tab-a"); label != "claude-code" {
		t.Errorf("another one reads [%s]", label)
	}
	theirs, words := codex.on("tab-a"), "is claude-code's. Nothing was done."
	codex.Works("take_snapshot", theirs)
	codex.Works("take_screenshot", theirs)
	codex.Works("select_page", theirs)
	for tool, more := range map[string]harness.Object{
		"navigate_page":   {"type": "reload"},
		"press_key":       {"key": "a"},
		"evaluate_script": {"function": "() => 1"},
		"resize_page":     {"width": 500, "height": 500},
		"close_page":      {},
		"select_page":     {"bringToFront": true},
	} {
		codex.Fails(tool, with(harness.Object{"pageId": theirs["pageId"]}, more), words, `"take":true`)
	}
	if n := web.loaded("a"); n != 1 {
		t.Errorf("the page was loaded %d times", n)
	}

	t.Run("popups belong to their opener", func(t *testing.T) {
		claude.Works("select_page", claude.on("tab-a"))
		for _, line := range []string{`button "open"`, `link "quiet"`} {
			claude.Works("click", harness.Object{"uid": claude.Find(line)})
		}
		for _, title := range []string{"tab-a-popup", "tab-a-quiet"} {
			harness.Wait(t, title, func() bool { n, _ := codex.listed(title); return n > 0 })
			if _, label := claude.listed(title); label != "yours" {
				t.Errorf("%s is [%s]", title, label)
			}
			codex.Fails("close_page", codex.on(title), words)
		}
	})
	t.Run("everybody sees whose it is", func(t *testing.T) {
		if out := a.Must("running"); !strings.Contains(out, "claude-code 3") {
			t.Errorf("cove running: %s", out)
		}
		v, end := a.Watch(1, "")
		harness.Wait(t, "the owner in the live view", func() bool {
			for _, tab := range v.Tabs() {
				if tab.Title == "tab-a" && tab.Owner == "claude-code" {
					return true
				}
			}
			return false
		})
		end()
	})
	t.Run("an agent takes one, and the other hears it", func(t *testing.T) {
		got := codex.Works("select_page", with(codex.on("tab-a"), harness.Object{"take": true}))
		if !strings.Contains(got, "was claude-code's and is yours now") || !strings.Contains(got, "[yours]") {
			t.Errorf("it reads %s", got)
		}
		codex.Works("navigate_page", with(codex.on("tab-a"), harness.Object{"type": "reload"}))
		said := claude.Tool("navigate_page", harness.Object{"pageId": 2, "type": "reload"})
		if !said.IsError || !strings.Contains(said.Text, "codex has taken page 2") ||
			!strings.Contains(said.Text, "Page 2 is codex's.") {
			t.Errorf("the loser hears: %s", said.Text)
		}
		if again := claude.Works("list_pages", nil); strings.Contains(again, "has taken") {
			t.Errorf("it hears it twice: %s", again)
		}
		entries := a.Must("journal", "show", "1")
		if strings.Count(entries, "codex 1 took a page from claude-code") != 1 {
			t.Errorf("the journal says %s", entries)
		}
	})
	t.Run("the person outranks all", func(t *testing.T) {
		v, end := a.Watch(1, "")
		defer end()
		v.Control(true, "")
		harness.Wait(t, "the person's page", func() bool {
			return strings.Contains(claude.Works("list_pages", nil), "[person]")
		})
		v.Control(false, "")
	})
	t.Run("a program under open closes one, and its owner hears it", func(t *testing.T) {
		w, _ := dialWire(t, a.Socket(1))
		for _, target := range targetsOf(w) {
			if target.URL == web.URL+"/tab/a-popup" {
				w.must("", "Target.closeTarget", m{"targetId": target.TargetID}, nil)
			}
		}
		harness.Wait(t, "its end", func() bool { n, _ := codex.listed("tab-a-popup"); return n == 0 })
		if said := claude.Works("list_pages", nil); !strings.Contains(said, "has closed page 3") {
			t.Errorf("it hears %s", said)
		}
	})
	t.Run("an agent that leaves owns nothing", func(t *testing.T) {
		codex.Close()
		harness.Wait(t, "the free page", func() bool { _, label := claude.listed("tab-a"); return label == "free" })
		claude.Works("navigate_page", with(claude.on("tab-a"), harness.Object{"type": "reload"}))
	})
	t.Run("shared tabs", func(t *testing.T) {
		a.Policy(1, "--tabs", "shared")
		other := namedAgent(a, "gemini")
		other.Works("navigate_page", harness.Object{"pageId": 2, "type": "reload"})
		if list := other.Works("list_pages", nil); strings.Contains(list, "[free]") || strings.Contains(list, "[yours]") {
			t.Errorf("the list says whose they are: %s", list)
		}
	})
}

type target struct{ TargetID, Type, URL string }

func targetsOf(w *wire) []target {
	w.t.Helper()
	var all struct{ TargetInfos []target }
	w.must("", "Target.getTargets", nil, &all)
	return all.TargetInfos
}

func TestAnAgentAsksForATabUnderGuarded(t *testing.T) {
	web, a := newTabSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	claude, codex := namedAgent(a, "claude-code"), namedAgent(a, "codex")
	claude.Works("new_page", harness.Object{"url": web.URL + "/tab/a"})
	take := with(codex.on("tab-a"), harness.Object{"take": true})

	for _, c := range []struct {
		reply, label string
		fails        bool
	}{{`{"decline":true}`, "claude-code", true}, {`{"allow":true}`, "yours", false}} {
		asked := codex.BeginTool("select_page", take)
		ask := openRequest(t, a)
		if !strings.Contains(ask.What, `take a page from "claude-code"`) || ask.Class != "tab" {
			t.Errorf("the person is asked: %+v", ask)
		}
		claude.Works("navigate_page", with(claude.on("tab-a"), harness.Object{"type": "reload"})) // nothing waits for it
		answerRequest(t, a, ask.ID, c.reply)
		if got := asked.Tool(); got.IsError != c.fails {
			t.Errorf("%s: %s", c.reply, got.Text)
		}
		if _, label := codex.listed("tab-a"); label != c.label {
			t.Errorf("%s: the page is [%s]", c.reply, label)
		}
	}
	a.Policy(1, "--right", "tab=no")
	claude.Fails("select_page", with(claude.on("tab-a"), harness.Object{"take": true}),
		"does not allow agents to take tabs from other agents")
}

// Each command of an agent in a shell is a process of its own, and its session owns the tabs.
func TestShellsWorkInTabsOfTheirOwn(t *testing.T) {
	web, a := newTabSite(t), harness.Start(t, harness.With("HOME="+t.TempDir()))
	a.Open(1)
	claude, again, codex := a.Shell("claude-code", "one"), a.Shell("claude-code", "two"), a.Shell("codex", "one")
	claude.Does("open", web.URL+"/tab/a", "--new")

	const line = `2 "tab-a" `
	for s, label := range map[*harness.Shell]string{claude: "[yours]", again: "[claude-code]", codex: "[claude-code]"} {
		out := s.Does("tabs")
		_, rest, _ := strings.Cut(out, line)
		if first, _, _ := strings.Cut(rest, "\n"); !strings.HasSuffix(first, label) {
			t.Errorf("%v reads\n%s", s.Env, out)
		}
	}
	claude.Does("reload")
	for _, s := range []*harness.Shell{again, codex} {
		s.Does("snapshot", "-t", "2")
		s.Fails(4, "Page 2 is claude-code's.", "reload", "-t", "2")
		s.Fails(4, "cove page tab 2 --take", "close", "2")
	}
	codex.Does("tab", "2", "--take")
	codex.Does("reload")
	if p := claude.Try("reload"); p.Code != 4 || !strings.Contains(p.Out+p.Err, "codex has taken page 2") {
		t.Errorf("the loser hears: %d\n%s%s", p.Code, p.Out, p.Err)
	}
}

func TestAnAgentOverHTTPOwnsTabsWhileItsSessionLasts(t *testing.T) {
	web, a := newTabSite(t), harness.Start(t)
	a.Open(1)
	codex := namedAgent(a, "codex")
	agent := &harness.WebAgent{A: a, Path: "/mcp/1", Token: a.Token()}
	if r := agent.Initialize(); r.Status != http.StatusOK {
		t.Fatalf("%d %s", r.Status, r.Raw)
	}
	agent.Tool("new_page", harness.Object{"url": web.URL + "/tab/a"})
	if _, label := codex.listed("tab-a"); label != "e2e" {
		t.Errorf("the page is [%s]", label)
	}
	r := a.Request(http.MethodDelete, "/mcp/1", "", "Authorization", "Bearer "+agent.Token, "Mcp-Session-Id",
		agent.Session)
	if r.Status >= http.StatusMultipleChoices {
		t.Fatalf("DELETE: %d %s", r.Status, r.Raw)
	}
	harness.Wait(t, "the free page", func() bool { _, label := codex.listed("tab-a"); return label == "free" })
}

func TestRealClientsLeaveAnAgentsTabAlone(t *testing.T) {
	web, a := newTabSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded", "--right", "script=yes", "--right", "download=yes")
	claude := namedAgent(a, "claude-code")
	claude.Works("new_page", harness.Object{"url": web.URL + "/tab/a"})

	var got map[string]struct {
		Found, Closed                 bool
		Goto, Click, Eval, Close, Own string
	}
	harness.Node(t, &got, "tabs.mjs", a.Socket(1), web.URL+"/tab/a", web.URL+"/tab/own")
	for _, name := range []string{"puppeteer", "playwright"} {
		r := got[name]
		if !r.Found || r.Closed || r.Own != "tab-own" {
			t.Errorf("%s does not work: %+v", name, r)
		}
		for step, said := range map[string]string{"goto": r.Goto, "click": r.Click, "eval": r.Eval, "close": r.Close} {
			told := strings.Contains(said, "This page is claude-code's.")
			if name == "playwright" && step == "eval" {
				told = said != "" // it explains every failed script in its own words
			}
			if !told && (name != "playwright" || step != "close") { // see tabs.mjs
				t.Errorf("%s of %s: %q", step, name, said)
			}
		}
	}
	if _, label := claude.listed("tab-a"); label != "yours" || web.loaded("a") != 1 { // the title tells a resize
		t.Errorf("afterwards the page is [%s], loaded %d times", label, web.loaded("a"))
	}
}

// tabTrial is a run of TestRandomStepsInOneProfile. owners holds for each tab who owns it; "" for nobody.
type tabTrial struct {
	t       *testing.T
	a       *harness.App
	web     *tabSite
	random  *rand.Rand
	agents  []tabAgent
	program *wire
	owners  map[string]string
	tabs    []string
	next    int
	refused map[string]int // by who was refused
}

// Two agents, a program under guarded and a person work in one profile, one random step after the other: nobody acts in
// another's tab, nobody is stuck, and every refusal names the owner. make trial-tabs runs a thousand steps.
func TestRandomStepsInOneProfile(t *testing.T) {
	steps, _ := strconv.Atoi(os.Getenv("COVE_TABS"))
	if steps == 0 {
		steps = 80
	}
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	web, a := newTabSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	w, _ := dialWire(t, a.Socket(1))
	trial := &tabTrial{
		t: t, a: a, web: web, random: rand.New(rand.NewPCG(seed, 0)), program: w,
		agents: []tabAgent{namedAgent(a, "claude-code"), namedAgent(a, "codex")},
		owners: map[string]string{}, refused: map[string]int{},
	}
	for _, m := range trial.agents {
		trial.open(m)
	}
	trial.openProgram()
	for range steps {
		trial.step()
		if t.Failed() {
			t.FailNow()
		}
	}
	t.Logf("refused: %v", trial.refused)
	for _, m := range trial.agents {
		if trial.refused[m.name] == 0 {
			t.Errorf("%s was never refused: the run tries nothing", m.name)
		}
	}
	if trial.refused[programName] == 0 {
		t.Error("the program was never refused")
	}
}

const programName = "the program"

// newTab returns the name of a tab that its owner opens.
func (r *tabTrial) newTab(owner string) string {
	r.next++
	name := strconv.Itoa(r.next)
	r.tabs, r.owners[name] = append(r.tabs, name), owner
	return name
}

func (r *tabTrial) open(m tabAgent) string {
	name := r.newTab(m.name)
	m.Works("new_page", harness.Object{"url": r.web.URL + "/tab/" + name})
	return name
}

func (r *tabTrial) openProgram() string {
	name := r.newTab(programName)
	r.program.tab(r.web.URL + "/tab/" + name)
	harness.Wait(r.t, "the program's tab", func() bool { return r.web.loaded(name) > 0 })
	return name
}

func (r *tabTrial) step() {
	r.t.Helper()
	tab := r.tabs[r.random.IntN(len(r.tabs))]
	if len(r.tabs) > 8 {
		r.closeOwn(tab)
		return
	}
	who := r.random.IntN(len(r.agents) + 1)
	if who == len(r.agents) {
		r.programStep(tab)
		return
	}
	m := r.agents[who]
	switch r.random.IntN(12) {
	case 0:
		r.open(m)
	case 1:
		r.take(m, tab)
	case 2:
		r.person(m, tab)
	case 3:
		m.Works("take_snapshot", m.on("tab-"+tab)) // whosever it is
	default:
		r.act(m, tab)
	}
}

// act reloads a page, which must work exactly when it is the agent's or nobody's.
func (r *tabTrial) act(m tabAgent, tab string) {
	r.t.Helper()
	before, owner := r.web.loaded(tab), r.owners[tab]
	got := m.Tool("navigate_page", with(m.on("tab-"+tab), harness.Object{"type": "reload"}))
	if owner == "" || owner == m.name {
		if got.IsError || r.web.loaded(tab) != before+1 {
			r.t.Errorf("%s in its own tab %s: %s", m.name, tab, got.Text)
		}
		r.owners[tab] = m.name
		return
	}
	r.mustRefuse(m.name, tab, got.Text, before)
	if !got.IsError {
		r.t.Errorf("%s acted in a tab of %s", m.name, owner)
	}
	if own := r.open(m); !r.t.Failed() { // it is not stuck
		r.act(m, own)
	}
}

// mustRefuse checks that a refusal names the owner, and that nothing was done.
func (r *tabTrial) mustRefuse(who, tab, said string, before int) {
	r.t.Helper()
	r.refused[who]++
	name := r.owners[tab]
	if name == programName {
		name = "policy.test" // the process of the test
	}
	if !strings.Contains(said, " is "+name) || !strings.Contains(said, "'s.") || r.web.loaded(tab) != before {
		r.t.Errorf("%s in a tab of %s, loaded %d times and then %d: %s", who, name, before, r.web.loaded(tab), said)
	}
}

// target returns the target of a tab. A page that loads anew while it loads has no address for a moment.
func (r *tabTrial) target(tab string) (id string) {
	r.t.Helper()
	harness.Wait(r.t, "the address of tab "+tab, func() bool {
		for _, one := range targetsOf(r.program) {
			if one.URL == r.web.URL+"/tab/"+tab {
				id = one.TargetID
			}
		}
		return id != ""
	})
	return id
}

func (r *tabTrial) programStep(tab string) {
	r.t.Helper()
	address, target := r.web.URL+"/tab/"+tab, r.target(tab)
	var attached struct{ SessionID string }
	r.program.must("", "Target.attachToTarget", m{"targetId": target, "flatten": true}, &attached)
	defer r.program.must("", "Target.detachFromTarget", m{"sessionId": attached.SessionID}, nil)
	before, owner := r.web.loaded(tab), r.owners[tab]
	said := r.program.do(attached.SessionID, "Page.navigate", m{"url": address}, nil)
	if owner != "" && owner != programName {
		r.mustRefuse(programName, tab, said, before)
		r.program.refused("", "Target.closeTarget", m{"targetId": target}, "is "+owner)
		return
	}
	if said != "" {
		r.t.Errorf("the program in its own tab: %s", said)
	}
	harness.Wait(r.t, "its page", func() bool { return r.web.loaded(tab) > before })
	r.owners[tab] = programName
}

// take takes a tab. Where it is somebody else's, the person is asked and says yes or no.
func (r *tabTrial) take(m tabAgent, tab string) {
	r.t.Helper()
	asked := m.BeginTool("select_page", with(m.on("tab-"+tab), harness.Object{"take": true}))
	if r.owners[tab] == "" || r.owners[tab] == m.name {
		if got := asked.Tool(); got.IsError {
			r.t.Errorf("it takes its own tab: %s", got.Text)
		}
		r.owners[tab] = m.name
		return
	}
	yes := r.random.IntN(2) == 0
	answer := map[bool]string{true: `{"allow":true}`, false: `{"decline":true}`}[yes]
	answerRequest(r.t, r.a, openRequest(r.t, r.a).ID, answer)
	if got := asked.Tool(); got.IsError == yes {
		r.t.Errorf("the person said %v: %s", yes, got.Text)
	}
	if yes {
		r.owners[tab] = m.name
	}
}

// person works in a tab while an agent wants to, and hands it back: the agent waits, and then it is as without the
// person.
func (r *tabTrial) person(m tabAgent, tab string) {
	r.t.Helper()
	id := r.target(tab)
	control := func(on bool) {
		body, _ := json.Marshal(api.LiveControl{Tab: id, On: on})
		if got := r.a.Own(http.MethodPost, harness.StatePath(1, "/live/control"), string(body)); got.Status != http.StatusOK {
			r.t.Fatalf("control %v: %d %s", on, got.Status, got.Raw)
		}
	}
	where := m.on("tab-" + tab)
	control(true)
	if _, label := m.listed("tab-" + tab); label != "person" {
		r.t.Errorf("the person's page is [%s]", label)
	}
	waits := m.BeginTool("take_snapshot", where)
	if !waits.Waits() {
		r.t.Error("it looks at the person's page")
	}
	control(false)
	if got := waits.Tool(); got.IsError {
		r.t.Errorf("after the person: %s", got.Text)
	}
	r.act(m, tab)
}

// closeOwn has its owner close a tab.
func (r *tabTrial) closeOwn(tab string) {
	r.t.Helper()
	owner := r.owners[tab]
	for _, m := range r.agents {
		if owner == m.name {
			m.Works("close_page", m.on("tab-"+tab))
		}
	}
	if owner == programName {
		for _, one := range targetsOf(r.program) {
			if one.URL == r.web.URL+"/tab/"+tab {
				r.program.must("", "Target.closeTarget", m{"targetId": one.TargetID}, nil)
			}
		}
		m := r.agents[0]
		harness.Wait(r.t, "its end", func() bool { n, _ := m.listed("tab-" + tab); return n == 0 })
	}
	for i, name := range r.tabs {
		if name == tab {
			r.tabs = append(r.tabs[:i:i], r.tabs[i+1:]...)
			break
		}
	}
}
