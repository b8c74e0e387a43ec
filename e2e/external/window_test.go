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

// TestWindowImportsLogins: in the window as on the command line, and the browser asks once.
func TestWindowImportsLogins(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	config := t.TempDir()
	if err := os.Symlink(p.DataDir, filepath.Join(config, "chromium")); err != nil {
		t.Fatal(err)
	}
	a := harness.Start(t, harness.With("XDG_CONFIG_HOME="+config))
	given, err := json.Marshal(map[string]string{"base": a.Base, "link": strings.TrimSpace(a.Must("ui")),
		"token": a.Token()})
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Wrong []string }
	done := make(chan struct{})
	go func() {
		defer close(done)
		harness.Node(t, &got, "ui.mjs", "logins", string(given))
	}()
	p.Allow()
	<-done
	for _, w := range got.Wrong {
		t.Error(w)
	}
	if p.Asked() {
		t.Error("the browser asks again")
	}
	a.Open(1)
	m := a.Agent("1")
	for i, want := range []string{"nobody", "ann", "nobody"} {
		if user := s.user(m, i+1); user != want {
			t.Errorf("site %d: %s", i+1, user)
		}
	}
}
