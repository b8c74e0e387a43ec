//go:build e2e

package external

import (
	"database/sql"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	_ "modernc.org/sqlite" // reads and changes a browser's databases

	"cove/e2e/harness"
)

// TestAnImportThatIsRefusedBringsNothing: by the person in the browser, by cancelling, and because the profile is open.
// The browser is asked once each time, and stays as it is.
func TestAnImportThatIsRefusedBringsNothing(t *testing.T) {
	s, p := newSites(t, 2), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	from := []string{"import", "browser", "1", "--from", p.DataDir, "--site", "s1.localhost"}

	done := make(chan struct{})
	go func() {
		defer close(done)
		if out, code := a.Cli(from...); code == 0 || !strings.Contains(out, "you pressed Cancel") {
			t.Errorf("refused: %d %s", code, out)
		}
	}()
	p.Refuse()
	<-done

	i := begin(a, p, "Default")
	if r := a.Own("POST", "/v1.0/login_imports", fmt.Sprintf(`{"profile":1,"dataDir":%q}`, p.DataDir)); r.Status != 409 {
		t.Errorf("a second import: %d %s", r.Status, r.Raw)
	}
	p.Allow()
	i.await("choosing")
	if r := a.Own("POST", "/v1.0/login_imports/"+i.id, `{"sites":["www.s1.localhost"]}`); r.Status != 422 ||
		!strings.Contains(r.Raw, "s1.localhost") {
		t.Errorf("a part of a site: %d %s", r.Status, r.Raw)
	}
	harness.MustSucceed(t, a.Own("DELETE", "/v1.0/login_imports/"+i.id, ""))
	if raw := i.await("failed"); !strings.Contains(raw, "E_CANCELLED") {
		t.Error(raw)
	}
	if r := a.Own("POST", "/v1.0/login_imports/"+i.id, `{"sites":["s1.localhost"]}`); r.Status == 200 {
		t.Errorf("a choice after the end: %s", r.Raw)
	}

	// Whoever mistypes a name is asked again, and the browser is not.
	done = make(chan struct{})
	go func() {
		defer close(done)
		out, code := a.CliWith("s1.lokalhost\n\n", from[:5]...)
		if code == 0 || !strings.Contains(out, `"s1.lokalhost" is not in the list`) || strings.Count(out, "Which sites") != 2 ||
			!strings.Contains(out, "Nothing was imported") {
			t.Errorf("a mistyped name: %d %s", code, out)
		}
	}()
	p.Allow()
	<-done

	a.Open(1)
	if out, code := a.Cli(from...); code == 0 || !strings.Contains(out, "cove stop 1") {
		t.Errorf("open: %d %s", code, out)
	}
	m := a.Agent("1")
	if got := s.user(m, 1); got != "nobody" {
		t.Errorf("%s is logged in", got)
	}
	if p.Asked() || !p.Open() {
		t.Error("the person's browser has gone, or asks something")
	}
}

// TestAStrangersPortIsNotAsked: the file with the port may be older than the browser's last change of mind, and another
// program may have the port by now. It hears nothing.
func TestAStrangersPortIsNotAsked(t *testing.T) {
	p := harness.NewPerson(t)
	listener, err := harness.Listen(t, "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var heard atomic.Int64
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				n, _ := conn.Read(make([]byte, 100))
				heard.Add(int64(n))
			}()
		}
	}()
	stale := fmt.Sprintf("%d\n/devtools/browser/x", listener.Addr().(*net.TCPAddr).Port)
	if err := os.WriteFile(filepath.Join(p.DataDir, "DevToolsActivePort"), []byte(stale), 0o600); err != nil {
		t.Fatal(err)
	}
	a := harness.Start(t)
	if out, code := a.Cli("import", "browser", "1", "--from", p.DataDir, "--site", "a.test"); code == 0 ||
		!strings.Contains(out, "belongs to another program") {
		t.Errorf("%d %s", code, out)
	}
	if heard.Load() > 0 || p.Asked() {
		t.Errorf("the stranger heard %d bytes", heard.Load())
	}
}

// TestEveryFieldOfACookieIsImported: the rows of both databases are the same but for their times of use, and a cookie
// that a browser no longer accepts is named.
func TestEveryFieldOfACookieIsImported(t *testing.T) {
	const n = 20
	s, p := newSites(t, n), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	p.Quit()
	last := fmt.Sprintf("//s%d.", n)
	history := historyRows(t, p, last)
	theirs := filepath.Join(p.DataDir, "Default", "Cookies")
	addCookie(t, theirs, "s1.localhost", "huge", strings.Repeat("secret-", 800))
	p.Tick(true)
	p.Start("--restore-last-session")
	a := harness.Start(t)
	done := make(chan struct{})
	var out string
	var code int
	go func() {
		defer close(done)
		out, code = a.CliWith("all\n", "import", "browser", "1", "--from", p.DataDir, "--all", "--storage")
	}()
	p.Allow()
	<-done
	if code != 0 || strings.Count(out, "Not imported") != 1 || !strings.Contains(out, `"huge" of s1.localhost/`) {
		t.Fatalf("%d\n%s", code, out)
	}
	p.Quit()
	if now := historyRows(t, p, last); now != history || strings.Count(history, ".localhost") < n-1 {
		t.Errorf("the person's history was\n%s and is\n%s", history, now)
	}
	want, got := cookieRows(t, theirs), cookieRows(t, a.File(1, "data_dir/Default/Cookies"))
	want = slices.DeleteFunc(want, func(row string) bool { return strings.Contains(row, "huge") })
	if len(want) != perSite*n || !slices.Equal(want, got) {
		t.Errorf("%d cookies, imported %d", len(want), len(got))
		for _, row := range want {
			if !slices.Contains(got, row) {
				t.Log("missing: " + row)
			}
		}
		for _, row := range got {
			if !slices.Contains(want, row) {
				t.Log("extra:   " + row)
			}
		}
	}
	noSecrets(t, a)
}

// TestAsManyCookiesAsABrowserHasAreImported: by an owner who has a PIN, and types it and the word on one pipe.
func TestAsManyCookiesAsABrowserHasAreImported(t *testing.T) {
	const n, more = 20, 150 // a browser begins to forget at 3,300
	s, p := newSites(t, n), harness.NewPerson(t)
	s.more = more
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	harness.MustSucceed(t, a.Own("PUT", "/v1.0/pin", `{"pin":"4711"}`))
	args := []string{"import", "browser", "1", "--from", p.DataDir, "--all"}
	if out, code := a.Cli(args...); code == 0 || !strings.Contains(out, "PIN") || p.Asked() {
		t.Errorf("without the PIN: %d %s", code, out)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		out, code := a.CliWith("4711\nall\n", args...)
		if code != 0 || !strings.Contains(out, fmt.Sprintf("%d cookies imported", n*(more+perSite))) {
			t.Errorf("%d %s", code, out)
		}
	}()
	p.Allow()
	<-done
	a.Open(1)
	m := a.Agent("1")
	for i := 1; i <= n; i++ {
		if got := s.user(m, i); got != "ann" {
			t.Errorf("site %d: %s", i, got)
		}
	}
	m.Close()
	a.Close(1)
	if got := len(cookieRows(t, a.File(1, "data_dir/Default/Cookies"))); got != n*(more+perSite) {
		t.Errorf("%d cookies", got)
	}
	noSecrets(t, a)
}

// historyRows returns the history of a closed browser, but for the pages that it shows when it starts: those count as
// visited again.
func historyRows(t *testing.T, p *harness.Person, restored string) (all string) {
	t.Helper()
	db := openDatabase(t, filepath.Join(p.DataDir, "Default", "History"))
	rows, err := db.QueryContext(t.Context(),
		"SELECT url, visit_count, last_visit_time FROM urls WHERE url <> 'about:blank' AND url NOT LIKE ? ORDER BY url",
		"%"+restored+"%")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var address, count, last string
		if err := rows.Scan(&address, &count, &last); err != nil {
			t.Fatal(err)
		}
		all += address + " " + count + " " + last + "\n"
	}
	return all
}

// noSecrets looks for values in everything that Cove writes beside the browser's own data.
func noSecrets(t *testing.T, a *harness.App) {
	t.Helper()
	err := filepath.WalkDir(a.Home, func(name string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == "data_dir":
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		raw, err := os.ReadFile(name)
		if strings.Contains(string(raw), "secret-") {
			t.Errorf("%s has a value", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func openDatabase(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// addCookie adds a cookie to the database of a closed browser, as another one of its host.
func addCookie(t *testing.T, file, host, name, value string) {
	t.Helper()
	db := openDatabase(t, file)
	const columns = `host_key, top_frame_site_key, path, expires_utc, is_secure, is_httponly, last_access_utc,
		has_expires, is_persistent, priority, samesite, source_scheme, source_port, last_update_utc, source_type,
		has_cross_site_ancestor, creation_utc`
	_, err := db.ExecContext(t.Context(), "INSERT INTO cookies (name, value, encrypted_value, "+columns+
		") SELECT ?, ?, x'', "+columns+" FROM cookies WHERE host_key = ? AND name = 'lax'", name, value, host)
	if err != nil {
		t.Fatal(err)
	}
}

// cookieRows returns the cookies of a closed browser with every field but the times at which they were used.
func cookieRows(t *testing.T, file string) (all []string) {
	t.Helper()
	rows, err := openDatabase(t, file).QueryContext(t.Context(), `SELECT host_key, top_frame_site_key, name, value,
		hex(encrypted_value), path, expires_utc, is_secure, is_httponly, has_expires, is_persistent, priority, samesite,
		source_scheme, source_port, has_cross_site_ancestor FROM cookies ORDER BY 1, 2, 3, 6`)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		fields := make([]any, 16)
		for i := range fields {
			fields[i] = new(string)
		}
		if err := rows.Scan(fields...); err != nil {
			t.Fatal(err)
		}
		line := ""
		for _, f := range fields {
			line += *f.(*string) + " "
		}
		all = append(all, line)
	}
	return all
}

// TestAnImportThatLosesItsBrowserOrItsApp: the browser quits, or Cove is killed. Nothing is imported, the error says
// what to do, and the next import works.
func TestAnImportThatLosesItsBrowserOrItsApp(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	i := begin(a, p, "Default")
	p.Allow()
	i.await("choosing")
	p.Quit()
	const choice = `{"sites":["s1.localhost"],"storage":true}`
	harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, choice))
	if raw := i.await("failed"); !strings.Contains(raw, "E_ADOPT_LOST") {
		t.Error(raw)
	}

	p.Start("--restore-last-session")
	i = begin(a, p, "Default")
	p.Allow()
	i.await("choosing")
	a.Kill()
	a.Up()
	if p.Asked() || !p.Open() {
		t.Error("the person's browser has gone, or asks something")
	}
	i = begin(a, p, "Default")
	p.Allow()
	i.await("choosing")
	harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, choice))
	i.await("done")
	a.Open(1)
	if got := s.user(a.Agent("1"), 1); got != "ann" {
		t.Errorf("%s is logged in", got)
	}
}

// TestAnImportIsCancelledWhileTheBrowserHangs: nothing is written afterwards, and Ctrl-C says what to do.
func TestAnImportIsCancelledWhileTheBrowserHangs(t *testing.T) {
	s, p := newSites(t, 1), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	i := begin(a, p, "Default")
	p.Allow()
	i.await("choosing")
	signal := func(s syscall.Signal) {
		if err := syscall.Kill(p.PID(), s); err != nil {
			t.Error(err)
		}
	}
	signal(syscall.SIGSTOP)
	harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id, `{"sites":["s1.localhost"]}`))
	harness.MustSucceed(t, a.Own("DELETE", "/v1.0/login_imports/"+i.id, ""))
	if raw := i.await("failed"); !strings.Contains(raw, "E_CANCELLED") || strings.Contains(raw, "secret-") {
		t.Error(raw)
	}
	signal(syscall.SIGCONT)
	if got := cookies(a, 1); strings.Contains(got, "secret-") {
		t.Error("the login was imported")
	}

	cmd := harness.Exec(t, harness.Cove, "import", "browser", "1", "--from", p.DataDir, "--all")
	cmd.Env = a.Environ()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	harness.Wait(t, "the question", p.Asked)
	_ = cmd.Process.Signal(syscall.SIGINT)
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code == 0 || !strings.Contains(out.String(), "press Cancel there") ||
		strings.Contains(out.String(), "cove up") {
		t.Errorf("Ctrl-C: %d %s", code, out.String())
	}
	p.Refuse()
}

// TestASiteThatIsLeftMeanwhileChangesNothing: a person logs out of a chosen site before it is read. What the profile
// has of it stays, and the answer names it. Of the others nothing of the login before is left.
func TestASiteThatIsLeftMeanwhileChangesNothing(t *testing.T) {
	s, p := newSites(t, 2), harness.NewPerson(t)
	s.login(p, "Default", "ann")
	a := harness.Start(t)
	choose := func(meanwhile func()) string {
		i := begin(a, p, "Default")
		p.Allow()
		i.await("choosing")
		meanwhile()
		harness.MustSucceed(t, a.Own("POST", "/v1.0/login_imports/"+i.id,
			`{"sites":["s1.localhost","s2.localhost"],"storage":true}`))
		return i.await("done")
	}
	if raw := choose(func() {}); !strings.Contains(raw, `"gone":[]`) {
		t.Error(raw)
	}
	s.login(p, "Default", "bob")
	s.visit(p, 2, "/forget")
	raw := choose(func() { s.visit(p, 1, "/logout") })
	if !strings.Contains(raw, `"gone":["s1.localhost"]`) {
		t.Error(raw)
	}
	got := cookies(a, 1)
	if n := strings.Count(got, "secret-ann-s1"); n != perSite-1 {
		t.Errorf("%d cookies of the profile's login to site 1 are left", n)
	}
	if strings.Contains(got, "secret-ann-s2") || !strings.Contains(got, "secret-bob-s2") || strings.Contains(got, "anns2") {
		t.Error("of site 2 something of the login before is left")
	}
}
