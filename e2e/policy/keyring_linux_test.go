//go:build e2e

package policy

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
	"cove/internal/secret/keyring/keyringtest"
)

// The key of the secrets is in the keyring of the desktop. A locked keyring loses nothing and is said in one sentence.
func TestTheKeyIsInTheKeyring(t *testing.T) {
	ring := keyringtest.Start(t)
	web := newFormSite(t)
	a := harness.Start(t, harness.With("DBUS_SESSION_BUS_ADDRESS="+os.Getenv("DBUS_SESSION_BUS_ADDRESS")))
	set := func(name string) harness.Answer {
		return a.Own(http.MethodPost, "/v1.0/browser_profiles/1/secrets",
			fmt.Sprintf(`{"name":%q,"site":%q,"value":"correct-horse"}`, name, web.URL))
	}
	harness.MustSucceed(t, set("login"))
	if said := a.Must("secret", "key"); !strings.Contains(said, "in the system's keyring") {
		t.Error(said)
	}
	file := filepath.Join(a.Home, "secret.key")
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a key file")
	}
	key := ""
	ring.With(func() { key = string(ring.Value) })
	if n := noForm(t, []string{key}, a.Home); n == 0 || len(key) != 64 {
		t.Errorf("%d files were looked into for %d digits", n, len(key))
	}
	fills := func(want string) {
		t.Helper()
		a.Open(1)
		m := a.Agent("1")
		m.Works("navigate_page", harness.Object{"url": web.URL + "/login"})
		in := harness.Object{"uid": m.Find(`textbox "Password"`), "value": "{{secret:login}}"}
		if want == "" {
			m.Works("fill", in)
		} else {
			m.Fails("fill", in, want)
		}
		a.Close(1)
	}
	fills("")

	ring.SetLocked(true)
	harness.MustRefuse(t, set("other"), http.StatusServiceUnavailable, "E_KEYRING")
	fills("keyring, which has the key of the secrets, is locked")
	if _, err := os.Stat(file); err == nil {
		t.Error("a new key was made")
	}
	out := filepath.Join(t.TempDir(), "journal.html") // it could not be searched for secrets
	if said, code := a.Cli("journal", "export", "1", "--html", "-o", out); code != 6 || !strings.Contains(said, "locked") {
		t.Errorf("exported: %d %s", code, said)
	}
	ring.SetLocked(false)
	fills("")
	a.Must("journal", "export", "1", "--html", "-o", out)

	a.Must("secret", "key", "--move", "file")
	ring.With(func() {
		if ring.Value != nil {
			t.Error("the keyring still has the key")
		}
	})
	ring.SetLocked(true)
	fills("")
}
