//go:build e2e

package harness

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// App is one running Cove with a data folder of its own.
type App struct {
	T    *testing.T
	Home string
	env  []string
	Cmd  *exec.Cmd
	Base string
}

// Option changes how the app is started.
type Option func(*App)

// Headed gives the app a display.
func Headed(a *App) { a.env = append(a.env, "DISPLAY="+display) }

// At gives the app a data folder that another app has used before.
func At(home string) Option { return func(a *App) { a.Home = home } }

// With adds to the environment of the app.
func With(env ...string) Option { return func(a *App) { a.env = append(a.env, env...) } }

// Start runs the app on a free port, and checks at the end that it leaves nothing behind.
func Start(t *testing.T, options ...Option) *App {
	t.Helper()
	a := &App{T: t}
	for _, o := range options {
		o(a)
	}
	if a.Home == "" {
		home, err := os.MkdirTemp("", "cove-home")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(home) })
		a.Home = home
	}
	t.Cleanup(a.Finish)
	a.Up()
	return a
}

// Environ is the environment of a person without a display, plus what the test adds.
func (a *App) Environ() []string {
	env := []string{"COVE_HOME=" + a.Home, "COVE_BROWSER_ARGS=" + BrowserFlags,
		"GORACE=halt_on_error=0 atexit_sleep_ms=10",
		"DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent"} // no test writes into the keyring of whoever runs it
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); name != "DISPLAY" && name != "WAYLAND_DISPLAY" &&
			name != "DBUS_SESSION_BUS_ADDRESS" && !strings.HasPrefix(name, "COVE_") {
			env = append(env, kv)
		}
	}
	return append(env, a.env...)
}

// Up starts the app process and waits until it answers.
func (a *App) Up() {
	a.T.Helper()
	a.Launch("up", "--no-window", "--port", strconv.Itoa(FreePort(a.T)))
	a.Await()
}

// Await waits until the app that was launched answers.
func (a *App) Await() {
	a.T.Helper()
	Wait(a.T, "the app to answer", func() bool {
		var f struct {
			PID  int `json:"pid"`
			Port int `json:"api_port"`
		}
		raw, err := os.ReadFile(filepath.Join(a.Home, "app.json"))
		if err != nil || json.Unmarshal(raw, &f) != nil || f.PID != a.Cmd.Process.Pid {
			return false
		}
		a.Base = fmt.Sprintf("http://127.0.0.1:%d", f.Port)
		res, err := Get(a.T, a.Base+"/v1.0/status")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

// Launch runs the program and does not wait for it; its output goes to up.out.
func (a *App) Launch(args ...string) {
	a.T.Helper()
	log, err := os.OpenFile(filepath.Join(a.Home, "up.out"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		a.T.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	a.Cmd = Exec(a.T, Cove, args...)
	a.Cmd.Env = a.Environ()
	a.Cmd.Stdout, a.Cmd.Stderr = log, log
	a.Cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := a.Cmd.Start(); err != nil {
		a.T.Fatal(err)
	}
}

// Kill ends the app the hard way.
func (a *App) Kill() {
	a.T.Helper()
	_ = a.Cmd.Process.Kill()
	_ = a.Cmd.Wait()
}

// Finish closes everything and looks for what should not be there.
func (a *App) Finish() {
	a.T.Helper()
	if _, code := a.Cli("stop-app", "--profiles"); code != 0 && code != 6 {
		a.T.Errorf("stop-app --profiles: exit code %d", code)
	}
	_ = a.Cmd.Process.Kill()
	_ = a.Cmd.Wait()
	var left []string
	gone := Poll(Patience, func() bool { left = a.Processes(""); return len(left) == 0 })
	if !gone {
		a.T.Errorf("processes left behind:\n%s", strings.Join(left, "\n"))
		for _, line := range left {
			pid, _ := strconv.Atoi(strings.Fields(line)[0])
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(a.Home, "logs", "*"))
	for _, name := range append(logs, filepath.Join(a.Home, "up.out")) {
		text, _ := os.ReadFile(name)
		for _, bad := range []string{"DATA RACE", "panic:", "fatal error:"} {
			if bytes.Contains(text, []byte(bad)) {
				a.T.Errorf("%s in %s:\n%s", bad, filepath.Base(name), text)
			}
		}
		if a.T.Failed() {
			a.T.Logf("%s:\n%s", filepath.Base(name), text)
		}
	}
}

// Processes lists the living processes that name the data folder and contain word: "PID command line".
func (a *App) Processes(word string) (found []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, err := os.ReadFile(dir + "/cmdline")
		if err != nil || len(line) == 0 {
			continue
		}
		env, _ := os.ReadFile(dir + "/environ")
		text := strings.ReplaceAll(string(line), "\x00", " ")
		ours := strings.Contains(text, a.Home) ||
			(strings.HasPrefix(text, Cove+" ") && bytes.Contains(env, []byte("COVE_HOME="+a.Home+"\x00")))
		if ours && strings.Contains(text, word) && !Zombie(dir) {
			found = append(found, filepath.Base(dir)+" "+text)
		}
	}
	return found
}

// Cli runs a command of the program and returns its output and exit code.
func (a *App) Cli(args ...string) (string, int) { return a.CliWith("", args...) }

// CliWith is Cli for a command that reads its input.
func (a *App) CliWith(input string, args ...string) (string, int) {
	cmd := Exec(a.T, Cove, args...)
	cmd.Env, cmd.Stdin = a.Environ(), strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

// Must runs a command that has to work and returns its output.
func (a *App) Must(args ...string) string {
	a.T.Helper()
	out, code := a.Cli(args...)
	if code != 0 {
		a.T.Fatalf("cove %s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// Open starts a profile in automation mode and returns its port.
func (a *App) Open(id int) int {
	a.T.Helper()
	r := a.Get(fmt.Sprintf("/v1.0/browser_profiles/%d/start?automation=1", id))
	if r.Status != http.StatusOK || r.Port() == 0 {
		a.T.Fatalf("start %d: %d %s", id, r.Status, r.Raw)
	}
	return r.Port()
}

// OpenOrdinary starts a profile in ordinary mode.
func (a *App) OpenOrdinary(id int) {
	a.T.Helper()
	if r := a.Get(fmt.Sprintf("/v1.0/browser_profiles/%d/start", id)); r.Status != http.StatusOK {
		a.T.Fatalf("start %d: %d %s", id, r.Status, r.Raw)
	}
}

// Close stops a profile.
func (a *App) Close(id int) {
	a.T.Helper()
	if r := a.Get(fmt.Sprintf("/v1.0/browser_profiles/%d/stop", id)); r.Status != http.StatusOK {
		a.T.Fatalf("stop %d: %d %s", id, r.Status, r.Raw)
	}
}

// Create makes a profile and returns its id.
func (a *App) Create(body string) int {
	a.T.Helper()
	r := a.Own(http.MethodPost, "/v1.0/browser_profiles", body)
	id, _ := r.Body["browserProfileId"].(float64)
	if r.Status != http.StatusOK || id == 0 {
		a.T.Fatalf("create: %d %s", r.Status, r.Raw)
	}
	return int(id)
}

// State is the state of a profile, "" when it is closed: as the API tells it.
func (a *App) State(id int) (state, mode string) {
	a.T.Helper()
	r := a.Get("/v1.0/browser_profiles/running")
	o, _ := r.Body[strconv.Itoa(id)].(map[string]any)
	state, _ = o["state"].(string)
	mode, _ = o["mode"].(string)
	return state, mode
}

// Browser is the process id of an open profile's browser.
func (a *App) Browser(id int) int {
	a.T.Helper()
	pid := a.Pid(id)
	if pid == 0 {
		a.T.Fatalf("profile %d has no browser", id)
	}
	return pid
}

// Pid is the same, 0 when the profile is closed.
func (a *App) Pid(id int) int {
	a.T.Helper()
	r := a.Get("/v1.0/browser_profiles/running")
	o, _ := r.Body[strconv.Itoa(id)].(map[string]any)
	pid, _ := o["pid"].(float64)
	return int(pid)
}

// Keeper is the process id of an open profile's keeper.
func (a *App) Keeper(id int) int {
	a.T.Helper()
	var f struct {
		PID int `json:"pid"`
	}
	raw, err := os.ReadFile(a.File(id, "keeper.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil || f.PID == 0 {
		a.T.Fatalf("profile %d has no keeper: %v", id, err)
	}
	return f.PID
}

// File is a path below a profile's folder.
func (a *App) File(id int, name string) string {
	return filepath.Join(a.Home, "browser_profiles", strconv.Itoa(id), filepath.FromSlash(name))
}

// ActivePort is the path of the file that names the debugging port.
func (a *App) ActivePort(id int) string { return a.File(id, "data_dir/DevToolsActivePort") }

// Node runs a script of e2e/node and reads the JSON that it prints.
func Node(t *testing.T, out any, script string, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	cmd.Dir = "node"
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	raw, err := cmd.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s%s", script, err, raw, stderr.String())
	}
	if err := json.Unmarshal(raw, out); err != nil {
		t.Fatalf("node %s printed %q: %v", script, raw, err)
	}
}

// ForgetTabs makes the next start open the start pages instead of the last tabs.
func ForgetTabs(a *App, id int) error {
	return os.RemoveAll(a.File(id, "data_dir/Default/Sessions"))
}
