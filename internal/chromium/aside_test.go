package chromium

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTabsArePutAsideAndBack(t *testing.T) {
	dir := t.TempDir()
	tabs := filepath.Join(dir, "Default", "Sessions", "Session_1")
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	has := func(when, want string) {
		t.Helper()
		if got, _ := os.ReadFile(tabs); string(got) != want {
			t.Errorf("%s the tabs are %q", when, got)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	must(PutTabsAside(dir)) // nothing is there
	must(PutTabsBack(dir))
	write(tabs, "https://kept.example")
	must(PutTabsAside(dir))
	if HasTabs(dir) {
		t.Error("the browser would restore tabs")
	}
	write(tabs, "about:blank") // by the hidden browser, which is killed
	must(PutTabsAside(dir))    // by the next one, which is killed before it writes any
	has("after a kill", "")
	must(PutTabsBack(dir))
	has("at the end", "https://kept.example")
	must(PutTabsBack(dir))
	has("after a second time", "https://kept.example")
}

func TestAnOfflineBrowserHasNoWayOut(t *testing.T) {
	flags := Options{DataDir: "d", Offline: true, Extra: []string{"--host-resolver-rules=MAP a b"}}.Flags()
	last := map[string]string{}
	for _, f := range flags {
		for _, name := range []string{"--host-resolver-rules=", "--proxy-server=", "--proxy-bypass-list="} {
			if len(f) > len(name) && f[:len(name)] == name {
				last[name] = f[len(name):]
			}
		}
	}
	if last["--host-resolver-rules="] != "MAP * ~NOTFOUND" || last["--proxy-server="] == "" ||
		last["--proxy-bypass-list="] != "<-loopback>" {
		t.Errorf("the flags are %q", flags)
	}
}
