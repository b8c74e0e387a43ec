//go:build e2e

package api

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cove/e2e/harness"
)

// moving writes a list of profiles as Dolphin's API answers it. Each has the proxy of a profile that is there, and a
// login of its own.
func moving(t *testing.T, a *harness.App, names ...string) (file string) {
	t.Helper()
	r := a.Own("GET", harness.StatePath(madeUp(t, a), ""), "")
	harness.MustSucceed(t, r)
	var there struct {
		Data struct{ Proxy map[string]any }
	}
	if err := json.Unmarshal([]byte(r.Raw), &there); err != nil {
		t.Fatal(err)
	}
	var items []map[string]any
	for i, name := range names {
		jar := fmt.Sprintf(`[{"domain":".shop.example","name":"login","value":"user-of-%s"}]`, name)
		items = append(items, map[string]any{"id": 700 + i, "name": name, "tags": []string{"moved"},
			"proxy": there.Data.Proxy, "cookies": jar, "canvas": map[string]string{"mode": "noise"}})
	}
	raw, err := json.Marshal(map[string]any{"data": items, "total": len(items), "last_page": 1, "per_page": 50})
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "profiles.json")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// moved returns the profiles of an import by their names, and the tags that they have.
func moved(t *testing.T, a *harness.App) (ids map[string]int, tags map[string]string) {
	t.Helper()
	r := a.Own("GET", "/v1.0/browser_profiles?tags=moved&limit=100", "")
	harness.MustSucceed(t, r)
	var list struct {
		Data []struct {
			ID   int
			Name string
			Tags []string
		}
	}
	if err := json.Unmarshal([]byte(r.Raw), &list); err != nil {
		t.Fatal(err)
	}
	ids, tags = map[string]int{}, map[string]string{}
	for _, p := range list.Data {
		if ids[p.Name] != 0 {
			t.Errorf("%s is there twice", p.Name)
		}
		ids[p.Name], tags[p.Name] = p.ID, strings.Join(p.Tags, " ")
	}
	return ids, tags
}

func TestAnImportedProfileIsLoggedIn(t *testing.T) {
	a := harness.Start(t)
	file := moving(t, a, "ada", "bob")
	a.Unchanged(func() {
		out := a.Must("import", "dolphin", file, "--dry-run")
		if !strings.Contains(out, "To create: 2 profiles, 0 proxies") || !strings.Contains(out, "(canvas)") {
			t.Errorf("the dry run says\n%s", out)
		}
	})
	out := a.Must("import", "dolphin", file, "--yes")
	if !strings.Contains(out, "Imported 2 cookies into 2 profiles") || strings.Contains(out, "user-of") {
		t.Errorf("the import says\n%s", out)
	}
	ids, tags := moved(t, a)
	for _, name := range []string{"ada", "bob"} {
		if tags[name] != "moved" {
			t.Errorf("%s has the tags %q", name, tags[name])
		}
		if got := sees(t, a.Open(ids[name]), "http://shop.example/"); got != "login=user-of-"+name {
			t.Errorf("%s sees %q", name, got)
		}
		a.Close(ids[name])
	}
	if out := a.Must("import", "dolphin", file, "--yes"); !strings.Contains(out, "Nothing to import") {
		t.Errorf("again it says\n%s", out)
	}
}

func TestAnImportThatIsKilledGoesOn(t *testing.T) {
	a := harness.Start(t)
	names := []string{"a", "b", "c", "d"}
	file := moving(t, a, names...)
	cmd := harness.Exec(t, harness.Cove, "import", "dolphin", file, "--yes")
	cmd.Env = a.Environ()
	progress, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(progress)
	for lines.Scan() && !strings.Contains(lines.Text(), "2 of 4") {
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	ids, tags := moved(t, a)
	if len(ids) != 4 || tags["a"] != "moved" || !strings.Contains(tags["c"], "cookies-missing") ||
		!strings.Contains(tags["d"], "cookies-missing") {
		t.Fatalf("after the kill: %v", tags)
	}
	harness.Wait(t, "the app finishes what it has begun", func() bool {
		return strings.TrimSpace(a.Get("/v1.0/browser_profiles/running").Raw) == "{}"
	})
	out := a.Must("import", "dolphin", file, "--yes")
	if !strings.Contains(out, "To create: 0 profiles") {
		t.Errorf("the second run says\n%s", out)
	}
	again, tags := moved(t, a)
	for _, name := range names {
		if again[name] != ids[name] || tags[name] != "moved" {
			t.Errorf("%s is %d with the tags %q", name, again[name], tags[name])
		}
		if jar := exported(t, a, ids[name]); !strings.Contains(jar, "user-of-"+name) {
			t.Errorf("%s has the cookies %s", name, jar)
		}
	}
}
