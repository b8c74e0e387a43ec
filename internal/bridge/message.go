package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"cove/internal/session"
)

// message is the part of an MCP message that the bridge reads.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		End  session.EndReason `json:"end"`
		Last int               `json:"last"`
		Docs int               `json:"documents"`
	} `json:"params"`
}

// readMessage reads one line. It stops at the limit, and the rest fails to parse.
func readMessage(r *bufio.Reader) ([]byte, error) {
	var raw []byte
	for {
		part, err := r.ReadSlice('\n')
		raw = append(raw, part...)
		if errors.Is(err, bufio.ErrBufferFull) && len(raw) < maxMessage {
			continue
		}
		return bytes.TrimSpace(raw), err
	}
}

// Codes of JSON-RPC for a line that is no JSON, and for JSON that is no message.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// batchVersion is the only version of the protocol in which a line may hold several messages.
const batchVersion = "2025-03-26"

// parse reads a line of the client. A line that is no message must not reach the keeper, which would end the
// connection.
func (b *Bridge) parse(raw []byte) (m message, wrong object) {
	var shape struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  *string         `json:"method"`
		Result  json.RawMessage `json:"result"`
		Error   json.RawMessage `json:"error"`
	}
	invalid := func(text string) (message, object) { return m, object{"code": invalidRequest, "message": text} }
	err := json.Unmarshal(raw, &shape)
	switch {
	case err != nil && !json.Valid(raw):
		return m, object{"code": parseError, "message": "The line is not one JSON message."}
	case raw[0] == '[' && b.batches():
		var parts []json.RawMessage
		_ = json.Unmarshal(raw, &parts)
		for _, part := range parts {
			if m, wrong := b.parse(part); wrong != nil {
				return m, wrong
			}
		}
		if len(parts) == 0 {
			return invalid("The batch is empty.")
		}
		return m, nil
	case raw[0] == '[':
		return invalid("This version of the protocol has no batches: send each message on a line of its own.")
	case err != nil || shape.Version != "2.0":
		return invalid("The line is not a message of JSON-RPC 2.0.")
	}
	if shape.ID != nil && !isID(shape.ID) {
		return invalid("The id of a message is a text or a whole number.")
	}
	if shape.Method == nil && (shape.ID == nil || shape.Result == nil && shape.Error == nil) {
		m.ID = shape.ID
		return invalid("The message has neither a method nor a result.")
	}
	m.ID = shape.ID
	if shape.Method != nil {
		m.Method = *shape.Method
	}
	return m, nil
}

func isID(raw json.RawMessage) bool {
	if raw[0] == '"' {
		return true
	}
	_, err := strconv.ParseInt(string(raw), 10, 64)
	return err == nil
}

// batches reports whether the client speaks the version of the protocol that has batches.
func (b *Bridge) batches() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	var first struct {
		Params struct {
			Version string `json:"protocolVersion"`
		} `json:"params"`
	}
	return len(b.handshake) > 0 && json.Unmarshal(b.handshake[0], &first) == nil && first.Params.Version == batchVersion
}

// head reads the part of a keeper's message that the bridge needs. An answer may be very long, and its id stands first.
func head(raw []byte) (m message) {
	d := json.NewDecoder(bytes.NewReader(raw[:min(len(raw), 512)]))
	if start, err := d.Token(); err == nil && start == json.Delim('{') {
		for {
			key, err := d.Token()
			if err != nil || key != "jsonrpc" && key != "id" {
				if key == "result" && m.ID != nil {
					return m
				}
				break
			}
			var value json.RawMessage
			if d.Decode(&value) != nil {
				break
			}
			if key == "id" {
				m.ID = value
			}
		}
	}
	m = message{}
	_ = json.Unmarshal(raw, &m)
	return m
}
