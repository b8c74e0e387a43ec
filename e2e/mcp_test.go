//go:build e2e

package e2e

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// command is a program as a client's settings name it.
type command struct {
	args []string
	env  []string // nothing is added to it but a mark
	dir  string
}

// mcp is an MCP server that runs as the test's child, and the client that talks to it.
type mcp struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	said  words
	mark  string
	ended chan struct{} // closed when it has exited and its output is read

	// can is the client's capabilities, and what it answers to the server's own requests.
	can     object
	answers map[string]func(params any) any

	mu      sync.Mutex
	last    int
	waiting map[string]chan rpc
	notes   []rpc
}

// rpc is one message of either side.
type rpc struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%d %s", e.Code, e.Message) }

// words keeps what a process says.
type words struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

var marks atomic.Int64

// startMCP runs the server. At the test's end neither it nor anything that it has started may live.
func startMCP(t *testing.T, c command) *mcp {
	t.Helper()
	m := &mcp{t: t, mark: fmt.Sprintf("COVE_E2E_MARK=%d-%d", os.Getpid(), marks.Add(1)), ended: make(chan struct{}), can: object{}, answers: map[string]func(any) any{}, waiting: map[string]chan rpc{}}
	m.cmd = exec.Command(c.args[0], c.args[1:]...)
	m.cmd.Dir, m.cmd.Env, m.cmd.Stderr = c.dir, slices.Concat(c.env, []string{m.mark}), &m.said
	m.cmd.WaitDelay = patience
	var err error
	if m.in, err = m.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		m.read(out)
		_ = m.cmd.Wait()
		close(m.ended)
	}()
	t.Cleanup(m.finish)
	return m
}

// finish kills what is left; that is an error.
func (m *mcp) finish() {
	m.t.Helper()
	_ = m.in.Close()
	for deadline := time.Now().Add(patience); len(marked(m.mark)) > 0 && time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
	}
	for pid, line := range marked(m.mark) {
		m.t.Errorf("left behind: %d %s", pid, line)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-m.ended
	if m.t.Failed() {
		m.t.Logf("%s said on stderr:\n%s", m.cmd, m.said.String())
	}
}

// marked lists the living processes that have this in their environment.
func marked(mark string) map[int]string {
	found := map[int]string{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, _ := os.ReadFile(dir + "/environ")
		if !bytes.Contains(env, []byte(mark+"\x00")) || zombie(dir) {
			continue
		}
		line, _ := os.ReadFile(dir + "/cmdline")
		var pid int
		_, _ = fmt.Sscan(filepath.Base(dir), &pid)
		found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
	}
	return found
}

// read takes every line of stdout, which must be a JSON-RPC message and nothing else.
func (m *mcp) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var got rpc
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got.Version != "2.0" || (got.Method == "" && got.ID == nil) {
			m.t.Errorf("not a JSON-RPC message on stdout: %q", lines.Text())
			continue
		}
		switch {
		case got.Method != "" && got.ID != nil && m.answers[got.Method] != nil:
			raw, _ := json.Marshal(m.answers[got.Method](got.Params))
			_ = m.send(rpc{ID: got.ID, Result: raw})
		case got.Method != "" && got.ID != nil:
			_ = m.send(rpc{ID: got.ID, Error: &rpcError{-32601, "this client cannot do that"}})
		case got.Method != "":
			m.mu.Lock()
			m.notes = append(m.notes, got)
			m.mu.Unlock()
		default:
			m.mu.Lock()
			answered := m.waiting[string(got.ID)]
			delete(m.waiting, string(got.ID))
			m.mu.Unlock()
			if answered == nil {
				m.t.Errorf("an answer to nothing: %q", lines.Text())
				continue
			}
			answered <- got
		}
	}
}

func (m *mcp) send(message rpc) error {
	message.Version = "2.0"
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.in.Write(append(raw, '\n'))
	return err
}

var errEnded = errors.New("the server has ended")

// call sends a request and returns its result; a JSON-RPC error is an *rpcError.
func (m *mcp) call(method string, params any) (json.RawMessage, error) {
	return m.begin(method, params).wait()
}

// request is a request that has been sent.
type request struct {
	m        *mcp
	id       json.RawMessage
	method   string
	answered chan rpc
	err      error
}

// begin sends a request and does not wait.
func (m *mcp) begin(method string, params any) *request {
	m.mu.Lock()
	m.last++
	r := &request{m: m, id: json.RawMessage(fmt.Sprint(m.last)), method: method, answered: make(chan rpc, 1)}
	m.waiting[string(r.id)] = r.answered
	m.mu.Unlock()
	if m.send(rpc{ID: r.id, Method: method, Params: params}) != nil {
		r.err = errEnded
	}
	return r
}

func (r *request) wait() (json.RawMessage, error) {
	if r.err != nil {
		return nil, r.err
	}
	var got rpc
	select {
	case got = <-r.answered:
	case <-time.After(patience):
		return nil, fmt.Errorf("%s was not answered", r.method)
	case <-r.m.ended:
		select {
		case got = <-r.answered: // its last words
		default:
			return nil, errEnded
		}
	}
	if got.Error != nil {
		return nil, got.Error
	}
	return got.Result, nil
}

// waits says that there is no answer yet.
func (r *request) waits() bool { return len(r.answered) == 0 }

// cancel tells the server that nobody wants the answer any more.
func (r *request) cancel() {
	r.m.t.Helper()
	if err := r.m.send(rpc{Method: "notifications/cancelled", Params: object{"requestId": r.id, "reason": "the user changed their mind"}}); err != nil {
		r.m.t.Fatal(err)
	}
}

// tool waits for the answer of a tool.
func (r *request) tool() toolAnswer {
	r.m.t.Helper()
	raw, err := r.wait()
	if err != nil {
		r.m.t.Fatalf("%s: %v\n%s", r.method, err, r.m.said.String())
	}
	return readTool(r.m.t, raw)
}

// must is a call that has to work, its result read into out.
func (m *mcp) must(method string, params, out any) {
	m.t.Helper()
	raw, err := m.call(method, params)
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		m.t.Fatalf("%s: %v\n%s", method, err, m.said.String())
	}
}

type object = map[string]any

// initialize shakes hands as today's clients do and returns the server's name.
func (m *mcp) initialize() string {
	m.t.Helper()
	var r struct {
		ProtocolVersion string
		ServerInfo      struct{ Name string }
	}
	m.must("initialize", object{"protocolVersion": "2025-11-25", "capabilities": m.can, "clientInfo": object{"name": "e2e", "version": "1"}}, &r)
	if r.ProtocolVersion == "" {
		m.t.Error("the server names no protocol version")
	}
	if err := m.send(rpc{Method: "notifications/initialized"}); err != nil {
		m.t.Fatal(err)
	}
	return r.ServerInfo.Name
}

// tools is the names of the tools.
func (m *mcp) tools() (names []string) {
	m.t.Helper()
	var r struct {
		Tools []struct{ Name string }
	}
	m.must("tools/list", object{}, &r)
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}
	return names
}

// toolAnswer is what a tool gives: its texts joined, and its pictures.
type toolAnswer struct {
	Text    string
	Images  []string // base64
	IsError bool
}

func readTool(t *testing.T, raw json.RawMessage) toolAnswer {
	t.Helper()
	var r struct {
		IsError bool
		Content []struct{ Type, Text, Data string }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	a := toolAnswer{IsError: r.IsError}
	for _, c := range r.Content {
		if c.Type == "image" {
			a.Images = append(a.Images, c.Data)
			continue
		}
		a.Text += c.Text + "\n"
	}
	return a
}

func (m *mcp) tool(name string, args object) toolAnswer {
	m.t.Helper()
	return m.beginTool(name, args).tool()
}

func (m *mcp) beginTool(name string, args object) *request {
	if args == nil {
		args = object{}
	}
	return m.begin("tools/call", object{"name": name, "arguments": args})
}

// works is a tool call that must not fail; it returns the text.
func (m *mcp) works(name string, args object) string {
	m.t.Helper()
	a := m.tool(name, args)
	if a.IsError {
		m.t.Fatalf("%s %v: %s", name, args, a.Text)
	}
	return a.Text
}

// exit waits until the server has ended and returns its exit code, 128 + n after signal n.
func (m *mcp) exit() int {
	m.t.Helper()
	select {
	case <-m.ended:
	case <-time.After(patience):
		m.t.Fatalf("the server did not end; living: %v", marked(m.mark))
	}
	status, _ := m.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// close ends the server's input, as a client does, and waits for its end.
func (m *mcp) close() int {
	m.t.Helper()
	_ = m.in.Close()
	return m.exit()
}

// signal sends a signal to the server's process alone and waits for its end.
func (m *mcp) signal(s syscall.Signal) int {
	m.t.Helper()
	if err := m.cmd.Process.Signal(s); err != nil {
		m.t.Fatal(err)
	}
	return m.exit()
}
