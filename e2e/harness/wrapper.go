//go:build e2e

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// Verify runs the procedure in a client's environment. Nothing that it starts may outlive it.
func (a *App) Verify(t *testing.T, w *Wrapper, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	mark := fmt.Sprintf("COVE_E2E_MARK=%d-%d", os.Getpid(), Marks.Add(1))
	cmd := Exec(t, Cove, append([]string{"verify", "1", "--home", a.Home, "--wrapper", "--dir", filepath.Dir(w.File)},
		args...)...)
	cmd.Env = slices.Concat(w.Env, []string{mark, "GORACE=halt_on_error=0 atexit_sleep_ms=10"})
	var out, said Words
	cmd.Stdout, cmd.Stderr = &out, &said
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if strings.Contains(said.String(), "DATA RACE") {
		t.Error(said.String())
	}
	for pid, line := range Marked(mark) {
		t.Errorf("left behind: %d %s", pid, line)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// Replace puts another program in the wrapper's place.
func (w *Wrapper) Replace(t *testing.T, code string) *Wrapper {
	t.Helper()
	c := *w
	c.File = filepath.Join(t.TempDir(), filepath.Base(w.File))
	if err := os.WriteFile(c.File, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	return &c
}

// Write puts a DevToolsActivePort into a profile's folder.
func (a *App) Write(id int, content string) {
	a.T.Helper()
	if err := os.MkdirAll(a.File(id, "data_dir"), 0o700); err != nil {
		a.T.Fatal(err)
	}
	if err := os.WriteFile(a.ActivePort(id), []byte(content), 0o600); err != nil {
		a.T.Fatal(err)
	}
}

// Refuses runs the wrapper, which must say one sentence with all of these words on stderr, nothing on stdout, and exit
// 1. A command of ours among the words must name the data folder.
func (w *Wrapper) Refuses(t *testing.T, args []string, words ...string) {
	t.Helper()
	stdout, stderr, code := Output(t, Command{Args: append([]string{w.Node, w.File}, args...), Env: w.Env, Dir: w.dir})
	if code != 1 || stdout != "" {
		t.Errorf("exit code %d, stdout %q", code, stdout)
	}
	if strings.Count(stderr, "\n") != 1 || !strings.HasSuffix(stderr, ".\n") {
		t.Errorf("stderr is not one sentence: %q", stderr)
	}
	for _, word := range words {
		word = regexp.MustCompile("`cove [^`]*").ReplaceAllString(word, "$0 --home "+w.Home)
		if !strings.Contains(stderr, word) {
			t.Errorf("%q is missing in %q", word, stderr)
		}
	}
}

// Wrapper is the installed file, and what a client runs it with.
type Wrapper struct {
	T    *testing.T
	Home string // the data folder that it was installed for
	File string
	Node string
	Env  []string
	dir  string
}

// Install lets the app write the wrapper. Its environment is a client's: nothing of Cove's, and a home without
// packages.
func (a *App) Install() *Wrapper {
	a.T.Helper()
	dir := a.T.TempDir()
	a.Must("wrapper", "install", "--dir", dir, "--no-fetch")
	return &Wrapper{T: a.T, Home: a.Home, File: filepath.Join(dir, "profile-devtools-mcp.mjs"),
		Node: LookPath(a.T, "node"), dir: a.T.TempDir(),
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + a.T.TempDir(), "NODE_PATH=" + Modules(a.T)}}
}

// Modules is where the npm packages of the tests are, the real devtools server among them.
func Modules(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("node/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// LookPath finds a program that the test needs.
func LookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// With returns a wrapper with more environment.
func (w *Wrapper) With(env ...string) *Wrapper {
	c := *w
	c.Env = append(slices.Clone(w.Env), env...)
	return &c
}

// Serve runs the wrapper as a client does.
func (w *Wrapper) Serve(args ...string) *MCP {
	w.T.Helper()
	return StartMCP(w.T, Command{Args: append([]string{w.Node, w.File}, args...), Env: w.Env, Dir: w.dir})
}

// Fake is a folder with a devtools server of our own, which prints its arguments as a message and then does what code
// says.
func Fake(t *testing.T, code string) string {
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

// Args runs the wrapper on a fake server that ends at once, and returns what the server was given.
func (w *Wrapper) Args(id string) []string {
	w.T.Helper()
	c := Command{Args: []string{w.Node, w.File, id}, Env: w.With("NODE_PATH=" + Fake(w.T, "process.exit(0)")).Env,
		Dir: w.dir}
	stdout, stderr, code := Output(w.T, c)
	var m struct{ Params []string }
	if err := json.Unmarshal([]byte(stdout), &m); err != nil || code != 0 {
		w.T.Fatalf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
	return m.Params
}

// Output runs a command whose input stays open and returns what it prints.
func Output(t *testing.T, c Command) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = c.Dir, c.Env, Patience
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	var out, said Words
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s did not end by itself; it said %s%s", cmd, out.String(), said.String())
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

// UIDOf is the uid of the first element that a snapshot shows so.
func UIDOf(snapshot, what string) string {
	m := regexp.MustCompile(`uid=(\S+) ` + regexp.QuoteMeta(what)).FindStringSubmatch(snapshot)
	if m == nil {
		return ""
	}
	return m[1]
}
