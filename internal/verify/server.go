package verify

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"cove/internal/wording"
)

// Program is an MCP server as a client runs it. Without Env it gets this program's environment.
type Program struct {
	Command []string
	Env     []string
	Dir     string
}

// limits is how long verify waits for what may never happen.
type limits struct {
	// step bounds a step. first bounds one that may have to fetch a package.
	step, first time.Duration
	// pages is how long list_pages may show something else than the browser: a page may be on its way to another address.
	pages time.Duration
	// probe is how long a server may need until it has listed its tools: as long as the most patient clients wait.
	probe time.Duration
	// lastWords is how long a server that has closed its output may need to exit.
	lastWords time.Duration
	// exit and kill are how long a server may live on without its client, and then after SIGTERM: as long as the wrapper
	// gives to its own server.
	exit, kill time.Duration
}

func usualLimits() limits {
	return limits{
		step: time.Minute, first: 5 * time.Minute,
		pages: 10 * time.Second, probe: 30 * time.Second, lastWords: 2 * time.Second,
		exit: 10 * time.Second, kill: 10 * time.Second,
	}
}

// server is an MCP server that runs as a client's child, with JSON lines on stdin and stdout. One goroutine at a time
// may use it.
type server struct {
	limits limits
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	stderr stderrTail
	// messages is what the server has written. It is closed when its output ends.
	messages chan message
	// pending is messages that were received, but not handled yet.
	pending []message
	// exited is closed when the process has exited.
	exited chan struct{}
	// lastID is the id of the last request.
	lastID int
}

func startServer(p Program, l limits) (*server, error) {
	s := &server{
		limits: l, cmd: exec.CommandContext(context.Background(), p.Command[0], p.Command[1:]...),
		messages: make(chan message, 64), exited: make(chan struct{}),
	}
	s.cmd.Env, s.cmd.Dir = p.Env, p.Dir
	s.cmd.Stderr = &s.stderr
	s.cmd.WaitDelay = 2 * time.Second
	ownGroup(s.cmd)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// The pipe is verify's own: Wait would not return while a process that the server left behind has the other end open.
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

// read parses what the server writes. A line that is not JSON becomes a message with an error.
func (s *server) read() {
	defer close(s.messages)
	r := bufio.NewReader(s.out)
	for {
		raw, err := r.ReadBytes('\n')
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			var m message
			if json.Unmarshal(raw, &m) != nil {
				m.Error = &failure{"a line on stdout is not MCP: " + wording.Shorten(string(raw), 200)}
			}
			s.messages <- m
		}
		if err != nil {
			return
		}
	}
}

func (s *server) write(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = s.in.Write(append(raw, '\n'))

	return err
}

// exitError is the error of a server that has closed its output. It waits a little for the last words on stderr.
func (s *server) exitError() error {
	s.exitsWithin(s.limits.lastWords)
	return errors.New("the MCP server ended by itself" + s.lastWords())
}

// lastWords is the end of what the server said on stderr, to be put behind a sentence; "" when it said nothing.
func (s *server) lastWords() string {
	if words := s.stderr.last(); words != "" {
		return ": " + words
	}

	return ""
}

// close ends the server as a client does: by closing its input. It kills a server that stays, and returns an error for
// it.
func (s *server) close() error {
	_ = s.in.Close()
	go func() {
		for range s.messages { // the server must not block on its output
		}
	}()
	defer func() { _ = s.out.Close() }()
	if s.exitsWithin(s.limits.exit) {
		return nil
	}

	if terminate(s.cmd); !s.exitsWithin(s.limits.kill) {
		killTree(s.cmd)
		<-s.exited
	}

	return errors.New("the MCP server did not end with its client and was killed")
}

func (s *server) exitsWithin(d time.Duration) bool {
	select {
	case <-s.exited:
		return true
	case <-time.After(d):
		return false
	}
}
