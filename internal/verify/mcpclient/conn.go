// Package mcpclient is a small MCP client. It runs a server as its child and talks to it over the standard streams.
package mcpclient

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

// Limits says how long a client waits for a server.
type Limits struct {
	// Probe bounds Probe: the most patient clients wait that long for the list of tools.
	Probe time.Duration
	// Output is how long a server that closed its output can take to exit and to write the reason to stderr.
	Output time.Duration
	// Exit is how long a server can live on without its client, and Kill how long after SIGTERM. The wrapper gives its
	// own server as long.
	Exit, Kill time.Duration
}

// UsualLimits returns the limits of real clients.
func UsualLimits() Limits {
	return Limits{Probe: 30 * time.Second, Output: 2 * time.Second, Exit: 10 * time.Second, Kill: 10 * time.Second}
}

// Conn is the connection to an MCP server that runs as a client's child, with JSON lines on stdin and stdout. Only one
// goroutine at a time may use it.
type Conn struct {
	limits Limits
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	stderr stderrTail
	// messages has what the server wrote. It is closed when the server's output ends.
	messages chan message
	// pending has messages that were received, but not handled yet.
	pending []message
	// exited is closed when the process has exited.
	exited chan struct{}
	// lastID is the id of the last request.
	lastID int
}

// Start runs a server. The caller has to close the connection.
func Start(p Program, l Limits) (*Conn, error) {
	c := &Conn{
		limits: l,
		// Close ends the server. No context does, because a client lets its server finish.
		cmd:      exec.CommandContext(context.Background(), p.Command[0], p.Command[1:]...),
		messages: make(chan message, 64), exited: make(chan struct{}),
	}
	c.cmd.Env, c.cmd.Dir = p.Env, p.Dir
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = 2 * time.Second
	ownGroup(c.cmd)

	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// The client makes this pipe itself: with StdoutPipe, Wait would not return while a process that the server left
	// behind has the other end open.
	out, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	c.out, c.cmd.Stdout = out, theirs

	err = c.cmd.Start()
	_ = theirs.Close()
	if err != nil {
		_ = out.Close()
		return nil, err
	}
	go c.read()
	go func() {
		_ = c.cmd.Wait()
		close(c.exited)
	}()

	return c, nil
}

// read parses what the server writes. A line that is not JSON becomes a message with an error.
func (c *Conn) read() {
	defer close(c.messages)
	r := bufio.NewReader(c.out)
	for {
		raw, err := r.ReadBytes('\n')
		if raw = bytes.TrimSpace(raw); len(raw) > 0 {
			var m message
			if json.Unmarshal(raw, &m) != nil {
				m.Error = &failure{"a line on stdout is not MCP: " + wording.Shorten(string(raw), 200)}
			}
			c.messages <- m
		}
		if err != nil {
			return
		}
	}
}

func (c *Conn) write(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = c.in.Write(append(raw, '\n'))

	return err
}

// Done returns a channel that is closed when the server has exited.
func (c *Conn) Done() <-chan struct{} { return c.exited }

// Err returns the error of a server that has closed its output. It waits a little for the reason on stderr.
func (c *Conn) Err() error {
	c.exitsWithin(c.limits.Output)
	return errors.New("the MCP server ended by itself" + c.reason())
}

// Late returns the error of something that did not happen before ctx ended, with the server's last line on stderr. If
// the caller gave up, it returns the error of ctx.
func (c *Conn) Late(ctx context.Context, what string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}

	return errors.New(what + c.reason())
}

// reason returns the end of what the server wrote to stderr, ready to follow a sentence. It is empty if the server
// wrote nothing.
func (c *Conn) reason() string {
	if text := c.stderr.last(); text != "" {
		return ": " + text
	}

	return ""
}

// Close ends the server as a client does: by closing its input. It kills a server that does not exit, and returns an
// error for it.
func (c *Conn) Close() error {
	_ = c.in.Close()
	go func() {
		for range c.messages { // the server must not block on its output
		}
	}()
	defer func() { _ = c.out.Close() }()
	if c.exitsWithin(c.limits.Exit) {
		return nil
	}

	if terminate(c.cmd); !c.exitsWithin(c.limits.Kill) {
		killTree(c.cmd)
		<-c.exited
	}

	return errors.New("the MCP server did not end with its client and was killed")
}

func (c *Conn) exitsWithin(d time.Duration) bool {
	select {
	case <-c.exited:
		return true
	case <-time.After(d):
		return false
	}
}
