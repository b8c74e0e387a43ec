//go:build e2e

package policy

import (
	"regexp"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// shopper is an agent in a shell that uses the tools of the shop's pages under one preset.
type shopper struct {
	*harness.Shell
	t      *testing.T
	web    *shopSite
	preset string
	said   strings.Builder // all that its calls have printed
}

// visit shows a page of the shop. Where agents only look, it was there before the policy.
func (s *shopper) visit(path string) string {
	s.t.Helper()
	if s.preset == "read-only" {
		s.App.Policy(1, "--preset", "open")
		defer s.App.Policy(1, "--preset", "read-only")
	}
	return s.Does("open", s.web.URL+path)
}

// try runs `cove page tools` and checks whose words stand in column 0.
func (s *shopper) try(words ...string) harness.Printed {
	s.t.Helper()
	p := s.Try(append([]string{"tools"}, words...)...)
	s.said.WriteString(p.Out + p.Err)
	for _, line := range strings.FieldsFunc(p.Out+"\n"+p.Err, func(r rune) bool {
		return strings.ContainsRune("\n\r\v\f\u0085\u2028\u2029", r)
	}) {
		theirs := regexp.MustCompile(`wicked|allowed everything|Adds a product|Logs in|^.?\{`).MatchString(line)
		if theirs && !strings.HasPrefix(line, " ") {
			s.t.Errorf("tools %s: the page's words in Cove's line: %s", strings.Join(words, " "), line)
		}
	}
	return p
}

// call calls a tool and returns what was printed; "" where agents only look. In a guarded profile it waits with exit
// code 8 for a yes to each class, and the same command passes once after them.
func (s *shopper) call(classes []string, words ...string) string {
	s.t.Helper()
	words = append([]string{"call"}, words...)
	s.allow(classes, words...)
	p := s.try(words...)
	switch {
	case s.preset == "read-only":
		if p.Code != 5 || p.Out != "" || !strings.Contains(p.Err, "does not allow agents to") {
			s.t.Errorf("%v: exit code %d\n%s%s", words, p.Code, p.Out, p.Err)
		}
	case p.Code != 0 || !strings.HasPrefix(p.Out, "ok"):
		s.t.Errorf("%v: exit code %d\n%s%s", words, p.Code, p.Out, p.Err)
	}
	return p.Out
}

// allow has the person say yes to a call before it passes, where one is asked.
func (s *shopper) allow(classes []string, words ...string) {
	s.t.Helper()
	if s.preset != "guarded" {
		return
	}
	for _, class := range classes {
		p := s.try(append(words, "--timeout", "50ms")...)
		if p.Code != 8 || p.Out != "" || !strings.Contains(p.Err, "stays open") {
			s.t.Errorf("%v: exit code %d before the yes\n%s%s", words, p.Code, p.Out, p.Err)
		}
		w := s.App.Asked(1)
		if w.Class != class || len(w.Picture) == 0 {
			s.t.Errorf("%v: asked for %s, not %s: %s", words, w.Class, class, w.What)
		}
		s.App.Decide(1, w, true)
	}
}

// begin calls a tool and does not wait for the answer.
func (s *shopper) begin(words ...string) (end func() harness.Printed) {
	ended := make(chan harness.Printed, 1)
	go func() { ended <- s.try(append([]string{"call"}, words...)...) }()
	return func() harness.Printed { return <-ended }
}

// ends checks how a command has ended.
func (s *shopper) ends(p harness.Printed, code int, words string) {
	s.t.Helper()
	if p.Code != code || !strings.Contains(p.Err, words) {
		s.t.Errorf("exit code %d, not %d with %q\n%s%s", p.Code, code, words, p.Out, p.Err)
	}
}

// shows checks the shop's cart.
func (s *shopper) shows(cart string) {
	s.t.Helper()
	if s.preset == "read-only" {
		cart = "empty"
	}
	holds(s.t, s.Does("snapshot"), cart)
}

var onlyTool = []string{"page_tool"}

func TestPageToolsByShell(t *testing.T) {
	web, a := newShop(t), harness.Start(t)
	a.Open(1)
	for _, preset := range []string{"open", "guarded", "read-only"} {
		t.Run(preset, func(t *testing.T) {
			a.Policy(1, "--preset", preset, "--tabs", "shared") // so that a program can reload the agent's page
			shell := a.Shell("tester", preset)
			shell.T = t
			s := &shopper{Shell: shell, t: t, web: web, preset: preset}
			web.sent.Store("")
			web.began.Store(0)

			s.threeTools()
			s.passwordForm()
			s.manyTools()
			s.forgedWords()
			if preset != "read-only" {
				s.reloaded()
			}
			switch preset {
			case "open":
				s.formTwice()
				s.frames()
			case "guarded":
				s.exchanged()
			}
			holds(t, s.said.String(), "!sesame-77")
			holds(t, a.Must("journal", "export", "1"), "!sesame-77")
		})
	}
}

func (s *shopper) threeTools() {
	s.t.Helper()
	holds(s.t, s.visit("/"), "\nThis page offers 3 tools of its own: `cove page tools`.\n")
	if got := s.try(); got.Out != "Tools of the page, in its own words. Call one with `cove page tools call`.\n"+
		" add_to_cart (script): Adds a product\n search (script, says it is read-only): Finds products\n"+
		" slow (script): Takes its time\n" {
		s.t.Errorf("the list: %s%s", got.Out, got.Err)
	}
	holds(s.t, s.try("add_to_cart").Out, ` input: {"type":"object","properties":{"id":{"type":"integer"}`)
	s.ends(s.try("nobody"), 3, `The page offers no tool "nobody".`)

	got := s.call(onlyTool, "add_to_cart", `{"id":7}`)
	if s.preset == "read-only" {
		s.shows("empty")
		var refused struct {
			OK    bool
			Exit  int
			Error struct{ Code string }
		}
		s.JSON(&refused, "tools", "call", "add_to_cart", `{"id":7}`)
		if refused.OK || refused.Exit != 5 || refused.Error.Code != "E_POLICY" {
			s.t.Errorf("refused: %+v", refused)
		}
		return
	}
	if got != "ok\nThe tool has answered:\n {\"added\":7}\n" {
		s.t.Errorf("the answer: %s", got)
	}
	s.shows("product 7")
	s.ends(s.try("call", "nobody"), 3, `The page offers no tool "nobody".`)
	s.ends(s.try("call", "add_to_cart", `{"id":"x"}`), 2, "must be of the type integer")
	s.ends(s.try("call", "add_to_cart", `{"id":7,"size":"{{secret:pw}}"}`), 2, "Secrets cannot be given")

	words := []string{"call", "search", `{"q":"tea"}`}
	s.allow(onlyTool, words...)
	var done struct {
		OK   bool
		Text string
	}
	if code := s.JSON(&done, append([]string{"tools"}, words...)...); code != 0 || !done.OK || done.Text != "found tea" {
		s.t.Errorf("for programs: exit code %d, %+v", code, done)
	}
	if s.preset == "guarded" {
		var waits struct {
			Exit  int
			Error struct{ Code string }
		}
		s.JSON(&waits, append([]string{"tools", "--timeout", "50ms"}, words...)...)
		if waits.Exit != 8 || waits.Error.Code != "E_NOT_APPROVED" {
			s.t.Errorf("the yes is for once: %+v", waits)
		}
		s.App.Decide(1, s.App.Asked(1), false)
		s.ends(s.try(words...), 5, "The user denied this: call \"search\", a tool of "+s.web.URL)
	}
}

func (s *shopper) passwordForm() {
	s.t.Helper()
	s.visit("/login")
	holds(s.t, s.try().Out, " login (form): Logs in\n")
	const input = `{"user":"ada","pass":"sesame-77"}`
	if s.preset == "guarded" { // a no to the second question is heard, too
		s.allow(onlyTool, "call", "login", input)
		s.ends(s.try("call", "login", input, "--timeout", "50ms"), 8, "a password field to "+s.web.URL+"/welcome")
		s.App.Decide(1, s.App.Asked(1), false)
		s.ends(s.try("call", "login", input), 5, "The user denied this")
		s.sent("")
	}

	got := s.call([]string{"page_tool", "submit"}, "login", input)
	if s.preset == "read-only" {
		s.sent("")
		return
	}
	holds(s.t, got, "ok -> "+s.web.URL+"/welcome?user=ada&pass=redacted\n", "The tool has answered:\n []")
	s.sent("user=ada&pass=sesame-77")
}

// sent checks what the login form has sent.
func (s *shopper) sent(want string) {
	s.t.Helper()
	if got := s.web.sent.Load(); got != want {
		s.t.Errorf("sent: %q, not %q", got, want)
	}
}

func (s *shopper) manyTools() {
	s.t.Helper()
	s.visit("/many")
	list := s.try().Out
	if len(list) > 8000 {
		s.t.Errorf("%d bytes", len(list))
	}
	holds(s.t, list, " t49 (script)", "!t50 (script)", "\n1950 more are not shown: `cove page tools NAME` shows one.\n")
	holds(s.t, s.try("t1999").Out, " t1999 (script): dddddddddd\n")
	if got := s.call(onlyTool, "t1999"); s.preset != "read-only" {
		holds(s.t, got, "\n 1999\n")
	}
}

func (s *shopper) forgedWords() {
	s.t.Helper()
	s.visit("/evil")
	holds(s.t, s.try().Out, "wicked")
	holds(s.t, s.try("evil").Out, "wicked")
	if got := s.call(onlyTool, "evil"); s.preset != "read-only" {
		holds(s.t, got, "\n wicked\n")
	}
	if s.preset == "open" {
		s.ends(s.try("call", "evil", `{"a":"throw"}`), 1, "\n The tool evil failed: Error: wicked\n")
	}
}

// reloaded has somebody else reload the page while its tool runs.
func (s *shopper) reloaded() {
	s.t.Helper()
	s.visit("/")
	s.allow(onlyTool, "call", "slow")
	end := s.begin("slow")
	harness.Wait(s.t, "the tool to begin", func() bool { return s.web.began.Load() == 1 })
	w, _ := dialWire(s.t, s.App.Socket(1))
	var at struct{ SessionID string }
	w.must("", "Target.attachToTarget", m{"targetId": w.targetsOf(s.web.URL)[0].TargetID, "flatten": true}, &at)
	w.must(at.SessionID, "Page.reload", nil, nil)
	s.ends(end(), 1, "The page went elsewhere; whether its tool has finished is not known.")
	holds(s.t, s.call(onlyTool, "search"), "\n found nothing\n")
}

// formTwice calls a form again that waits to be sent.
func (s *shopper) formTwice() {
	s.t.Helper()
	s.visit("/login")
	s.call(nil, "note", `{"text":"one"}`)
	filled := s.call(nil, "note", `{"text":"two"}`)
	send := regexp.MustCompile(`filled in, not sent: click (\S+) to send it`).FindStringSubmatch(filled)
	if send == nil {
		s.t.Fatal(filled)
	}
	holds(s.t, s.Does("click", send[1]), "ok -> "+s.web.URL+"/thanks?text=two\n", "\n [{\"note\":\"kept\"}]\n")
}

func (s *shopper) frames() {
	s.t.Helper()
	s.visit("/frames")
	frame := regexp.MustCompile(`where \(script, frame (\S+)\): b`)
	harness.Wait(s.t, "the frame", func() bool { return frame.MatchString(s.try().Out) })
	s.ends(s.try("call", "where"), 4, "Give --frame REF")
	holds(s.t, s.call(nil, "where", "--frame", frame.FindStringSubmatch(s.try().Out)[1]), "\n in b\n")
}

// exchanged changes a tool while the person is asked about it, or before the agent comes back after the yes.
func (s *shopper) exchanged() {
	s.t.Helper()
	words := []string{"add_to_cart", `{"id":9}`}
	for _, change := range []func(){
		func() { s.Does("click", s.Ref(`button "Swap"`)) }, func() { s.Does("reload") },
	} {
		s.visit("/")
		end := s.begin(append(words, "--timeout", "60s")...)
		w := s.App.Asked(1)
		holds(s.t, w.What, `it says: "Adds a product"`)
		change()
		s.App.Decide(1, w, true)
		s.ends(end(), 4, "The page has changed this tool while the person was asked. Nothing was done.")
		s.shows("empty")
	}

	s.visit("/")
	s.allow(onlyTool, append([]string{"call"}, words...)...)
	s.Does("click", s.Ref(`button "Swap"`))
	s.ends(s.try("call", words[0], words[1], "--timeout", "50ms"), 8, "stays open")
	w := s.App.Asked(1)
	holds(s.t, w.What, `it says: "Empties the account"`)
	s.App.Decide(1, w, false)
	s.ends(s.try("call", words[0], words[1]), 5, "The user denied this")
	s.shows("empty")
}
