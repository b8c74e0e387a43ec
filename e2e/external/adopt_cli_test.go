//go:build e2e

package external

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// running is a command in the background.
type running struct {
	t   *testing.T
	cmd *exec.Cmd
	out harness.Words
}

func background(t *testing.T, a *harness.App, args ...string) *running {
	t.Helper()
	r := &running{t: t, cmd: harness.Exec(t, harness.Cove, args...)}
	r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = a.Environ(), &r.out, &r.out
	if err := r.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// says waits until the command has printed some words.
func (r *running) says(words string) {
	r.t.Helper()
	harness.Wait(r.t, words, func() bool { return strings.Contains(r.out.String(), words) })
}

// ends waits for the end of the command, which has to exit with a code and print some words.
func (r *running) ends(code int, words ...string) {
	r.t.Helper()
	_ = r.cmd.Wait()
	out := strings.ReplaceAll(r.out.String(), harness.Cove, "cove")
	if got := r.cmd.ProcessState.ExitCode(); got != code {
		r.t.Errorf("it exits %d: %s", got, out)
	}
	for _, word := range words {
		if !strings.Contains(out, word) {
			r.t.Errorf("no %q in %s", word, out)
		}
	}
}

// TestABrowserIsAskedOneQuestion: sharings and imports of one browser, also under other names, at once.
func TestABrowserIsAskedOneQuestion(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	share := []string{"adopt", "--from", p.DataDir}
	take := []string{"import", "browser", "1", "--from", p.DataDir, "--site", "s1.localhost"}

	importing := background(t, a, take...)
	importing.says("press Allow")
	if out, code := a.Cli(share...); code != 4 || !strings.Contains(out, "Finish or cancel that import") {
		t.Errorf("a sharing during an import: %d %s", code, out)
	}
	if got := a.Own("GET", harness.StatePath(shared, ""), ""); got.Status != 404 {
		t.Errorf("it leaves a profile: %s", got.Raw)
	}
	p.Refuse()
	importing.ends(5, "you pressed Cancel")

	sharings := make([]*running, 4)
	for n := range sharings {
		sharings[n] = background(t, a, append([]string{"adopt", "name" + string(rune('a'+n))}, share[1:]...)...)
	}
	harness.Wait(t, "the question", p.Asked)
	if out, code := a.Cli(take...); code != 4 || !strings.Contains(out, "waiting to be shared") {
		t.Errorf("an import during a sharing: %d %s", code, out)
	}
	p.Allow()
	codes := map[int]int{}
	for _, one := range sharings {
		_ = one.cmd.Wait()
		codes[one.cmd.ProcessState.ExitCode()]++
	}
	if codes[0] != 1 || codes[4] != len(sharings)-1 || p.Asked() || connections(t, port(p)) != 1 {
		t.Errorf("they exit %v, %d connections", codes, connections(t, port(p)))
	}
	if out := a.Must("profile", "list"); strings.Count(out, "your browser") != 1 {
		t.Errorf("one profile stands for the browser: %s", out)
	}

	importing = background(t, a, take...) // one new question, which the person asked for
	p.Allow()
	importing.ends(0, "imported")
	if out := a.Must("adopt", "--from", p.DataDir); !strings.Contains(out, "shared already, as name") ||
		strings.Contains(out, "Ctrl-C") {
		t.Errorf("a bare adopt of a browser that is shared: %s", out)
	}
}

// TestAWaitingAdoptEnds in each way with the reason and the next step.
func TestAWaitingAdoptEnds(t *testing.T) {
	p, a := harness.NewPerson(t), harness.Start(t)
	states := a.Events()
	ended := func(line string) {
		t.Helper()
		harness.Wait(t, line, func() bool {
			states.Mu.Lock()
			defer states.Mu.Unlock()
			return slices.Contains(states.Seen, line)
		})
	}
	start := func() *running {
		one := background(t, a, "adopt", "--from", p.DataDir)
		one.says("Allow remote debugging")
		if out := a.Must("profile", "list"); !strings.Contains(out, "your browser: waits for Allow in it") {
			t.Errorf("meanwhile: %s", out)
		}
		return one
	}

	// Ctrl-C, and a refusal, leave no profile that was never shared.
	one := start()
	_ = one.cmd.Process.Signal(os.Interrupt)
	one.ends(1, "It holds everything you are logged in to", "not shared", "press Cancel there")
	p.Refuse()
	if out := a.Must("profile", "list"); strings.Contains(out, "my-browser") {
		t.Errorf("after Ctrl-C: %s", out)
	}
	one = start()
	p.Refuse()
	one.ends(5, "you pressed Cancel")
	ended("3 closed automation refused")
	if out := a.Must("profile", "list"); strings.Contains(out, "my-browser") {
		t.Errorf("after a refusal: %s", out)
	}

	one = start()
	harness.Kill(t, a.Keeper(4))
	one.ends(6, "was lost before it was allowed", "press Cancel there", "cove adopt 4")
	ended("4 closed automation keeper-ended")
	if out := a.Must("profile", "list"); !strings.Contains(out, "your browser: connection lost") {
		t.Errorf("after the keeper died: %s", out)
	}
	p.Refuse() // the question that it left

	one = start()
	if out := a.Must("stop", "4"); !strings.Contains(out, "press Cancel there") {
		t.Errorf("stop: %s", out)
	}
	one.ends(4, "cancelled before it was allowed", "press Cancel there", "cove adopt 4")
	p.Refuse()

	one = start()
	p.Refuse()
	one.ends(5, "you pressed Cancel")
	if out := a.Must("profile", "list"); !strings.Contains(out, "your browser: refused") {
		t.Errorf("a profile that was there stays: %s", out)
	}
}

// TestCommandsKnowASharedBrowser: none of them tells the person to share what is shared, and they say how it ended.
func TestCommandsKnowASharedBrowser(t *testing.T) {
	s, p := newSites(t, 2), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/one"))
	p.Visit("Default", s.url(2, "/two?bank=99"))
	a := harness.Start(t)
	adopt(t, a, p, "Default")
	share(t, a, "/one")
	for _, row := range []struct {
		words string
		code  int
		hint  string
	}{
		{"verify my-browser", 2, "cove adopt share 2"},
		{"start my-browser", 2, "cove page tabs -p 2"},
		{"start my-browser --automation", 4, "cove adopt share 2"},
		{"adopt", 0, "shared already"},
		{"adopt share my-browser 1", 2, "leave TAB out"},
		{"adopt share my-browser localhost", 4, "tabs have"},
		{"adopt share my-browser nowhere", 3, "/two"},
		{"adopt share my-browser two", 0, "cove client add CLIENT my-browser"},
		{"adopt unshare my-browser two", 0, "/two"},
		{"adopt unshare my-browser two", 0, "is not shared"},
		{"policy set my-browser --preset open", 5, "cove pin set"},
		{"profile list", 0, "your browser: shared"},
		{"status", 0, "your browser"},
		{"running", 0, "your browser"},
		{"panic", 0, "disconnected from: 2 (my-browser)"},
		{"panic --undo", 0, ""},
	} {
		out, code := a.Cli(strings.Fields(row.words)...)
		if out = strings.ReplaceAll(out, harness.Cove, "cove"); code != row.code || !strings.Contains(out, row.hint) {
			t.Errorf("cove %s: %d %s", row.words, code, out)
		}
		if strings.Contains(out, "Share it with") || strings.Contains(out, "can share it") {
			t.Errorf("cove %s tells to share it: %s", row.words, out)
		}
	}
	shell := a.Shell("tester", "one")
	shell.Does("tabs", "-p", "my-browser")
	if out := a.Must("stop", "my-browser"); !strings.Contains(out, "let go") || !strings.Contains(out, "stay open") {
		t.Errorf("stop: %s", out)
	}
	if got := shell.Try("tabs", "-p", "my-browser"); got.Code == 0 || !strings.Contains(got.Err, "adopt 2") ||
		strings.Contains(got.Err, "start 2") {
		t.Errorf("an agent after the end: %+v", got)
	}
	if out := a.Must("profile", "list"); !strings.Contains(out, "your browser: let go") {
		t.Errorf("after the end: %s", out)
	}
}

// TestAPolicyIsInForceWhileABrowserWaits for its person: for calls that have waited as well.
func TestAPolicyIsInForceWhileABrowserWaits(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/open"))
	a := harness.Start(t)
	adopting := background(t, a, "adopt", "--from", p.DataDir)
	adopting.says("Allow remote debugging")
	shell := a.Shell("tester", "one")
	waited := make(chan harness.Printed, 1)
	go func() { waited <- shell.Try("open", s.url(1, "/agents"), "--new", "-p", "my-browser") }()
	setting := background(t, a, "policy", "set", "my-browser", "--block", "http://s1.localhost:*")
	setting.says("Agents never work on http://s1.localhost:*")
	setting.ends(0)
	p.Allow()
	adopting.ends(0)
	if got := <-waited; got.Code == 0 || s.saw("/agents") != "" {
		t.Errorf("a call that waited: %+v", got)
	}
}
