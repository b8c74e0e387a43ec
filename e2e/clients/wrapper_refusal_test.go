//go:build e2e

package clients

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"cove/e2e/harness"
)

func TestTheWrapperRefusesABadCommandLine(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	const remedy = "`cove profile list` shows the ids"
	for name, c := range map[string]struct{ args, words []string }{
		"no argument":             {nil, []string{"Exactly one argument", "no argument was given", remedy}},
		"two":                     {[]string{"1", "2"}, []string{"Exactly one argument", "2 were given", remedy}},
		"an option":               {[]string{"1", "--headless"}, []string{"Exactly one argument", remedy}},
		"a name":                  {[]string{"work"}, []string{`"work" is not a profile id`, remedy}},
		"nothing":                 {[]string{""}, []string{`"" is not a profile id`, remedy}},
		"zero":                    {[]string{"0"}, []string{`"0" is not a profile id`, remedy}},
		"negative":                {[]string{"-1"}, []string{`"-1" is not a profile id`, remedy}},
		"a fraction":              {[]string{"1.5"}, []string{`"1.5" is not a profile id`, remedy}},
		"a number for JavaScript": {[]string{"1e3"}, []string{`"1e3" is not a profile id`, remedy}},
		"a path":                  {[]string{"../1"}, []string{`"../1" is not a profile id`, remedy}},
		"too large":               {[]string{"2147483648"}, []string{`"2147483648" is not a profile id`, remedy}},
		"far too large":           {[]string{strings.Repeat("9", 400)}, []string{"is not a profile id", remedy}},
		"--autoConnect": {[]string{"--autoConnect"},
			[]string{"--autoConnect does not work with Cove profiles", "leave it out"}},
		"--autoConnect after it": {[]string{"1", "--autoConnect"},
			[]string{"--autoConnect does not work", "leave it out"}},
		"--autoConnect before it": {[]string{"--auto-connect", "1"},
			[]string{"--autoConnect does not work", "leave it out"}},
		"--autoConnect=true": {[]string{"1", "--autoConnect=true"},
			[]string{"--autoConnect does not work", "leave it out"}},
	} {
		t.Run(name, func(t *testing.T) { w.Refuses(t, c.args, c.words...) })
	}
	if state, _ := a.State(1); state != "" {
		t.Errorf("the profile is %q after nothing but refusals", state)
	}
}

func TestTheWrapperSaysWhatKeepsAProfileFromOpening(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	t.Run("no such profile", func(t *testing.T) {
		w.Refuses(t, []string{"77"}, "There is no profile 77", "`cove profile list`")
	})
	t.Run("open by hand", func(t *testing.T) {
		a.OpenOrdinary(1)
		w.Refuses(t, []string{"1"}, "open in ordinary mode", "close its window", "`cove stop 1`")
		if _, mode := a.State(1); mode != "ordinary" {
			t.Errorf("the profile is %q", mode)
		}
		a.Close(1)
	})
	t.Run("free plan", func(t *testing.T) {
		a.Must("account", "set-plan", "free")
		w.Refuses(t, []string{"1"}, "The Free plan has no automation", "`cove account set-plan solo`")
		a.Must("account", "set-plan", "solo")
	})
	t.Run("not logged in", func(t *testing.T) {
		a.Must("logout")
		w.Refuses(t, []string{"1"}, "not logged in", "`cove login --owner`")
		a.Must("login", "--owner")
	})
	t.Run("another Cove is on the port", func(t *testing.T) {
		other := harness.Start(t)
		text, err := os.ReadFile(w.File)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "wrapper.mjs")
		// An installation for a third data folder with the port of this app.
		if err := os.WriteFile(file,
			[]byte(strings.ReplaceAll(strings.ReplaceAll(string(text), a.Home, a.Home+"-moved"), ":"+portOfURL(a.Base),
				":"+portOfURL(other.Base))), 0o600); err != nil {
			t.Fatal(err)
		}
		w := *w
		w.File, w.Home = file, a.Home+"-moved"
		w.Refuses(t, []string{"1"}, "keeps its profiles in "+other.Home+", not in "+a.Home+"-moved", "`cove up`",
			"`cove wrapper install`")
		if state, _ := other.State(1); state != "" {
			t.Errorf("the other Cove's profile is %q", state)
		}
	})
	t.Run("the app is not running", func(t *testing.T) {
		a.Must("stop-app", "--profiles")
		_ = a.Cmd.Wait()
		w.Refuses(t, []string{"1"}, "Cove is not running", "`cove up`")
	})
	for name, program := range map[string]http.HandlerFunc{
		"with JSON": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"success":true,"automation":{"port":1}}`)
		},
		"with a list": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `[1]`) },
		"with null":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `null`) },
		"with HTML": func(w http.ResponseWriter, _ *http.Request) {
			_,
				_ = io.WriteString(w, `<!doctype html>hello`)
		},
		"with too long HTML": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 4<<20)) },
		"with a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere",
				http.StatusFound)
		},
		"never": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"for ever": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, " ")
				_ = http.NewResponseController(w).Flush()
				harness.Delay(r.Context(), 100*time.Millisecond)
			}
		},
	} {
		t.Run("another program answers on its port "+name, func(t *testing.T) {
			var asked atomic.Int32
			serveOn(t, portOfURL(a.Base), func(rw http.ResponseWriter, r *http.Request) {
				if asked.Add(1); r.Header.Get("Authorization") != "" {
					t.Error("it was given a credential")
				}
				program(rw, r)
			})
			switch name {
			case "never", "for ever", "with too long HTML":
				w.Refuses(t, []string{"1"}, "Cove is not running", "`cove up`")
			default:
				w.Refuses(t, []string{"1"}, "Port "+portOfURL(a.Base), "another program than Cove", "`cove up`",
					"`cove wrapper install`")
			}
			if asked.Load() == 0 {
				t.Error("it was not asked")
			}
		})
	}
}

func portOfURL(address string) string { return address[strings.LastIndexByte(address, ':')+1:] }

// serveOn is a program on a port that an app had.
func serveOn(t *testing.T, port string, handler http.HandlerFunc) {
	t.Helper()
	l, err := harness.Listen(t, "tcp4", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	s.Start()
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
}

func TestTheWrapperSaysWhyABrowserDoesNotStart(t *testing.T) {
	script := filepath.Join(t.TempDir(), "browser")
	if err := os.WriteFile(script,
		[]byte("#!/bin/sh\ncase \"$*\" in *--version*) echo Chromium 156.0.0.0; exit;; esac\nprintf 'no luck\\ntoday' >&2\nexit 3\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := harness.Start(t, harness.With("COVE_BROWSER="+script))
	a.Install().Refuses(t, []string{"1"}, "Profile 1 could not be opened: ", "no luck · today. ", "browser.log.")
}

func TestTheWrapperNeedsNode(t *testing.T) {
	a := harness.Start(t)
	for version, words := range map[string][]string{
		"16": {"Node 16.20.2 is too old for this file, which needs 18 or later", "install a newer Node",
			"`cove mcp ID`"},
		"18": {"Node 18.20.8 is too old for chrome-devtools-mcp, which needs 20.19 or later", "22",
			"install a newer Node", "`cove mcp ID`"},
	} {
		t.Run("not Node "+version, func(t *testing.T) {
			w := a.Install()
			w.Node = filepath.Join(harness.Modules(t), "node"+version, "bin", "node")
			w.Refuses(t, []string{"1"}, words...)
			w.Refuses(t, nil, words...)
		})
	}
	t.Run("Node 24 has nothing to complain about", func(t *testing.T) {
		w := a.Install()
		w.T = t
		m := w.Serve("1")
		m.Initialize()
		m.Works("list_pages", nil)
		if said := m.Said.String(); strings.Contains(said, "Node") || strings.Contains(said, "Deprecation") {
			t.Errorf("stderr: %s", said)
		}
		m.Close()
		a.Close(1)
	})
	t.Run("and npx or the package", func(t *testing.T) {
		w := a.Install()
		dir := t.TempDir()
		w.Node = filepath.Join(dir, "node")
		copyProgram(t, harness.LookPath(t, "node"), w.Node)
		w.Env = []string{"PATH=" + dir, "HOME=" + t.TempDir()}
		w.Refuses(t, []string{"1"}, "npx was not found", "install Node with npm", "`cove mcp ID`")
	})
	if state, _ := a.State(1); state != "" {
		t.Errorf("the profile is %q although no server could run", state)
	}
}

// copyProgram puts a program somewhere else; a link would still tell where it was.
func copyProgram(t *testing.T, from, to string) {
	t.Helper()
	program, err := filepath.EvalSymlinks(from)
	if err != nil {
		t.Fatal(err)
	}
	if os.Link(program, to) == nil {
		return
	}
	raw, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, raw, 0o700); err != nil {
		t.Fatal(err)
	}
}

// fakeApp takes the place of a killed app, on its port and with its data folder.
func fakeApp(t *testing.T, a *harness.App, start http.HandlerFunc) {
	t.Helper()
	a.Kill()
	serveOn(t, portOfURL(a.Base), func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1.0/status":
			fmt.Fprintf(w, `{"app":"cove","home":%q}`, a.Home)
		case "/v1.0/browser_profiles/1/start":
			start(w, r)
		default:
			http.NotFound(w, r)
		}
	})
}

func TestTheWrapperWaitsWhenTooManyStart(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	open := a.Create(`{"name":"open"}`) // another: one that is open is not asked for
	a.Open(open)
	running := a.Get(fmt.Sprintf("/v1.0/browser_profiles/%d/active", open)).Raw
	t.Cleanup(a.Up) // to close the profile
	var asked atomic.Int32
	token := a.Token()
	fakeApp(t, a, func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.URL.Query().Get("automation") != "1" {
			t.Errorf("asked with %q, credential %q", r.URL.RawQuery, r.Header.Get("Authorization"))
		}
		if asked.Add(1) <= 2 {
			rw.Header().Set("Retry-After", "1")
			rw.WriteHeader(http.StatusTooManyRequests)
			_, _ = io.WriteString(rw,
				`{"success":false,"errorObject":{"code":"E_TOO_MANY_LAUNCHES","text":"Too many."}}`)
			return
		}
		_, _ = io.WriteString(rw, running)
	})
	m := w.Serve("1")
	m.Initialize()
	m.Works("list_pages", nil)
	m.Close()
	if asked.Load() != 3 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestTheWrapperUsesTheRunningBrowserOfAConflict(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	port := a.Open(1)
	if err := os.Remove(a.ActivePort(1)); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(w.Args("1"), " "); !strings.Contains(got,
		"--browserUrl http://127.0.0.1:"+strconv.Itoa(port)+" ") {
		t.Errorf("the server was given %s", got)
	}
}

func TestTheAppGoesAwayWhileAProfileOpens(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	fakeApp(t, a, func(rw http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(rw).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	})
	w.Refuses(t, []string{"1"}, "Cove went away", "`cove up`")
}

func TestOnlyTheAppGetsTheOwnersToken(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	var asked atomic.Int32
	fakeApp(t, a, func(rw http.ResponseWriter, r *http.Request) {
		if asked.Add(1); r.Header.Get("Authorization") != "" {
			t.Error("a program that nobody but itself calls Cove was given the token")
		}
		rw.WriteHeader(http.StatusNotFound)
	})
	if err := os.Remove(filepath.Join(a.Home, "app.json")); err != nil {
		t.Fatal(err)
	}
	w.Refuses(t, []string{"1"}, "There is no profile 1")
	if asked.Load() == 0 {
		t.Error("it was not asked")
	}
}

func TestAWrapperThatWaitsForTheAppEndsWithItsClient(t *testing.T) {
	for name, end := range map[string]func(*harness.MCP) int{
		"SIGTERM": func(m *harness.MCP) int { return m.Signal(syscall.SIGTERM) },
		"SIGINT":  func(m *harness.MCP) int { return m.Signal(syscall.SIGINT) },
	} {
		t.Run(name, func(t *testing.T) {
			a := harness.Start(t)
			w := a.Install()
			asked := make(chan struct{}, 1)
			fakeApp(t, a, func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				<-r.Context().Done()
			})
			m := w.Serve("1")
			<-asked
			if code := end(m); code == 0 {
				t.Error("it ends as if all were well")
			}
		})
	}
}
