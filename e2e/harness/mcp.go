//go:build e2e

package harness

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

// Command is a program as a client's settings name it.
type Command struct {
	Args []string
	Env  []string // nothing is added to it but a mark
	Dir  string
}

// MCP is an MCP server that runs as the test's child, and the client that talks to it.
type MCP struct {
	T     *testing.T
	Cmd   *exec.Cmd
	In    io.WriteCloser
	Said  Words
	Mark  string
	ended chan struct{} // closed when it has exited and its output is read

	// Can is the client's capabilities, and what it answers to the server's own requests.
	Can     Object
	Answers map[string]func(params any) any

	Mu      sync.Mutex
	last    int
	waiting map[string]chan RPC
	Notes   []RPC
}

// RPC is one message of either side.
type RPC struct {
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

// Words keeps what a process says.
type Words struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (w *Words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(p)
}

func (w *Words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// Marks counts the marks that were given to processes.
var Marks atomic.Int64

// StartMCP runs the server. At the test's end neither it nor anything that it has started may live.
func StartMCP(t *testing.T, c Command) *MCP {
	t.Helper()
	m := &MCP{T: t, Mark: fmt.Sprintf("COVE_E2E_MARK=%d-%d", os.Getpid(), Marks.Add(1)), ended: make(chan struct{}),
		Can: Object{}, Answers: map[string]func(any) any{}, waiting: map[string]chan RPC{}}
	m.Cmd = Exec(t, c.Args[0], c.Args[1:]...)
	m.Cmd.Dir, m.Cmd.Env, m.Cmd.Stderr = c.Dir, slices.Concat(c.Env, []string{m.Mark}), &m.Said
	m.Cmd.WaitDelay = Patience
	var err error
	if m.In, err = m.Cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := m.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		m.read(out)
		_ = m.Cmd.Wait()
		close(m.ended)
	}()
	t.Cleanup(m.finish)
	return m
}

// finish kills what is left; that is an error.
func (m *MCP) finish() {
	m.T.Helper()
	_ = m.In.Close()
	Poll(Patience, func() bool { return len(Marked(m.Mark)) == 0 })
	for pid, line := range Marked(m.Mark) {
		m.T.Errorf("left behind: %d %s", pid, line)
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
	<-m.ended
	if m.T.Failed() {
		m.T.Logf("%s said on stderr:\n%s", m.Cmd, m.Said.String())
	}
}

// Marked lists the living processes that have this in their environment.
func Marked(mark string) map[int]string {
	found := map[int]string{}
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		env, _ := os.ReadFile(dir + "/environ")
		if !bytes.Contains(env, []byte(mark+"\x00")) || Zombie(dir) {
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
func (m *MCP) read(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var got RPC
		if err := json.Unmarshal(lines.Bytes(), &got); err != nil || got.Version != "2.0" ||
			(got.Method == "" && got.ID == nil) {
			m.T.Errorf("not a JSON-RPC message on stdout: %q", lines.Text())
			continue
		}
		switch {
		case got.Method != "" && got.ID != nil && m.Answers[got.Method] != nil:
			raw, _ := json.Marshal(m.Answers[got.Method](got.Params))
			_ = m.Send(RPC{ID: got.ID, Result: raw})
		case got.Method != "" && got.ID != nil:
			_ = m.Send(RPC{ID: got.ID, Error: &rpcError{-32601, "this client cannot do that"}})
		case got.Method != "":
			m.Mu.Lock()
			m.Notes = append(m.Notes, got)
			m.Mu.Unlock()
		default:
			m.Mu.Lock()
			answered := m.waiting[string(got.ID)]
			delete(m.waiting, string(got.ID))
			m.Mu.Unlock()
			if answered == nil {
				m.T.Errorf("an answer to nothing: %q", lines.Text())
				continue
			}
			answered <- got
		}
	}
}

// Send writes one message.
func (m *MCP) Send(message RPC) error {
	message.Version = "2.0"
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	m.Mu.Lock()
	defer m.Mu.Unlock()
	_, err = m.In.Write(append(raw, '\n'))
	return err
}

var errEnded = errors.New("the server has ended")

// Call sends a request and returns its result; a JSON-RPC error is an *rpcError.
func (m *MCP) Call(method string, params any) (json.RawMessage, error) {
	return m.Begin(method, params).Wait()
}

// Request is a request that has been sent.
type Request struct {
	m        *MCP
	id       json.RawMessage
	method   string
	answered chan RPC
	err      error
}

// Begin sends a request and does not wait.
func (m *MCP) Begin(method string, params any) *Request {
	m.Mu.Lock()
	m.last++
	r := &Request{m: m, id: json.RawMessage(fmt.Sprint(m.last)), method: method, answered: make(chan RPC, 1)}
	m.waiting[string(r.id)] = r.answered
	m.Mu.Unlock()
	if m.Send(RPC{ID: r.id, Method: method, Params: params}) != nil {
		r.err = errEnded
	}
	return r
}

// Wait returns the result of the request; a JSON-RPC error is an *rpcError.
func (r *Request) Wait() (json.RawMessage, error) {
	if r.err != nil {
		return nil, r.err
	}
	var got RPC
	select {
	case got = <-r.answered:
	case <-time.After(Patience):
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

// Waits says that there is no answer yet.
func (r *Request) Waits() bool { return len(r.answered) == 0 }

// Cancel tells the server that nobody wants the answer any more.
func (r *Request) Cancel() {
	r.m.T.Helper()
	if err := r.m.Send(RPC{Method: "notifications/cancelled",
		Params: Object{"requestId": r.id, "reason": "the user changed their mind"}}); err != nil {
		r.m.T.Fatal(err)
	}
}

// Must is a call that has to work, its result read into out.
func (m *MCP) Must(method string, params, out any) {
	m.T.Helper()
	raw, err := m.Call(method, params)
	if err == nil {
		err = json.Unmarshal(raw, out)
	}
	if err != nil {
		m.T.Fatalf("%s: %v\n%s", method, err, m.Said.String())
	}
}

// Object is a JSON object.
type Object = map[string]any

// Initialize shakes hands as today's clients do and returns the server's name.
func (m *MCP) Initialize() string {
	m.T.Helper()
	var r struct {
		ProtocolVersion string
		ServerInfo      struct{ Name string }
	}
	m.Must("initialize", Object{"protocolVersion": "2025-11-25", "capabilities": m.Can,
		"clientInfo": Object{"name": "e2e", "version": "1"}}, &r)
	if r.ProtocolVersion == "" {
		m.T.Error("the server names no protocol version")
	}
	if err := m.Send(RPC{Method: "notifications/initialized"}); err != nil {
		m.T.Fatal(err)
	}
	return r.ServerInfo.Name
}

// Exit waits until the server has ended and returns its exit code, 128 + n after signal n.
func (m *MCP) Exit() int {
	m.T.Helper()
	select {
	case <-m.ended:
	case <-time.After(Patience):
		m.T.Fatalf("the server did not end; living: %v", Marked(m.Mark))
	}
	status, _ := m.Cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// Close ends the server's input, as a client does, and waits for its end.
func (m *MCP) Close() int {
	m.T.Helper()
	_ = m.In.Close()
	return m.Exit()
}

// Signal sends a signal to the server's process alone and waits for its end.
func (m *MCP) Signal(s syscall.Signal) int {
	m.T.Helper()
	if err := m.Cmd.Process.Signal(s); err != nil {
		m.T.Fatal(err)
	}
	return m.Exit()
}
