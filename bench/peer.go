package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"
)

// peer is a running MCP server, on its standard input and output.
type peer struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

// spawn starts a server in a folder of its own and does the handshake. The time is that of the answer to initialize.
func spawn(ctx context.Context, command, env []string, dir string) (*peer, time.Duration, error) {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir = dir
	for _, kv := range append(os.Environ(), env...) {
		if !strings.HasPrefix(kv, "NODE_EXTRA_CA_CERTS=") { // costs each Node a fixed time that is not the server's
			cmd.Env = append(cmd.Env, kv)
		}
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, 0, err
	}
	p := &peer{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 1<<20)}
	_, err = p.request("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": "bench", "version": "1"},
	})
	took := time.Since(began)
	if err == nil {
		err = p.send(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
	}
	if err != nil {
		p.close()
		return nil, 0, fmt.Errorf("start %v: %w", command, err)
	}
	return p, took, nil
}

type object = map[string]any

func (p *peer) send(message object) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = p.in.Write(append(raw, '\n'))
	return err
}

// request sends one request and returns its result. What a server says in between is passed over.
func (p *peer) request(method string, params object) (json.RawMessage, error) {
	p.next++
	id := []byte(fmt.Sprint(p.next))
	if err := p.send(object{"jsonrpc": "2.0", "id": p.next, "method": method, "params": params}); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		var m struct {
			ID            json.RawMessage
			Method        string
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return nil, fmt.Errorf("%s: %w: %.200s", method, err, line)
		}
		switch {
		case m.Method != "" || !bytes.Equal(m.ID, id):
		case m.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, m.Error)
		default:
			return m.Result, nil
		}
	}
}

// call is one call of a tool.
type call struct {
	tool      string
	arguments object
}

// do calls tools one after the other and returns the text of the last answer and the time of all of them.
func (p *peer) do(calls ...call) (string, time.Duration, error) {
	var all time.Duration
	var text string
	for _, c := range calls {
		began := time.Now()
		answer, failed, err := p.answer(c)
		all += time.Since(began)
		if err != nil {
			return "", 0, err
		}
		if text = answer; failed {
			return "", 0, fmt.Errorf("%s %v: %.300s", c.tool, c.arguments, text)
		}
	}
	return text, all, nil
}

// answer calls one tool and returns the text of its answer, also of one that says that it has failed.
func (p *peer) answer(c call) (text string, failed bool, err error) {
	raw, err := p.request("tools/call", object{"name": c.tool, "arguments": c.arguments})
	if err != nil {
		return "", false, err
	}
	var r struct {
		Content []struct{ Text string }
		IsError bool
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", false, err
	}
	for _, c := range r.Content {
		text += c.Text
	}
	return text, r.IsError, nil
}

// tools reads the whole list of tools and returns it as it came.
func (p *peer) tools() (list []byte, err error) {
	var all []json.RawMessage
	for cursor := ""; ; {
		params := object{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		raw, err := p.request("tools/list", params)
		if err != nil {
			return nil, err
		}
		var r struct {
			Tools      []json.RawMessage
			NextCursor string
		}
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, err
		}
		all = append(all, r.Tools...)
		if cursor = r.NextCursor; cursor == "" {
			return bytes.Join([][]byte{{'['}, bytes.Join(rawBytes(all), []byte{','}), {']'}}, nil), nil
		}
	}
}

func rawBytes(all []json.RawMessage) (out [][]byte) {
	for _, r := range all {
		out = append(out, r)
	}
	return out
}

// close ends the server as a client does.
func (p *peer) close() {
	_ = p.in.Close()
	done := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = p.cmd.Process.Kill()
		<-done
	}
}
