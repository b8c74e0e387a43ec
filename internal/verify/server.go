package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// server is an MCP server that runs as a client's child: JSON lines on stdin and stdout.
type server struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	said   lastWords
	lines  chan message
	held   []message // read, and not looked at yet
	exited chan struct{}
	next   int
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// lastWords keeps the end of what a server says on stderr.
type lastWords struct {
	mu   sync.Mutex
	text []byte
}

func (w *lastWords) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	if over := len(w.text) - 4096; over > 0 {
		w.text = append([]byte(nil), w.text[over:]...)
	}
	return len(p), nil
}

func (w *lastWords) line() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return LastLine(string(w.text))
}

// LastLine is the last line of what a program has said that tells something: npm ends with where its log is. Cove's own words are two
// lines, what happened and what to do, and the first one is not left out.
func LastLine(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range slices.Backward(lines) {
		words := strings.TrimSpace(line)
		if words == "" || strings.Contains(words, "A complete log of this run can be found in") {
			continue
		}
		if i > 0 && strings.HasPrefix(line, "  ") {
			if first, ours := strings.CutPrefix(lines[i-1], "cove: "); ours {
				return strings.TrimSpace(first) + " " + words
			}
		}
		return words
	}
	return ""
}

// Program is an MCP server as a client runs it. Without Env it gets this program's environment.
type Program struct {
	Command []string
	Env     []string
	Dir     string
}

func startServer(p Program) (*server, error) {
	s := &server{cmd: exec.Command(p.Command[0], p.Command[1:]...), lines: make(chan message, 64), exited: make(chan struct{})}
	s.cmd.Env, s.cmd.Dir = p.Env, p.Dir
	s.cmd.Stderr = &s.said
	s.cmd.WaitDelay = 2 * time.Second
	ownGroup(s.cmd)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// A pipe of ours: a process that the server left behind may hold its other end, and must not hold us.
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	s.out, s.cmd.Stdout = out, theirs
	err = s.cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	go s.read()
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
	return s, nil
}

func (s *server) read() {
	defer close(s.lines)
	r := bufio.NewReader(s.out)
	for {
		raw, err := r.ReadBytes('\n')
		var m message
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			if json.Unmarshal(raw, &m) != nil {
				m.Error = &struct {
					Message string `json:"message"`
				}{"a line on stdout is not MCP: " + short(string(raw))}
			}
			s.lines <- m
		}
		if err != nil {
			return
		}
	}
}

func short(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

func (s *server) write(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(raw, '\n'))
	return err
}

type object = map[string]any

// call sends a request and waits for its answer.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	if err := s.ask(method, params); err != nil {
		return s.ended()
	}
	return s.await(ctx, method, result)
}

// ask sends a request.
func (s *server) ask(method string, params any) error {
	s.next++
	return s.write(object{"jsonrpc": "2.0", "id": s.next, "method": method, "params": params})
}

// await waits for the answer to the last request.
func (s *server) await(ctx context.Context, method string, result any) error {
	for {
		if len(s.held) > 0 {
			m := s.held[0]
			s.held = s.held[1:]
			if m.Error != nil {
				return errors.New(m.Error.Message)
			}
			if m.Method == "" && string(m.ID) == fmt.Sprint(s.next) {
				return json.Unmarshal(m.Result, result)
			}
			continue
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s was not answered in time%s", method, s.because())
		case m, ok := <-s.lines:
			switch {
			case !ok:
				return s.ended()
			case m.Method != "" && m.ID != nil: // it asks us something: this client can nothing
				_ = s.write(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32601, "message": "not supported"}})
			default:
				s.held = append(s.held, m)
			}
		}
	}
}

// ended is the error of a server that has gone; it waits a little for its last words.
func (s *server) ended() error {
	select {
	case <-s.exited:
	case <-time.After(2 * time.Second):
	}
	return errors.New("the MCP server ended by itself" + s.because())
}

func (s *server) because() string {
	if line := s.said.line(); line != "" {
		return ": " + line
	}
	return ""
}

// Patience with a server whose client has gone: as long as the wrapper gives to its own.
const (
	untilAsked  = 10 * time.Second
	untilKilled = 10 * time.Second
)

// close ends the server as a client does: by ending its input. A server that stays is killed, and that is an error.
func (s *server) close() error {
	_ = s.in.Close()
	go func() {
		for range s.lines { // nobody listens any more
		}
	}()
	defer func() { _ = s.out.Close() }()
	if s.exits(untilAsked) {
		return nil
	}
	if askToEnd(s.cmd); !s.exits(untilKilled) {
		endTree(s.cmd)
		<-s.exited
	}
	return errors.New("the MCP server did not end with its client and was killed")
}

func (s *server) exits(within time.Duration) bool {
	select {
	case <-s.exited:
		return true
	case <-time.After(within):
		return false
	}
}
