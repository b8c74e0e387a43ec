package mcpclient

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// message is a JSON-RPC message from a server: an answer, a notification or a request.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

type failure struct {
	Message string `json:"message"`
}

type object = map[string]any

// request sends a request.
func (c *Conn) request(method string, params any) error {
	c.lastID++
	return c.write(object{"jsonrpc": "2.0", "id": c.lastID, "method": method, "params": params})
}

// Call sends a request and decodes its answer into result.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	if err := c.request(method, params); err != nil {
		return c.Err()
	}

	return c.await(ctx, method, result)
}

// await waits for the answer to the last request. Any error that the server reports meanwhile counts as the answer.
func (c *Conn) await(ctx context.Context, method string, result any) error {
	for {
		if len(c.pending) > 0 {
			m := c.pending[0]
			c.pending = c.pending[1:]
			if m.Error != nil {
				return errors.New(m.Error.Message)
			}
			if m.Method == "" && string(m.ID) == fmt.Sprint(c.lastID) {
				return json.Unmarshal(m.Result, result)
			}
			continue
		}

		select {
		case <-ctx.Done():
			return c.Late(ctx, method+" was not answered in time")
		case m, ok := <-c.messages:
			if !ok {
				return c.Err()
			}
			c.receive(m)
		}
	}
}

// receive adds a message to the pending ones. It refuses a request at once: this client offers nothing, and the server
// may wait for the answer.
func (c *Conn) receive(m message) {
	if m.Method == "" || m.ID == nil {
		c.pending = append(c.pending, m)
		return
	}
	_ = c.write(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32601, "message": "not supported"}})
}

// Watch waits until the server reports an error or exits, and returns that error. It returns nil when pause is over or
// ctx ends. The next call handles the messages that Watch received.
func (c *Conn) Watch(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()

	messages := c.messages
	for {
		select {
		case m, ok := <-messages:
			if !ok {
				messages = nil // the server is ending
				continue
			}
			if c.receive(m); m.Error != nil {
				return errors.New(m.Error.Message)
			}
		case <-c.exited:
			return c.Err()
		case <-ctx.Done():
			return nil
		case <-timer.C:
			return nil
		}
	}
}

// SendInitialize opens the conversation. Initialize waits for the answer.
func (c *Conn) SendInitialize() error {
	return c.request("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": "cove-verify", "version": "1"},
	})
}

// Initialize waits for the answer to SendInitialize and returns the protocol that the server chose.
func (c *Conn) Initialize(ctx context.Context) (string, error) {
	var r struct {
		Version string `json:"protocolVersion"`
	}
	if err := c.await(ctx, "initialize", &r); err != nil {
		return "", err
	}

	return r.Version, c.write(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// Tools returns the names of the server's tools.
func (c *Conn) Tools(ctx context.Context) (names []string, err error) {
	var r struct {
		Tools []struct{ Name string }
	}
	if err := c.Call(ctx, "tools/list", object{}, &r); err != nil {
		return nil, err
	}
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}

	return names, nil
}
