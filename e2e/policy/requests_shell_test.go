//go:build e2e

package policy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// A step whose download waits for the person has not done what the agent wants: its exit code says so, and the steps
// after it are not run.
func TestADownloadByShellWaitsForThePerson(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	s := a.Shell("tester", "one")
	s.Does("open", web.URL+"/download")
	link := s.Ref(`link "Get the file"`)

	waits := func(words ...string) {
		t.Helper()
		p := s.Try(append(words, "--timeout", "50ms")...)
		if p.Code != 8 || strings.HasPrefix(p.Out, "ok") || !strings.Contains(p.Err, "report.txt") {
			t.Errorf("%v: exit code %d\n%s%s", words, p.Code, p.Out, p.Err)
		}
		holds(t, p.Err, "The step was done, but its download was not", "stays open", "!nothing was done")
	}
	waits("click", link)
	waits("do", "click "+link+" --timeout 50ms", "open "+web.URL+"/search")
	holds(t, s.Does("tabs"), "/download", "!/search")
	a.Decide(1, a.Asked(1), false)
	s.Fails(5, "The user denied this: download the file", "click", link)

	// A late yes is for the same command, and for one file.
	waits("click", link)
	a.Decide(1, a.Asked(1), true)
	holds(t, s.Does("click", link), "ok download ", "!canceled")
	waits("click", link)
	a.Decide(1, a.Asked(1), false)
	s.Fails(5, "The user denied this", "click", link)

	// So is a yes during the command, which cannot get the file any more.
	end := make(chan harness.Printed, 1)
	go func() { end <- s.Try("click", link, "--timeout", "60s") }()
	a.Decide(1, a.Asked(1), true)
	if p := <-end; p.Code != 8 || !strings.Contains(p.Err, "The user has allowed it: do the same again") {
		t.Errorf("a yes during the step: exit code %d\n%s%s", p.Code, p.Out, p.Err)
	}
	holds(t, s.Does("click", link), "ok download ", "!canceled")

	// It is for one tab, too.
	s.Does("open", web.URL+"/download")
	s.Does("press", "Tab")
	waits("press", "Enter")
	a.Decide(1, a.Asked(1), true)
	s.Does("open", web.URL+"/download", "--new")
	s.Does("press", "Tab")
	waits("press", "Enter")
	a.Decide(1, a.Asked(1), false)
	s.Fails(5, "The user denied this", "press", "Enter")
	s.Does("tab", "1")
	holds(t, s.Does("press", "Enter"), "ok download ", "!canceled")

	a.Policy(1, "--right", "download=no")
	var refused struct {
		OK   bool
		Exit int
	}
	if code := s.JSON(&refused, "press", "Enter"); code != 5 || refused.Exit != 5 || refused.OK {
		t.Errorf("where it is not allowed: exit code %d, %+v", code, refused)
	}
}

// A yes for a step among several holds for that step alone: those before it need not act twice. It does not hold in
// another tab.
func TestAYesForAStepAmongSeveralHoldsForItAlone(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	s := a.Shell("tester", "one")
	s.Does("open", web.URL+"/login")
	password, send := s.Ref(`textbox "Password"`), s.Ref(`button "Sign in"`)

	p := s.Try("do", "fill "+password+"=x", "click "+send+" --timeout 50ms", "wait thank")
	if p.Code != 8 {
		t.Errorf("exit code %d\n%s%s", p.Code, p.Out, p.Err)
	}
	holds(t, p.Err, "Step 2 of 3", "this was not done", "The steps before it were done",
		"only this step and those after it", "!Do the same again", "!nothing was done")
	a.Decide(1, a.Asked(1), true)
	s.Does("do", "click "+send+" --timeout 50ms", "wait thank")

	// The same with the key that a command presses after it has filled in a field.
	s.Does("open", web.URL+"/login")
	s.Does("fill", s.Ref(`textbox "Password"`)+"=x")
	s.Fails(8, "stays open", "fill", s.Ref(`textbox "User"`)+"=ann", "--enter", "--timeout", "50ms")
	a.Decide(1, a.Asked(1), true)
	s.Does("press", "Enter", "--timeout", "50ms")
	if got := web.got(); len(got) != 2 {
		t.Errorf("sent: %v", got)
	}

	s.Does("open", web.URL+"/login")
	s.Does("fill", s.Ref(`textbox "Password"`)+"=x")
	s.Fails(8, "stays open", "press", "Enter", "--timeout", "50ms")
	a.Decide(1, a.Asked(1), true)
	s.Does("open", web.URL+"/login", "--new")
	s.Does("fill", s.Ref(`textbox "Password"`)+"=x")
	s.Fails(8, "stays open", "press", "Enter", "--timeout", "50ms")
	if got := web.got(); len(got) != 2 {
		t.Errorf("sent: %v", got)
	}
}

// A yes for an upload is for the file as it was when the person was asked.
func TestAYesForAnUploadIsForTheFileAsItWas(t *testing.T) {
	web, a := newFormSite(t), harness.Start(t)
	a.Open(1)
	a.Policy(1, "--preset", "guarded")
	s := a.Shell("tester", "one")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(s.Dir, "note.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s.Does("open", web.URL+"/upload")
	field := s.Ref(`button "File"`)

	write("harmless")
	s.Fails(8, "stays open", "upload", field, "note.txt", "--timeout", "50ms")
	a.Decide(1, a.Asked(1), true)
	write("changed!")
	s.Fails(8, "stays open", "upload", field, "note.txt", "--timeout", "50ms")
	a.Decide(1, a.Asked(1), true)
	s.Does("upload", field, "note.txt", "--timeout", "50ms")

	end := make(chan harness.Printed, 1)
	go func() { end <- s.Try("upload", field, "note.txt", "--timeout", "60s") }()
	first := a.Asked(1)
	write("again!!!")
	a.Decide(1, first, true)
	second := a.Asked(1) // the file has changed while the person was asked
	a.Decide(1, second, false)
	if p := <-end; p.Code != 5 || first.ID == second.ID {
		t.Errorf("changed meanwhile: exit code %d\n%s%s", p.Code, p.Out, p.Err)
	}
}
