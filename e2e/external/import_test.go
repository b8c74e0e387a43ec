//go:build e2e

package external

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cove/e2e/harness"
)

// importing runs `cove import browser`, and lets the person allow it.
func importing(t *testing.T, a *harness.App, p *harness.Person, args ...string) (out string, code int) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, code = a.Cli(append([]string{"import", "browser", "1", "--from", p.DataDir}, args...)...)
	}()
	p.Allow()
	<-done
	return out, code
}

// TestLoginsAreImported: the chosen logins of a person's browser work in a profile, also after it was closed; no other
// does, no site hears of it, and no value is told.
func TestLoginsAreImported(t *testing.T) {
	const n = 20
	s, p := newSites(t, n), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	before, connected := s.requests(), s.connected.Load()
	args := []string{"--storage"}
	for i := 2; i <= n; i++ {
		args = append(args, "--site", strings.Split(strings.TrimPrefix(s.url(i, ""), "http://"), ":")[0])
	}
	out, code := importing(t, a, p, args...)
	if code != 0 || strings.Contains(out, "Not imported") {
		t.Fatalf("%d\n%s", code, out)
	}
	if got := s.requests(); got != before {
		t.Errorf("the import made %d requests", got-before)
	}
	if got := s.connected.Load(); got != connected { // a site sees a connection, too
		t.Errorf("the import made %d connections", got-connected)
	}
	if !p.Open() || p.Asked() {
		t.Error("the person's browser has gone, or asks something")
	}
	for range 2 { // the second time after a restart
		a.Open(1)
		m := a.Agent("1")
		if got := s.user(m, 1); got != "nobody" {
			t.Errorf("site 1 was not chosen, and %s is logged in", got)
		}
		for i := 2; i <= n; i++ {
			if got := s.user(m, i); got != "ann" {
				t.Errorf("site %d: %s", i, got)
			}
		}
		if got := s.stored(m, n); !strings.Contains(got, fmt.Sprintf("anns%d.localhost", n)) ||
			!strings.Contains(got, "55296") { // half a character, which is no text
			t.Errorf("the local storage is %s", got)
		}
		m.Close()
		a.Close(1)
	}
	for _, text := range []string{out, a.Log("")} {
		if strings.Contains(text, "secret-") {
			t.Error("a value is told: " + text)
		}
	}
}

// loginImport is an import through the API.
type loginImport struct {
	*harness.App
	id string
}

func begin(a *harness.App, p *harness.Person, profile string) loginImport {
	a.T.Helper()
	r := a.Own("POST", "/v1.0/login_imports", fmt.Sprintf(`{"profile":1,"dataDir":%q,"dir":%q}`, p.DataDir, profile))
	data, _ := r.Body["data"].(map[string]any)
	id, _ := data["id"].(string)
	if id == "" {
		a.T.Fatalf("no import: %s", r.Raw)
	}
	return loginImport{a, id}
}

// await waits until the import is at a step, and returns it.
func (i loginImport) await(step string) (raw string) {
	i.T.Helper()
	harness.Wait(i.T, "the step "+step, func() bool {
		raw = i.Own("GET", "/v1.0/login_imports/"+i.id, "").Raw
		if strings.Contains(raw, `"step":"failed"`) && step != "failed" {
			i.T.Fatal(raw)
		}
		return strings.Contains(raw, `"step":"`+step+`"`)
	})
	return raw
}

// TestAnImportIsFromTheChosenProfile: a browser shows two of its profiles. The import waits while another one than the
// chosen profile is in front, and brings nothing of it.
func TestAnImportIsFromTheChosenProfile(t *testing.T) {
	s, p := newSites(t, 3), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.NewWindow("--profile-directory=Profile 1", "about:blank")
	s.login(p, "Profile 1", "bob")
	p.Visit("Profile 1", "about:blank")
	a := harness.Start(t)
	if out, code := a.Cli("import", "browser", "1", "--from", p.DataDir, "--site", "s1.localhost"); code == 0 ||
		!strings.Contains(out, "several profiles") || p.Asked() {
		t.Errorf("without a choice: %d %s", code, out)
	}
	for _, one := range []struct{ profile, user string }{{"Default", "ann"}, {"Profile 1", "bob"}} {
		i := begin(a, p, one.profile)
		p.Allow()
		i.await("other-profile")
		p.Visit(one.profile, "about:blank")
		i.await("choosing")
		if r := a.Own("POST", "/v1.0/login_imports/"+i.id, `{"sites":["s1.localhost"]}`); r.Status != 200 {
			t.Fatal(r.Raw)
		}
		i.await("done")
		a.Open(1)
		m := a.Agent("1")
		if got := s.user(m, 1); got != one.user {
			t.Errorf("%s: %s is logged in", one.profile, got)
		}
		m.Close()
		a.Close(1)
	}
}

// TestAClosedBrowserIsCopied: the whole folder, or nothing; into a profile without logins; not when another key locks
// the cookies, because the browser would delete them.
func TestAClosedBrowserIsCopied(t *testing.T) {
	const n = 4
	s, p := newSites(t, n), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.Quit()
	a := harness.Start(t)
	from := []string{"import", "browser", "1", "--from", p.DataDir}
	if out, code := a.Cli(append(from, "--site", "s1.localhost")...); code == 0 || !strings.Contains(out, "Add --all") {
		t.Errorf("one site: %d %s", code, out)
	}
	if out, code := a.Cli(append(from, "--all")...); code == 0 {
		t.Errorf("without the word: %d %s", code, out)
	}
	databases := filepath.Join(p.DataDir, "Default", "IndexedDB")
	for _, name := range []string{"https_a.test_0.indexeddb.leveldb", "chrome-extension_x_0.indexeddb.leveldb"} {
		if err := os.MkdirAll(filepath.Join(databases, name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(databases, name, "CURRENT"), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, p.DataDir)
	out, code := a.CliWith("all\n", append(from, "--all")...)
	if code != 0 {
		t.Fatalf("%d %s", code, out)
	}
	if after := tree(t, p.DataDir); after != before {
		t.Errorf("the source has changed:\n%s\n%s", before, after)
	}
	for name, want := range map[string]bool{"https_a.test_0.indexeddb.leveldb": true,
		"chrome-extension_x_0.indexeddb.leveldb": false} {
		if got := harness.Exists(a.File(1, "data_dir/Default/IndexedDB/"+name+"/CURRENT")); got != want {
			t.Errorf("%s was copied: %t", name, got)
		}
	}
	for range 2 {
		a.Open(1)
		m := a.Agent("1")
		for i := 1; i <= n; i++ {
			if got := s.user(m, i); got != "ann" {
				t.Errorf("site %d: %s", i, got)
			}
		}
		if got := s.stored(m, n); !strings.Contains(got, fmt.Sprintf("anns%d.localhost", n)) {
			t.Errorf("the local storage is %s", got)
		}
		m.Close()
		a.Close(1)
	}
	if out, code := a.CliWith("all\n", append(from, "--all")...); code == 0 ||
		!strings.Contains(out, "has logins of its own") {
		t.Errorf("a second time: %d %s", code, out)
	}
	a.Create(`{"name":"second"}`)
	lockCookies(t, filepath.Join(p.DataDir, "Default", "Cookies"))
	if out, code := a.CliWith("all\n", "import", "browser", "second", "--from", p.DataDir, "--all"); code == 0 ||
		!strings.Contains(out, "locked with the desktop's keyring") {
		t.Errorf("locked cookies: %d %s", code, out)
	}

	// A link would be copied as nothing.
	theirs := filepath.Join(p.DataDir, "Default", "Local Storage")
	if err := os.Rename(theirs, theirs+" elsewhere"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(theirs+" elsewhere", theirs); err != nil {
		t.Fatal(err)
	}
	if out, code := a.CliWith("all\n", "import", "browser", "second", "--from", p.DataDir, "--all"); code == 0 ||
		!strings.Contains(out, "is a link") {
		t.Errorf("a link: %d %s", code, out)
	}
}

// tree lists the files below a folder with their sizes and times.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Fprintln(&all, name, info.Size(), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}

// lockCookies makes the cookies look as if the key of a desktop's keyring had encrypted them.
func lockCookies(t *testing.T, file string) {
	t.Helper()
	db := openDatabase(t, file)
	const change = "UPDATE cookies SET encrypted_value = CAST('v11' AS blob) || substr(encrypted_value, 4)"
	if _, err := db.ExecContext(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

// TestFocusMovesDuringImports: two profiles and an incognito window are open, and the person goes from one to the other
// at any moment. An import brings what the chosen profile has, and nothing else.
func TestFocusMovesDuringImports(t *testing.T) {
	const imports, moves = 8, 25
	s, p := newSites(t, 1), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.NewWindow("--profile-directory=Profile 1", "about:blank")
	s.login(p, "Profile 1", "bob")
	p.NewWindow("--profile-directory=Default", "--incognito", "about:blank")
	a := harness.Start(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random, choosing := rand.New(rand.NewPCG(seed, 0)), rand.New(rand.NewPCG(seed, 1))
	choices := []struct{ profile, user, other string }{{"Default", "ann", "bob"}, {"Profile 1", "bob", "ann"}}
	for range imports {
		c := choices[choosing.IntN(len(choices))]
		i := begin(a, p, c.profile)
		p.Allow()
		imported, moved := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(moved)
			for n, going := 0, true; n < moves || going; n++ {
				p.Focus(random.IntN(3))
				harness.Delay(t.Context(), time.Duration(random.IntN(100))*time.Millisecond)
				select {
				case <-imported:
					going = false
				case <-t.Context().Done():
					return
				default:
				}
			}
		}()
		i.await("choosing")
		harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, `{"sites":["s1.localhost"],"storage":true}`))
		i.await("done")
		close(imported)
		<-moved
		got := a.Own("POST", "/v1.0/export-cookies", `{"browserProfiles":[{"id":1}]}`).Raw
		if !strings.Contains(got, "secret-"+c.user) || strings.Contains(got, "secret-"+c.other) {
			t.Fatalf("an import of %s's profile: %s", c.user, got)
		}
	}
}
