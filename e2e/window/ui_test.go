//go:build e2e

package window

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"cove/e2e/harness"
)

// seen is what a person's visit to the window brought to light.
type seen struct {
	Wrong []string
	Said  struct {
		Late                         int
		IDs                          []int
		Order                        []string
		Address, Port, Text, Refused string
		Command, JSON, Result        string
		Diff, Written, Removed       string
		Wrapped, Wrapper, Project    string
		Times                        []int
		Shades                       map[string]string
		Leaked                       bool
		Tried                        map[string]any
		Calls                        map[string]int
	}
}

// visit uses the window of an app as a person does; what no person should see fails the test.
func visit(t *testing.T, a *harness.App, scenario string, more ...string) seen {
	t.Helper()
	all := map[string]string{"base": a.Base, "link": strings.TrimSpace(a.Must("ui")), "token": a.Token()}
	for i := 0; i < len(more); i += 2 {
		all[more[i]] = more[i+1]
	}
	given, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	var got seen
	harness.Node(t, &got, "ui.mjs", scenario, string(given))
	for _, w := range got.Wrong {
		t.Errorf("%s: %s", scenario, w)
	}
	return got
}

func TestWindow(t *testing.T) {
	for _, scenario := range []string{"first", "create", "proxies", "adspower", "login", "strange"} {
		t.Run(scenario, func(t *testing.T) { visit(t, harness.Start(t), scenario) })
	}
}

func TestWindowBringsCookiesInAndOut(t *testing.T) { visit(t, harness.Start(t), "cookies") }

func TestWindowShowsAndChangesTheExtensionsOfAProfile(t *testing.T) {
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	f, err := w.Create("manifest.json")
	if err == nil {
		_, err = io.WriteString(f, `{"manifest_version":3,"name":"Reader <b>x</b>","version":"1.2",
			"permissions":["debugger","storage"],"host_permissions":["https://*.example.com/*"]}`)
	}
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "reader.zip")
	if err := os.WriteFile(file, packed.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	visit(t, harness.Start(t), "extensions", "file", file)
}

func TestWindowOpensAndStopsProfilesInBothModes(t *testing.T) {
	got := visit(t, harness.Start(t), "modes")
	t.Logf("a change of another program was seen %d ms before its answer", -got.Said.Late)
}

func TestWindowByKeyboard(t *testing.T) {
	order := visit(t, harness.Start(t), "keyboard").Said.Order
	at := -1
	for _, want := range []string{"Skip to content", "Cove, all profiles", "Settings", "Search profiles", "Filter",
		"New profile", "Profiles", "Open: First profile", "Open for agents: First profile"} {
		i := slices.Index(order, want)
		if i <= at {
			t.Errorf("%q is at %d of %q", want, i, order)
		}
		at = i
	}
}

func TestWindowWithTenThousandProfiles(t *testing.T) {
	a := harness.Start(t)
	for part := range 10 {
		var b strings.Builder
		for i := range 1000 {
			n := part*1000 + i + 1
			fmt.Fprintf(&b, `,{"name":"Profile %d","folder":"Folder %d","tags":["t%d"]}`, n, n%20, n%50)
		}
		if r := a.Own("POST", "/v1.0/browser_profiles/mass", `{"profiles":[`+b.String()[1:]+`]}`); r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Raw)
		}
	}
	visit(t, a, "many")
}

// crowd makes profiles, a thousand at a time.
func crowd(t *testing.T, a *harness.App, thousands int) {
	t.Helper()
	for range thousands {
		r := a.Own("POST", "/v1.0/browser_profiles/mass", `{"template":{"name":"Profile","folder":"Crowd"},"count":1000}`)
		if r.Status != 200 {
			t.Fatalf("%d %s", r.Status, r.Raw)
		}
	}
}

func TestWindowChangesManyProfilesByAJob(t *testing.T) {
	a := harness.Start(t)
	crowd(t, a, 5)
	got := visit(t, a, "bulk")
	t.Logf("tagging 5,001 profiles took %d ms from the click to the message", got.Said.Times[0])
}

func TestWindowPaletteMenusAndJobs(t *testing.T) { visit(t, harness.Start(t), "cockpit") }

func TestWindowShowsThePortAndWhyItIsNotTheUsualOne(t *testing.T) {
	a := harness.Start(t)
	got := visit(t, a, "status")
	if got.Said.Address != a.Base || !strings.HasSuffix(a.Base, ":"+got.Said.Port) ||
		!strings.Contains(got.Said.Text, a.Home) {
		t.Errorf("%q %q %q", got.Said.Address, got.Said.Port, got.Said.Text)
	}
	// The usual port belongs to somebody else now.
	taken, err := harness.Listen(t, "tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = taken.Close() }()
	port := harness.PortOf(taken)
	a.Must("config", "set", "api_port", strconv.Itoa(port))
	a.Must("stop-app")
	_ = a.Cmd.Wait()
	a.Launch("up", "--no-window")
	a.Await()
	got = visit(t, a, "status")
	if got.Said.Port == strconv.Itoa(port) || got.Said.Address != a.Base ||
		!strings.Contains(got.Said.Text, fmt.Sprintf("ort %d is in use by “%s” (process %d)", port,
			filepath.Base(os.Args[0]), os.Getpid())) {
		t.Errorf("%q %q %q", got.Said.Address, got.Said.Port, got.Said.Text)
	}
}

func TestWindowConnectsAnAgent(t *testing.T) {
	person := t.TempDir()
	file := filepath.Join(person, ".cursor", "mcp.json")
	const before = "{\n  // mine\n  \"mcpServers\": {\n    \"mine\": {\"command\": \"true\"}\n  }\n}\n"
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	// Beside the wrapper: the client is not known to hand on NODE_PATH.
	if err := os.MkdirAll(filepath.Join(person, "mcp"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(harness.Modules(t), filepath.Join(person, "mcp", "node_modules")); err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	a := harness.Start(t, harness.With("HOME="+person))
	got := visit(t, a, "connect", "file", file, "project", project).Said
	if want := fmt.Sprintf("claude mcp add cove-1 --scope user -- %s --home %s mcp 1", harness.Cove,
		a.Home); got.Command != want {
		t.Errorf("the command is %q, want %q", got.Command, want)
	}
	for what, text := range map[string]string{"snippet": got.JSON, "change": got.Diff, "file": got.Written} {
		if !strings.Contains(text, `"cove-1"`) || !strings.Contains(text, harness.Cove) ||
			!strings.Contains(text, a.Home) {
			t.Errorf("the %s is\n%s", what, text)
		}
	}
	if !strings.Contains(got.Written, "// mine") || !strings.Contains(got.Written, `"mine": {"command": "true"}`) ||
		got.Removed != before {
		t.Errorf("the file was\n%s\nthen\n%s\nafterwards\n%s", before, got.Written, got.Removed)
	}
	if text, err := os.ReadFile(filepath.Join(person, "mcp", "profile-devtools-mcp.mjs")); err != nil ||
		!strings.Contains(string(text), a.Home) || !strings.Contains(got.Wrapper, "profile-devtools-mcp.mjs") {
		t.Errorf("%v, the file with the wrapper is\n%s", err, got.Wrapper)
	}
	if !strings.Contains(got.Project, `"cove-1"`) {
		t.Errorf("the project's file is\n%s", got.Project)
	}
	t.Log(got.Result, got.Wrapped)
}

func TestWindowShowsAPageAsItChanges(t *testing.T) {
	for name, o := range map[string][]harness.Option{"headless": nil, "headed": {harness.Headed}} {
		t.Run(name, func(t *testing.T) {
			got := visit(t, harness.Start(t, o...), "live")
			t.Logf("milliseconds from a page's change to its picture: %v", got.Said.Times)
		})
	}
}

func TestWindowTakesControlOfATab(t *testing.T) {
	visit(t, harness.Start(t), "control")
}

// The same through a window of a phone's size, with a tab of its own size.
func TestNarrowWindowTakesControlOfATab(t *testing.T) {
	t.Setenv("NARROW", "1")
	t.Setenv("VIEWPORT", "800x600x1")
	visit(t, harness.Start(t), "control")
}

func TestWindowSetsTheRulesAndAnswersAgents(t *testing.T) { visit(t, harness.Start(t), "rules") }

func TestWindowEditsEveryRule(t *testing.T) { visit(t, harness.Start(t), "policy") }

func TestWindowAsksAndRemembers(t *testing.T) { visit(t, harness.Start(t), "asks") }

func TestWindowIsDarkAndLightAndNarrow(t *testing.T) {
	got := visit(t, harness.Start(t), "look").Said.Shades
	if got["dark"] == got["light"] || got["dark"] != "rgb(17, 19, 24)" {
		t.Errorf("%v", got)
	}
}

func TestNoOtherPageCanUseTheWindowsCookie(t *testing.T) {
	got := visit(t, harness.Start(t), "foreign").Said
	if !got.Leaked {
		t.Error("the other page's server did not get the cookie: the test proves nothing")
	}
	t.Logf("%v", got.Tried)
}

func TestAnAgentSeesNothingOfTheWindow(t *testing.T) {
	got := visit(t, harness.Start(t), "agent").Said
	if got.Refused == "" && (!strings.Contains(got.Text, "Cove's own ports are closed to pages") ||
		strings.Contains(got.Text, "First profile")) {
		t.Errorf("an agent sees %q", got.Text)
	}
	if len(got.Calls) == 0 {
		t.Error("no call was tried")
	}
	for call, status := range got.Calls {
		if status != 403 && status != 0 { // 0: nothing was answered at all
			t.Errorf("%s: %d", call, status)
		}
	}
}

func TestWindowFindsTheAppAgain(t *testing.T) {
	a := harness.Start(t)
	_, port, _ := strings.Cut(strings.TrimPrefix(a.Base, "http://"), ":")
	looked := filepath.Join(t.TempDir(), "looked") // the person has seen enough of a window without an app
	back := make(chan struct{})
	first := a.Cmd
	go func() {
		defer close(back)
		_ = first.Wait()
		harness.Poll(2*harness.Patience, func() bool { return harness.Exists(looked) })
		a.Launch("up", "--no-window", "--port", port)
	}()
	visit(t, a, "away", "file", looked)
	<-back
}

// windowKey is the name under which the window keeps its key.
const windowKey = "cove-window"

// TestUpOpensTheWindow: a window of its own where there is a display; closing it closes nothing else.
func TestUpOpensTheWindow(t *testing.T) {
	a := &harness.App{T: t, Home: t.TempDir()}
	harness.Headed(a)
	t.Cleanup(a.Finish)
	a.Launch("up", "--port", strconv.Itoa(harness.FreePort(t)))
	a.Await()
	windowDir := filepath.Join(a.Home, "window")
	var window []string
	harness.Wait(t, "the window", func() bool {
		window = slices.DeleteFunc(a.Processes("--user-data-dir="+windowDir),
			func(line string) bool { return strings.Contains(line, "--type=") })
		return len(window) == 1
	})
	if !strings.Contains(window[0], "--app="+a.Base+"/#code=") || strings.Contains(window[0], "remote-debugging") {
		t.Errorf("the window's browser is %s", window[0])
	}
	// It signs itself in, and keeps its key.
	harness.Wait(t, "the window's key", func() bool {
		logs, _ := filepath.Glob(filepath.Join(windowDir, "Default", "Local Storage", "leveldb", "*.log"))
		return slices.ContainsFunc(logs, func(name string) bool {
			raw, _ := os.ReadFile(name)
			return strings.Contains(string(raw), windowKey)
		})
	})
	a.Open(1)
	pid, _ := strconv.Atoi(strings.Fields(window[0])[0])
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	harness.Wait(t, "the window to close", func() bool { return len(a.Processes("--user-data-dir="+windowDir)) == 0 })
	if state, mode := a.State(1); state != "open" || mode != "automation" {
		t.Errorf("after the window was closed the profile is %s %s", state, mode)
	}
	// A second `cove up` shows it again.
	out := a.Must("up")
	if !strings.Contains(out, "is already running: "+a.Base) {
		t.Errorf("%s", out)
	}
	harness.Wait(t, "the window again", func() bool { return len(a.Processes("--user-data-dir="+windowDir)) > 0 })
	for _, line := range a.Processes("--user-data-dir=" + windowDir) {
		if !strings.Contains(line, "--type=") {
			pid, _ := strconv.Atoi(strings.Fields(line)[0])
			_ = syscall.Kill(pid, syscall.SIGTERM)
		}
	}
	if raw, err := os.ReadFile(filepath.Join(a.Home, "logs", "app.log")); err != nil ||
		strings.Contains(string(raw), "code=") {
		t.Errorf("the log holds a sign-in code, or cannot be read: %v", err)
	}
}
