//go:build e2e

package external

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// inWindow uses the window of an app that finds the person's browser, and begins the scenario at once. What it returns
// waits for the end.
func inWindow(t *testing.T, p *harness.Person, scenario string) (a *harness.App, wait func()) {
	t.Helper()
	config := t.TempDir()
	if err := os.Symlink(p.DataDir, filepath.Join(config, "chromium")); err != nil {
		t.Fatal(err)
	}
	a = harness.Start(t, harness.With("XDG_CONFIG_HOME="+config))
	given, err := json.Marshal(map[string]string{"base": a.Base, "link": strings.TrimSpace(a.Must("ui")),
		"token": a.Token()})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Wrong []string }
	done := make(chan struct{})
	go func() {
		defer close(done)
		harness.Node(t, &got, "ui.mjs", scenario, string(given))
	}()
	return a, func() {
		t.Helper()
		<-done
		for _, w := range got.Wrong {
			t.Error(w)
		}
	}
}

// TestWindowAdoptsABrowser: the person reads what it means, allows it once, and shares one tab. An agent sees only that
// one, and the browser stays when the person lets it go.
func TestWindowAdoptsABrowser(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	p.Visit("Default", s.url(1, "/"))
	p.Visit("Default", s.url(3, "/"))
	harness.Wait(t, "the browser to write the names of its profiles", func() bool {
		raw, err := os.ReadFile(filepath.Join(p.DataDir, "Local State"))
		return err == nil && strings.Contains(string(raw), "Your Chromium")
	})
	pid := p.PID()
	_, wait := inWindow(t, p, "adopt")
	p.Allow()
	wait()
	if !p.Open() || p.PID() != pid || p.Asked() {
		t.Fatal("the person's browser has gone, or asks")
	}
	d, _ := connect(p, p.Allow)
	if left := d.pages("localhost"); len(left) != 2 {
		t.Errorf("the person's tabs are %v", left)
	}
}

// TestWindowGivesUpABrowser: Cancel ends a start that waits for the person, and nothing asks again.
func TestWindowGivesUpABrowser(t *testing.T) {
	p := harness.NewPerson(t)
	a, wait := inWindow(t, p, "adoptCancelled")
	harness.Wait(t, "the browser's question", p.Asked)
	wait()
	if s, _ := a.State(shared); s != "" {
		t.Errorf("the profile is %q", s)
	}
	p.Refuse()
	if !p.Open() || p.Asked() {
		t.Error("the person's browser has gone, or asks again")
	}
}

// TestWindowSaysWhatABrowserNeeds: the window says to open the browser, why it was refused, and that it was closed.
func TestWindowSaysWhatABrowserNeeds(t *testing.T) {
	p := harness.NewPerson(t)
	p.Quit()
	a, wait := inWindow(t, p, "adoptSteps")
	harness.Wait(t, "the window to say that the browser is not open", func() bool {
		return strings.Contains(a.Own("GET", harness.StatePath(1, ""), "").Raw, `"seen"`)
	})
	if raw := a.Own("GET", harness.StatePath(shared, ""), "").Raw; !strings.Contains(raw, `"step":"no-browser"`) {
		t.Errorf("the start waits for something else: %s", raw)
	}
	p.Start()
	p.Refuse()
	p.Allow()
	harness.Wait(t, "the sharing", func() bool {
		return strings.Contains(a.Own("GET", "/v1.0/browser_profiles", "").Raw, `"name":"shared"`)
	})
	p.Quit()
	wait()
}
