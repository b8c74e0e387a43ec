//go:build e2e

package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// wrapper is the installed file, and what a client runs it with.
type wrapper struct {
	t    *testing.T
	home string // the data folder that it was installed for
	file string
	node string
	env  []string
	dir  string
}

// install lets the app write the wrapper. Its environment is a client's: nothing of Cove's, and a home without packages.
func (a *app) install() *wrapper {
	a.t.Helper()
	dir := a.t.TempDir()
	a.must("wrapper", "install", "--dir", dir, "--no-fetch")
	return &wrapper{t: a.t, home: a.home, file: filepath.Join(dir, "profile-devtools-mcp.mjs"), node: lookPath(a.t, "node"), dir: a.t.TempDir(),
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.t.TempDir(), "NODE_PATH=" + modules(a.t)}}
}

// modules is where the npm packages of the tests are, the real devtools server among them.
func modules(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("node/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// with returns a wrapper with more environment.
func (w *wrapper) with(env ...string) *wrapper {
	c := *w
	c.env = append(slices.Clone(w.env), env...)
	return &c
}

// serve runs the wrapper as a client does.
func (w *wrapper) serve(args ...string) *mcp {
	w.t.Helper()
	return startMCP(w.t, command{args: append([]string{w.node, w.file}, args...), env: w.env, dir: w.dir})
}

// fake is a folder with a devtools server of our own, which prints its arguments as a message and then does what code says.
func fake(t *testing.T, code string) string {
	t.Helper()
	dir := t.TempDir()
	pkg := filepath.Join(dir, "chrome-devtools-mcp")
	if err := os.MkdirAll(pkg, 0o755); err != nil {
		t.Fatal(err)
	}
	say := `console.log(JSON.stringify({jsonrpc: '2.0', method: 'args', params: process.argv.slice(2)}));` + "\n"
	for name, text := range map[string]string{
		"package.json": `{"name":"chrome-devtools-mcp","version":"1.11.0","type":"module","bin":{"chrome-devtools-mcp":"./main.js"}}`,
		"main.js":      say + code,
	} {
		if err := os.WriteFile(filepath.Join(pkg, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// args runs the wrapper on a fake server that ends at once, and returns what the server was given.
func (w *wrapper) args(id string) []string {
	w.t.Helper()
	c := command{args: []string{w.node, w.file, id}, env: w.with("NODE_PATH=" + fake(w.t, "process.exit(0)")).env, dir: w.dir}
	stdout, stderr, code := output(w.t, c)
	var m struct{ Params []string }
	if err := json.Unmarshal([]byte(stdout), &m); err != nil || code != 0 {
		w.t.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	return m.Params
}

// output runs a command whose input stays open and returns what it prints.
func output(t *testing.T, c command) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.args[0], c.args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.dir, c.env, patience
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	var out, said words
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s did not end by itself; it said %s%s", cmd, out.String(), said.String())
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// uidOf is the uid of the first element that a snapshot shows so.
func uidOf(snapshot, what string) string {
	m := regexp.MustCompile(`uid=(\S+) ` + regexp.QuoteMeta(what)).FindStringSubmatch(snapshot)
	if m == nil {
		return ""
	}
	return m[1]
}

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
func work(t *testing.T, m *mcp, web *site) {
	t.Helper()
	if name := m.initialize(); name != "chrome_devtools" {
		t.Errorf("the server calls itself %q", name)
	}
	if tools := m.tools(); len(tools) != 32 {
		t.Errorf("%d tools: %v", len(tools), tools)
	}
	page := pageID(t, m.works("list_pages", nil), "")
	address := web.URL + "/form?who=agent"
	m.works("navigate_page", object{"pageId": page, "type": "url", "url": address})
	if pages := m.works("list_pages", nil); pageID(t, pages, address) != page {
		t.Errorf("after navigate_page: %s", pages)
	}
	snapshot := m.works("take_snapshot", object{"pageId": page})
	field, button := uidOf(snapshot, "textbox"), uidOf(snapshot, `button "go"`)
	if field == "" || button == "" {
		t.Fatalf("the snapshot shows no form:\n%s", snapshot)
	}
	m.works("fill_form", object{"pageId": page, "elements": []object{{"uid": field, "value": "typed text"}}})
	m.works("click", object{"pageId": page, "uid": button})
	if snapshot := m.works("take_snapshot", object{"pageId": page}); !strings.Contains(snapshot, "agent typed text") {
		t.Errorf("the click did nothing:\n%s", snapshot)
	}
	shot := m.tool("take_screenshot", object{"pageId": page})
	if len(shot.Images) != 1 {
		t.Fatalf("no screenshot: %s", shot.Text)
	}
	if raw, err := base64.StdEncoding.DecodeString(shot.Images[0]); err != nil || !strings.HasPrefix(string(raw), "\x89PNG") {
		t.Errorf("the screenshot is %d bytes, %v", len(raw), err)
	}
}

// stillOpen checks that the profile did not go with its client.
func stillOpen(t *testing.T, a *app, id int) {
	t.Helper()
	if state, mode := a.state(id); state != "open" || mode != "automation" {
		t.Errorf("after its client has gone the profile is %q %q", state, mode)
	}
}

func TestTheDevtoolsServerWorksInAProfile(t *testing.T) {
	a, web := start(t), newSite(t)
	w := a.install()
	for _, how := range []string{"closed before", "open already"} {
		t.Run(how, func(t *testing.T) {
			w := *w
			w.t = t
			m := w.serve("1")
			work(t, m, web)
			if code := m.close(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			if said := m.said.String(); strings.Count(said, "\n") > 4 || strings.Contains(said, "npm") {
				t.Errorf("stderr: %s", said)
			}
			stillOpen(t, a, 1)
		})
	}
}

func TestTheServerEndsWithItsClient(t *testing.T) {
	a := start(t)
	w := a.install()
	for name, end := range map[string]func(*mcp) int{
		"stdin's end": (*mcp).close,
		"SIGTERM":     func(m *mcp) int { return m.signal(syscall.SIGTERM) },
		"SIGINT":      func(m *mcp) int { return m.signal(syscall.SIGINT) },
		"SIGHUP":      func(m *mcp) int { return m.signal(syscall.SIGHUP) },
		"SIGKILL":     func(m *mcp) int { return m.signal(syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) {
			w := *w
			w.t = t
			m := w.serve("1")
			m.initialize()
			m.works("list_pages", nil)
			if living := marked(m.mark); len(living) != 2 {
				t.Errorf("living: %v", living)
			}
			code := end(m)
			if name == "stdin's end" && code != 0 {
				t.Errorf("exit code %d", code)
			}
			wait(t, "its processes to end", func() bool { return len(marked(m.mark)) == 0 })
			stillOpen(t, a, 1)
		})
	}
}

func TestAClientThatLeavesAtOnceLeavesNothing(t *testing.T) {
	a := start(t)
	m := a.install().serve("1")
	m.close() // the profile is not open yet
	if living := marked(m.mark); len(living) != 0 {
		t.Errorf("living: %v", living)
	}
	stillOpen(t, a, 1)
}

func TestTheServersExitCodeIsTheWrappers(t *testing.T) {
	a := start(t)
	w := a.install()
	a.open(1)
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
			w := w.with("NODE_PATH=" + fake(t, c.code))
			w.t = t
			m := w.serve("1")
			if c.end {
				_ = m.in.Close()
			}
			if got := m.exit(); got != c.want {
				t.Errorf("exit code %d, not %d: %s", got, c.want, m.said.String())
			}
			wait(t, "its processes to end", func() bool { return len(marked(m.mark)) == 0 })
		})
	}
}

// TestNpxFetchesThePackageOnce uses the real registry and a cache of its own.
func TestNpxFetchesThePackageOnce(t *testing.T) {
	a, web := start(t), newSite(t)
	cache := t.TempDir()
	w := a.install().with("NODE_PATH=", "npm_config_cache="+cache)
	for _, name := range []string{"NODE_EXTRA_CA_CERTS", "npm_config_registry", "NPM_CONFIG_USERCONFIG"} {
		if value := os.Getenv(name); value != "" {
			w = w.with(name + "=" + value)
		}
	}
	if user := filepath.Join(os.Getenv("HOME"), ".npmrc"); exists(user) {
		w = w.with("NPM_CONFIG_USERCONFIG=" + user) // the person's registry
	}
	const line = "chrome-devtools-mcp 1.11.0 is fetched from npm: the first run takes a little longer.\n"
	t.Run("the first run says so", func(t *testing.T) {
		w.t = t
		m := w.serve("1")
		work(t, m, web)
		if said := m.said.String(); strings.Count(said, line) != 1 {
			t.Errorf("stderr: %s", said)
		}
		if npx := fmt.Sprint(marked(m.mark)); !strings.Contains(npx, "npm exec") && !strings.Contains(npx, "npx") {
			t.Errorf("living: %v", npx)
		}
		if code := m.signal(syscall.SIGTERM); code == 1 {
			t.Errorf("exit code %d: %s", code, m.said.String())
		}
	})
	t.Run("a killed wrapper takes npx with it", func(t *testing.T) {
		moved := filepath.Join(cache, "_npx-moved")
		if err := os.Rename(filepath.Join(cache, "_npx"), moved); err != nil { // so that it asks npx again
			t.Fatal(err)
		}
		w.t = t
		m := w.serve("1")
		m.initialize()
		if living := marked(m.mark); len(living) < 3 {
			t.Errorf("living: %v", living)
		}
		m.signal(syscall.SIGKILL)
		wait(t, "npx and its children to end", func() bool { return len(marked(m.mark)) == 0 })
	})
	t.Run("the next run needs no npx", func(t *testing.T) {
		w.t = t
		m := w.serve("1")
		m.initialize()
		if said := m.said.String(); strings.Contains(said, "npm") {
			t.Errorf("stderr: %s", said)
		}
		if living := marked(m.mark); len(living) != 2 {
			t.Errorf("living: %v", living)
		}
		m.close()
	})
	stillOpen(t, a, 1)
}

// TestTheWrapperOnOtherSystems runs the tests of the wrapper's functions, which are told that they are on Windows or macOS.
func TestTheWrapperOnOtherSystems(t *testing.T) {
	for _, node := range []string{lookPath(t, "node"), filepath.Join(modules(t), "node18", "bin", "node")} {
		if stdout, stderr, code := output(t, command{args: []string{node, "--test", "wrapper.test.mjs"}, env: os.Environ(), dir: "node"}); code != 0 || !regexp.MustCompile(`pass [1-9]`).MatchString(stdout) {
			t.Errorf("%s: exit code %d\n%s%s", node, code, stdout, stderr)
		}
	}
}
