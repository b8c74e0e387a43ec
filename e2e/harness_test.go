//go:build e2e

// Package e2e runs the real program with a real Chromium and real clients.
package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
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

// cove is the program under test, built once with the race detector.
var cove string

// display is an X server that every headed test shares.
var display string

// quiet keeps the browsers of a test off the network and the graphics card.
const quiet = "--disable-gpu --disable-quic --disable-background-networking --disable-component-update --disable-sync"

// patience bounds a wait for something that must happen; it is generous because machines are slow, and never a measurement.
const patience = 60 * time.Second

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "cove-e2e")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if cove = os.Getenv("COVE_E2E_PROGRAM"); cove == "" {
		cove = filepath.Join(dir, "cove")
		build := exec.Command("go", "build", "-race", "-o", cove, "cove/cmd/cove")
		build.Env = append(os.Environ(), "CGO_ENABLED=1")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "build: %v\n%s", err, out)
			return 1
		}
	}
	x, err := startX()
	if err != nil {
		fmt.Fprintln(os.Stderr, "Xvfb:", err)
		return 1
	}
	defer func() { _ = x.Process.Kill(); _ = x.Wait() }()
	return m.Run()
}

// startX runs the X server of the headed tests.
func startX() (cmd *exec.Cmd, err error) {
	cmd, display, err = newX()
	return cmd, err
}

// newX runs an X server on a display number that it chooses itself.
func newX() (cmd *exec.Cmd, name string, err error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = r.Close() }()
	cmd = exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		return nil, "", err
	}
	_ = w.Close()
	// It writes the number and the line's end apart, and gives up when nobody reads the second.
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		return nil, "", err
	}
	return cmd, ":" + strings.TrimSpace(number), nil
}

// app is one running Cove with a data folder of its own.
type app struct {
	t    *testing.T
	home string
	env  []string
	cmd  *exec.Cmd
	base string
}

// option changes how the app is started.
type option func(*app)

// headed gives the app a display.
func headed(a *app) { a.env = append(a.env, "DISPLAY="+display) }

func at(home string) option { return func(a *app) { a.home = home } }

func with(env ...string) option { return func(a *app) { a.env = append(a.env, env...) } }

// start runs the app on a free port, and checks at the end that it leaves nothing behind.
func start(t *testing.T, options ...option) *app {
	t.Helper()
	a := &app{t: t}
	for _, o := range options {
		o(a)
	}
	if a.home == "" {
		home, err := os.MkdirTemp("", "cove-home")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.RemoveAll(home) })
		a.home = home
	}
	t.Cleanup(a.finish)
	a.up()
	return a
}

// environ is the environment of a person without a display, plus what the test adds.
func (a *app) environ() []string {
	env := []string{"COVE_HOME=" + a.home, "COVE_BROWSER_ARGS=" + quiet, "GORACE=halt_on_error=0 atexit_sleep_ms=10"}
	for _, kv := range os.Environ() {
		if name, _, _ := strings.Cut(kv, "="); name != "DISPLAY" && name != "WAYLAND_DISPLAY" && !strings.HasPrefix(name, "COVE_") {
			env = append(env, kv)
		}
	}
	return append(env, a.env...)
}

// up starts the app process and waits until it answers.
func (a *app) up() {
	a.t.Helper()
	a.launch("up", "--no-window", "--port", strconv.Itoa(freePort(a.t)))
	a.await()
}

// await waits until the app that was launched answers.
func (a *app) await() {
	a.t.Helper()
	wait(a.t, "the app to answer", func() bool {
		var f struct {
			PID  int `json:"pid"`
			Port int `json:"api_port"`
		}
		raw, err := os.ReadFile(filepath.Join(a.home, "app.json"))
		if err != nil || json.Unmarshal(raw, &f) != nil || f.PID != a.cmd.Process.Pid {
			return false
		}
		a.base = fmt.Sprintf("http://127.0.0.1:%d", f.Port)
		res, err := http.Get(a.base + "/v1.0/status")
		if err != nil {
			return false
		}
		_ = res.Body.Close()
		return res.StatusCode == http.StatusOK
	})
}

func (a *app) launch(args ...string) {
	a.t.Helper()
	log, err := os.OpenFile(filepath.Join(a.home, "up.out"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		a.t.Fatal(err)
	}
	defer func() { _ = log.Close() }()
	a.cmd = exec.Command(cove, args...)
	a.cmd.Env = a.environ()
	a.cmd.Stdout, a.cmd.Stderr = log, log
	a.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := a.cmd.Start(); err != nil {
		a.t.Fatal(err)
	}
}

// kill ends the app the hard way.
func (a *app) kill() {
	a.t.Helper()
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
}

// finish closes everything and looks for what should not be there.
func (a *app) finish() {
	a.t.Helper()
	if _, code := a.cli("stop-app", "--profiles"); code != 0 && code != 6 {
		a.t.Errorf("stop-app --profiles: exit code %d", code)
	}
	_ = a.cmd.Process.Kill()
	_ = a.cmd.Wait()
	var left []string
	for deadline := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
		if left = a.processes(""); len(left) == 0 || time.Now().After(deadline) {
			break
		}
	}
	if len(left) > 0 {
		a.t.Errorf("processes left behind:\n%s", strings.Join(left, "\n"))
		for _, line := range left {
			pid, _ := strconv.Atoi(strings.Fields(line)[0])
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	logs, _ := filepath.Glob(filepath.Join(a.home, "logs", "*"))
	for _, name := range append(logs, filepath.Join(a.home, "up.out")) {
		text, _ := os.ReadFile(name)
		for _, bad := range []string{"DATA RACE", "panic:", "fatal error:"} {
			if bytes.Contains(text, []byte(bad)) {
				a.t.Errorf("%s in %s:\n%s", bad, filepath.Base(name), text)
			}
		}
		if a.t.Failed() {
			a.t.Logf("%s:\n%s", filepath.Base(name), text)
		}
	}
}

// processes lists the living processes that name the data folder and contain word: "PID command line".
func (a *app) processes(word string) (found []string) {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		line, err := os.ReadFile(dir + "/cmdline")
		if err != nil || len(line) == 0 {
			continue
		}
		env, _ := os.ReadFile(dir + "/environ")
		text := strings.ReplaceAll(string(line), "\x00", " ")
		ours := strings.Contains(text, a.home) || (strings.HasPrefix(text, cove+" ") && bytes.Contains(env, []byte("COVE_HOME="+a.home+"\x00")))
		if ours && strings.Contains(text, word) && !zombie(dir) {
			found = append(found, filepath.Base(dir)+" "+text)
		}
	}
	return found
}

func zombie(dir string) bool {
	stat, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return true
	}
	rest := string(stat[bytes.LastIndexByte(stat, ')')+1:])
	return strings.HasPrefix(strings.TrimSpace(rest), "Z")
}

// cli runs a command of the program and returns its output and exit code.
func (a *app) cli(args ...string) (string, int) {
	cmd := exec.Command(cove, args...)
	cmd.Env = a.environ()
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(out), exit.ExitCode()
	}
	return string(out), 0
}

// must runs a command that has to work and returns its output.
func (a *app) must(args ...string) string {
	a.t.Helper()
	out, code := a.cli(args...)
	if code != 0 {
		a.t.Fatalf("cove %s: exit code %d\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

// answer is an HTTP answer, read.
type answer struct {
	Status int
	Header http.Header
	Body   map[string]any
	Raw    string
}

// code is errorObject.code.
func (r answer) code() string {
	o, _ := r.Body["errorObject"].(map[string]any)
	c, _ := o["code"].(string)
	return c
}

// port is automation.port, 0 without one.
func (r answer) port() int {
	o, _ := r.Body["automation"].(map[string]any)
	p, _ := o["port"].(float64)
	return int(p)
}

// request sends one request as a program would; header values come in pairs.
func (a *app) request(method, path, body string, header ...string) answer {
	a.t.Helper()
	r, err := a.try(method, path, body, header...)
	if err != nil {
		a.t.Fatalf("%s %s: %v", method, path, err)
	}
	return r
}

func (a *app) try(method, path, body string, header ...string) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	var in io.Reader
	if body != "" {
		in = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(ctx, method, a.base+path, in)
	if err != nil {
		return answer{}, err
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = res.Body.Close() }()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return answer{}, err
	}
	r := answer{Status: res.StatusCode, Header: res.Header, Raw: string(raw)}
	_ = json.Unmarshal(raw, &r.Body)
	return r, nil
}

// get is a request without a credential.
func (a *app) get(path string) answer { a.t.Helper(); return a.request(http.MethodGet, path, "") }

// own is a request with the owner's token.
func (a *app) own(method, path, body string) answer {
	a.t.Helper()
	return a.request(method, path, body, "Authorization", "Bearer "+a.token(), "Content-Type", "application/json")
}

func (a *app) token() string {
	a.t.Helper()
	raw, err := os.ReadFile(filepath.Join(a.home, "owner.token"))
	if err != nil {
		a.t.Fatal(err)
	}
	return strings.TrimSpace(string(raw))
}

// open starts a profile in automation mode and returns its port.
func (a *app) open(id int) int {
	a.t.Helper()
	r := a.get(fmt.Sprintf("/v1.0/browser_profiles/%d/start?automation=1", id))
	if r.Status != http.StatusOK || r.port() == 0 {
		a.t.Fatalf("start %d: %d %s", id, r.Status, r.Raw)
	}
	return r.port()
}

// openOrdinary starts a profile in ordinary mode.
func (a *app) openOrdinary(id int) {
	a.t.Helper()
	if r := a.get(fmt.Sprintf("/v1.0/browser_profiles/%d/start", id)); r.Status != http.StatusOK {
		a.t.Fatalf("start %d: %d %s", id, r.Status, r.Raw)
	}
}

func (a *app) close(id int) {
	a.t.Helper()
	if r := a.get(fmt.Sprintf("/v1.0/browser_profiles/%d/stop", id)); r.Status != http.StatusOK {
		a.t.Fatalf("stop %d: %d %s", id, r.Status, r.Raw)
	}
}

// create makes a profile and returns its id.
func (a *app) create(body string) int {
	a.t.Helper()
	r := a.own(http.MethodPost, "/v1.0/browser_profiles", body)
	id, _ := r.Body["browserProfileId"].(float64)
	if r.Status != http.StatusOK || id == 0 {
		a.t.Fatalf("create: %d %s", r.Status, r.Raw)
	}
	return int(id)
}

// state is the state of a profile, "" when it is closed: as the API tells it.
func (a *app) state(id int) (state, mode string) {
	a.t.Helper()
	r := a.get("/v1.0/browser_profiles/running")
	o, _ := r.Body[strconv.Itoa(id)].(map[string]any)
	state, _ = o["state"].(string)
	mode, _ = o["mode"].(string)
	return state, mode
}

// browser is the process id of an open profile's browser.
func (a *app) browser(id int) int {
	a.t.Helper()
	pid := a.pid(id)
	if pid == 0 {
		a.t.Fatalf("profile %d has no browser", id)
	}
	return pid
}

// pid is the same, 0 when the profile is closed.
func (a *app) pid(id int) int {
	a.t.Helper()
	r := a.get("/v1.0/browser_profiles/running")
	o, _ := r.Body[strconv.Itoa(id)].(map[string]any)
	pid, _ := o["pid"].(float64)
	return int(pid)
}

// keeper is the process id of an open profile's keeper.
func (a *app) keeper(id int) int {
	a.t.Helper()
	var f struct {
		PID int `json:"pid"`
	}
	raw, err := os.ReadFile(a.file(id, "keeper.json"))
	if err != nil || json.Unmarshal(raw, &f) != nil || f.PID == 0 {
		a.t.Fatalf("profile %d has no keeper: %v", id, err)
	}
	return f.PID
}

// file is a path below a profile's folder.
func (a *app) file(id int, name string) string {
	return filepath.Join(a.home, "browser_profiles", strconv.Itoa(id), filepath.FromSlash(name))
}

func (a *app) activePort(id int) string { return a.file(id, "data_dir/DevToolsActivePort") }

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// wait polls until the condition holds.
func wait(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain for %s", what)
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 20000 + rand.IntN(10000) // not one of those that the system gives to whoever comes next
		if l, err := net.Listen("tcp4", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return 0
}

// node runs a script of e2e/node and reads the JSON that it prints.
func node(t *testing.T, out any, script string, args ...string) {
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

// forgetTabs makes the next start open the start pages instead of the last tabs.
func forgetTabs(a *app, id int) error {
	return os.RemoveAll(a.file(id, "data_dir/Default/Sessions"))
}
