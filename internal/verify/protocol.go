package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
func (s *server) request(method string, params any) error {
	s.lastID++
	return s.write(object{"jsonrpc": "2.0", "id": s.lastID, "method": method, "params": params})
}

// call sends a request and waits for its answer.
func (s *server) call(ctx context.Context, method string, params, result any) error {
	if err := s.request(method, params); err != nil {
		return s.exitError()
	}

	return s.await(ctx, method, result)
}

// await waits for the answer to the last request. Any error that the server reports meanwhile counts as the answer.
func (s *server) await(ctx context.Context, method string, result any) error {
	for {
		if len(s.pending) > 0 {
			m := s.pending[0]
			s.pending = s.pending[1:]
			if m.Error != nil {
				return errors.New(m.Error.Message)
			}
			if m.Method == "" && string(m.ID) == fmt.Sprint(s.lastID) {
				return json.Unmarshal(m.Result, result)
			}
			continue
		}

		select {
		case <-ctx.Done():
			return s.late(ctx, method+" was not answered in time")
		case m, ok := <-s.messages:
			switch {
			case !ok:
				return s.exitError()
			case m.Method != "" && m.ID != nil: // a request: this client offers nothing
				_ = s.write(object{"jsonrpc": "2.0", "id": m.ID, "error": object{"code": -32601, "message": "not supported"}})
			default:
				s.pending = append(s.pending, m)
			}
		}
	}
}

// late is the error of something that did not happen before the context ended, with the server's last words. If the
// caller gave up it is the context's own.
func (s *server) late(ctx context.Context, what string) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}

	return errors.New(what + s.lastWords())
}

// sendInitialize opens the conversation.
func (s *server) sendInitialize() error {
	return s.request("initialize", object{
		"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": "cove-verify", "version": "1"},
	})
}

// initialize waits for the answer to sendInitialize and returns the protocol that the server chose.
func (s *server) initialize(ctx context.Context) (string, error) {
	var r struct {
		Version string `json:"protocolVersion"`
	}
	if err := s.await(ctx, "initialize", &r); err != nil {
		return "", err
	}

	return r.Version, s.write(object{"jsonrpc": "2.0", "method": "notifications/initialized"})
}

// tools is the names of the server's tools.
func (s *server) tools(ctx context.Context) (names []string, err error) {
	var r struct {
		Tools []struct{ Name string }
	}
	if err := s.call(ctx, "tools/list", object{}, &r); err != nil {
		return nil, err
	}
	for _, t := range r.Tools {
		names = append(names, t.Name)
	}

	return names, nil
}
