package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"strconv"

	"cove/internal/session"
)

// message is what the bridge reads of a line.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		End  session.EndReason `json:"end"`
		Last int               `json:"last"`
		Docs int               `json:"documents"`
	} `json:"params"`
}

func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) && len(line) < maxLine {
			continue
		}
		return bytes.TrimSpace(line), err
	}
}

// Codes of JSON-RPC for what is no message at all, and for what is a wrong one.
const (
	parseError     = -32700
	invalidRequest = -32600
)

// batchVersion is the only version of the protocol in which a line may hold several messages.
const batchVersion = "2025-03-26"

// read understands a line of the client. What is no message must not reach the keeper, which would end the connection over it.
func (b *Bridge) read(raw []byte) (m message, wrong object) {
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
			if m, wrong := b.read(part); wrong != nil {
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

// batches tells whether the client speaks the version that has them.
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

// head reads what the bridge needs of a message. An answer says whose it is before it says what, and may be very long.
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
