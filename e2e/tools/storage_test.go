//go:build e2e

package tools

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// keepingSite serves a page that has cookies and local storage.
func keepingSite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/set" {
			w.Header().Add("Set-Cookie", "session=cookie-value-0451; HttpOnly; SameSite=Lax")
			w.Header().Add("Set-Cookie", "theme=dark-0451; Max-Age=86400; Path=/set")
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<!doctype html><title>keeping</title><p>"+r.Header.Get("Cookie"))
	})
	return host(t, mux)
}

func TestCookiesAreListedByNameAndTheirValuesNeedARight(t *testing.T) {
	base := keepingSite(t)
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	g.Works("navigate_page", harness.Object{"url": base + "/set"})
	says(t, g.Works("list_cookies", nil), "session domain=127.0.0.1 path=/ session httpOnly sameSite=Lax",
		"theme domain=127.0.0.1 path=/set expires=20", "!0451")
	says(t, g.Works("list_cookies", harness.Object{"includeValues": true}), "value=cookie-value-0451", "value=dark-0451")
	g.Works("navigate_page", harness.Object{"url": other})
	says(t, g.Works("list_cookies", nil), "No cookies")
	g.Works("new_page", harness.Object{"url": base, "isolatedContext": "fresh"})
	says(t, g.Works("list_cookies", nil), "No cookies")
	g.Works("close_page", nil)
	g.Works("navigate_page", harness.Object{"url": "about:blank"})
	g.Fails("shows no site", "list_cookies", nil)

	g.Works("navigate_page", harness.Object{"url": base})
	for _, preset := range []string{"guarded", "read-only"} {
		a.Must("policy", "set", "1", "--preset", preset)
		says(t, g.Works("list_cookies", nil), "session domain=127.0.0.1", "!0451")
		g.Fails("policy does not allow", "list_cookies", harness.Object{"includeValues": true})
		file := filepath.Join(t.TempDir(), "state.json")
		g.Fails("policy does not allow", "save_storage_state", harness.Object{"filePath": file})
		g.Fails("policy does not allow", "load_storage_state", harness.Object{"filePath": file})
		if harness.Exists(file) {
			t.Error("the file was written")
		}
	}
	says(t, a.Must("journal", "show", "1"), "Listed the site's cookies (2 cookies)", "!0451")
}

func TestStorageStateGoesOutAndIn(t *testing.T) {
	base := keepingSite(t)
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	a := harness.Start(t)
	g := newDeveloper(t, a)
	dir := t.TempDir()
	file := filepath.Join(dir, "state.json")
	for _, one := range []string{other, base} { // another site has something, too
		g.Works("navigate_page", harness.Object{"url": one + "/set"})
		g.Works("evaluate_script", harness.Object{"function": `() => { localStorage.setItem('cart', 'item-0451 "ü" ' + '\ud800') }`})
	}
	says(t, g.Works("save_storage_state", harness.Object{"filePath": file}),
		"2 cookies and 1 entry of local storage saved to", "!0451")

	var state struct {
		Cookies []struct {
			Name, Value, Domain, Path, SameSite string
			HTTPOnly                            bool `json:"httpOnly"`
		}
		Origins []struct {
			Origin       string
			LocalStorage []struct{ Name, Value string }
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(raw, &state) != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	if len(state.Cookies) != 2 || state.Cookies[0].Value != "cookie-value-0451" || !state.Cookies[0].HTTPOnly ||
		len(state.Origins) != 1 || state.Origins[0].Origin != base || len(state.Origins[0].LocalStorage) != 1 {
		t.Errorf("saved: %s", raw)
	}

	// Together with what belongs to another site.
	mixed := strings.Replace(string(raw), `"cookies":[`, `"cookies":[{"name":"a","value":"b","domain":"localhost","path":"/",
		"expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"},`, 1)
	mixed = strings.Replace(mixed, `"origins":[`, `"origins":[{"origin":"`+other+`","localStorage":[{"name":"c","value":"d"}]},`, 1)
	if err := os.WriteFile(file, []byte(mixed), 0o600); err != nil {
		t.Fatal(err)
	}
	g.Works("new_page", harness.Object{"url": base, "isolatedContext": "fresh"})
	says(t, g.Works("load_storage_state", harness.Object{"filePath": file}),
		"2 cookies and 1 entry of local storage set", "other sites: 1 cookie and the local storage of 1 origin", "!0451")
	says(t, g.Works("navigate_page", harness.Object{"type": "reload"}), "!Error")
	says(t, g.Works("take_snapshot", nil), "session=cookie-value-0451")
	says(t, g.Works("evaluate_script", harness.Object{"function": "() => localStorage.getItem('cart')"}), `item-0451`, `\ud800`)
	g.Works("navigate_page", harness.Object{"url": other})
	says(t, g.Works("list_cookies", nil), "No cookies")

	for text, words := range map[string]string{"no state": "no format", `{"cookies":[{"name":""}]}`: "Cookie 1"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		g.Fails(words, "load_storage_state", harness.Object{"filePath": file})
	}
	g.Fails("denied", "save_storage_state", harness.Object{"filePath": "/etc/state.json"})
	g.Fails("cannot be read", "load_storage_state", harness.Object{"filePath": filepath.Join(dir, "none.json")})
	says(t, a.Must("journal", "show", "1"), "Saved the site's cookies and stored data (2 cookies)",
		"Set the site's cookies and stored data (2 cookies)", "!0451")
}
