//go:build e2e

package clients

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"cove/e2e/harness"
)

// pageID is the number of the page with this address in the text of list_pages.
func pageID(t *testing.T, pages, address string) int {
	t.Helper()
	m := regexp.MustCompile(`(?m)^(\d+): .*` + regexp.QuoteMeta(address)).FindStringSubmatch(pages)
	if m == nil {
		t.Fatalf("no page %s in:\n%s", address, pages)
	}
	id, _ := strconv.Atoi(m[1])
	return id
}

// work does on a page what agents do most.
func work(t *testing.T, m *harness.MCP, web *harness.Site) {
	t.Helper()
	if name := m.Initialize(); name != "chrome_devtools" {
		t.Errorf("the server calls itself %q", name)
	}
	if tools := m.Tools(); len(tools) != 32 {
		t.Errorf("%d tools: %v", len(tools), tools)
	}
	page := pageID(t, m.Works("list_pages", nil), "")
	address := web.URL + "/form?who=agent"
	m.Works("navigate_page", harness.Object{"pageId": page, "type": "url", "url": address})
	if pages := m.Works("list_pages", nil); pageID(t, pages, address) != page {
		t.Errorf("after navigate_page: %s", pages)
	}
	snapshot := m.Works("take_snapshot", harness.Object{"pageId": page})
	field, button := harness.UIDOf(snapshot, "textbox"), harness.UIDOf(snapshot, `button "go"`)
	if field == "" || button == "" {
		t.Fatalf("the snapshot shows no form:\n%s", snapshot)
	}
	m.Works("fill_form", harness.Object{"pageId": page,
		"elements": []harness.Object{{"uid": field, "value": "typed text"}}})
	m.Works("click", harness.Object{"pageId": page, "uid": button})
	if snapshot := m.Works("take_snapshot", harness.Object{"pageId": page}); !strings.Contains(snapshot,
		"agent typed text") {
		t.Errorf("the click did nothing:\n%s", snapshot)
	}
	shot := m.Tool("take_screenshot", harness.Object{"pageId": page})
	if len(shot.Images) != 1 {
		t.Fatalf("no screenshot: %s", shot.Text)
	}
	if raw, err := base64.StdEncoding.DecodeString(shot.Images[0]); err != nil ||
		!strings.HasPrefix(string(raw), "\x89PNG") {
		t.Errorf("the screenshot is %d bytes, %v", len(raw), err)
	}
}

// stillOpen checks that the profile did not go with its client.
func stillOpen(t *testing.T, a *harness.App, id int) {
	t.Helper()
	if state, mode := a.State(id); state != "open" || mode != "automation" {
		t.Errorf("after its client has gone the profile is %q %q", state, mode)
	}
}

func TestTheDevtoolsServerWorksInAProfile(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	w := a.Install()
	for _, how := range []string{"closed before", "open already"} {
		t.Run(how, func(t *testing.T) {
			w := *w
			w.T = t
			m := w.Serve("1")
			work(t, m, web)
			if code := m.Close(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if said := m.Said.String(); strings.Count(said, "\n") > 4 || strings.Contains(said, "npm") {
				t.Errorf("stderr: %s", said)
			}
			stillOpen(t, a, 1)
		})
	}
}

func TestTheServerEndsWithItsClient(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	for name, end := range map[string]func(*harness.MCP) int{
		"stdin's end": (*harness.MCP).Close,
		"SIGTERM":     func(m *harness.MCP) int { return m.Signal(syscall.SIGTERM) },
		"SIGINT":      func(m *harness.MCP) int { return m.Signal(syscall.SIGINT) },
		"SIGHUP":      func(m *harness.MCP) int { return m.Signal(syscall.SIGHUP) },
		"SIGKILL":     func(m *harness.MCP) int { return m.Signal(syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) {
			w := *w
			w.T = t
			m := w.Serve("1")
			m.Initialize()
			m.Works("list_pages", nil)
			if living := harness.Marked(m.Mark); len(living) != 2 {
				t.Errorf("living: %v", living)
			}
			code := end(m)
			if name == "stdin's end" && code != 0 {
				t.Errorf("exit code %d", code)
			}
			harness.Wait(t, "its processes to end", func() bool { return len(harness.Marked(m.Mark)) == 0 })
			stillOpen(t, a, 1)
		})
	}
}

func TestAClientThatLeavesAtOnceLeavesNothing(t *testing.T) {
	a := harness.Start(t)
	m := a.Install().Serve("1")
	m.Close() // the profile is not open yet
	if living := harness.Marked(m.Mark); len(living) != 0 {
		t.Errorf("living: %v", living)
	}
	stillOpen(t, a, 1)
}

func TestTheServersExitCodeIsTheWrappers(t *testing.T) {
	a := harness.Start(t)
	w := a.Install()
	a.Open(1)
	for name, c := range map[string]struct {
		code string
		end  bool // of its input
		want int
	}{
		"0":                               {"process.exit(0)", false, 0},
		"7":                               {"process.exit(7)", false, 7},
		"killed":                          {"process.kill(process.pid, 'SIGKILL')", false, 128 + 9},
		"ended by a signal":               {"process.kill(process.pid, 'SIGTERM')", false, 128 + 15},
		"after its input's end":           {"process.stdin.resume().on('end', () => process.exit(3))", true, 3},
		"its own child would live on":     {"(await import('child_process')).spawn('sleep', ['1000'], {stdio: 'inherit'}); setTimeout(() => process.exit(5), 100)", false, 5},
		"it does not mind the end":        {"process.stdin.resume(); setInterval(() => {}, 1000)", true, 128 + 15},
		"it does not mind SIGTERM either": {"process.stdin.resume(); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)", true, 128 + 9},
	} {
		t.Run(name, func(t *testing.T) {
			w := w.With("NODE_PATH=" + harness.Fake(t, c.code))
			w.T = t
			m := w.Serve("1")
			if c.end {
				_ = m.In.Close()
			}
			if got := m.Exit(); got != c.want {
				t.Errorf("exit code %d, not %d: %s", got, c.want, m.Said.String())
			}
			harness.Wait(t, "its processes to end", func() bool { return len(harness.Marked(m.Mark)) == 0 })
		})
	}
}

// TestNpxFetchesThePackageOnce uses the real registry and a cache of its own.
func TestNpxFetchesThePackageOnce(t *testing.T) {
	a, web := harness.Start(t), harness.NewSite(t)
	cache := t.TempDir()
	w := a.Install().With("NODE_PATH=", "npm_config_cache="+cache)
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "npm_config_registry", "NPM_CONFIG_USERCONFIG"} {
		if value := os.Getenv(name); value != "" {
			w = w.With(name + "=" + value)
		}
	}
	if user := filepath.Join(os.Getenv("HOME"), ".npmrc"); harness.Exists(user) {
		w = w.With("NPM_CONFIG_USERCONFIG=" + user) // the person's registry
	}
	const line = "chrome-devtools-mcp 1.11.0 is fetched from npm: the first run takes a little longer.\n"
	t.Run("the first run says so", func(t *testing.T) {
		w.T = t
		m := w.Serve("1")
		work(t, m, web)
		if said := m.Said.String(); strings.Count(said, line) != 1 {
			t.Errorf("stderr: %s", said)
		}
		if npx := fmt.Sprint(harness.Marked(m.Mark)); !strings.Contains(npx, "npm exec") &&
			!strings.Contains(npx, "npx") {
			t.Errorf("living: %v", npx)
		}
		if code := m.Signal(syscall.SIGTERM); code == 1 {
			t.Errorf("exit code %d: %s", code, m.Said.String())
		}
	})
	t.Run("a killed wrapper takes npx with it", func(t *testing.T) {
		moved := filepath.Join(cache, "_npx-moved")
		if err := os.Rename(filepath.Join(cache, "_npx"), moved); err != nil { // so that it asks npx again
			t.Fatal(err)
		}
		w.T = t
		m := w.Serve("1")
		m.Initialize()
		if living := harness.Marked(m.Mark); len(living) < 3 {
			t.Errorf("living: %v", living)
		}
		m.Signal(syscall.SIGKILL)
		harness.Wait(t, "npx and its children to end", func() bool { return len(harness.Marked(m.Mark)) == 0 })
	})
	t.Run("the next run needs no npx", func(t *testing.T) {
		w.T = t
		m := w.Serve("1")
		m.Initialize()
		if said := m.Said.String(); strings.Contains(said, "npm") {
			t.Errorf("stderr: %s", said)
		}
		if living := harness.Marked(m.Mark); len(living) != 2 {
			t.Errorf("living: %v", living)
		}
		m.Close()
	})
	stillOpen(t, a, 1)
}

// TestTheWrapperOnOtherSystems runs the tests of the wrapper's functions, which are told that they are on Windows or
// macOS.
func TestTheWrapperOnOtherSystems(t *testing.T) {
	for _, node := range []string{harness.LookPath(t, "node"), filepath.Join(harness.Modules(t), "node18", "bin",
		"node")} {
		if stdout, stderr, code := harness.Output(t, harness.Command{Args: []string{node, "--test", "wrapper.test.mjs"},
			Env: os.Environ(), Dir: "node"}); code != 0 || !regexp.MustCompile(`pass [1-9]`).MatchString(stdout) {
			t.Errorf("%s: exit code %d\n%s%s", node, code, stdout, stderr)
		}
	}
}
