// Package payload sends the large parts of results, images and long texts, past the encoder of the MCP SDK.
package payload

import (
	"bytes"
	"encoding/base64"
	"io"
	"sync"

	"cove/internal/random"
	"cove/internal/wording"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Stream is the stream to a client. It keeps the images and the long texts of results away from the SDK, whose encoder
// goes through all bytes of a message several times. A mark stands for each of them until the message is written to the
// stream.
//
// One goroutine for each call detaches, the SDK's writer attaches. The SDK writes a whole message with one Write.
type Stream struct {
	io.ReadWriteCloser

	mu       sync.Mutex
	marks    []string // as they stand in a message, the oldest first
	detached map[string]content
}

// content is what a mark stands for: a text or an image.
type content struct {
	text  string
	image []byte
}

const (
	// longText is the length of a text that is worth a mark.
	longText = 4 << 10
	// maxDetached bounds the payloads of results that are never written, such as those of cancelled calls.
	maxDetached = 64
	// markBytes is a multiple of three, so that base64 needs no padding.
	markBytes = 24
)

// NewStream returns a Stream that writes to a client's own stream.
func NewStream(stream io.ReadWriteCloser) *Stream {
	return &Stream{ReadWriteCloser: stream, detached: map[string]content{}}
}

// Detach puts marks in place of what is large in a result.
func (p *Stream) Detach(r *mcp.CallToolResult) {
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			if len(c.Text) >= longText {
				c.Text = base64.StdEncoding.EncodeToString(p.retain(content{text: c.Text}))
			}
		case *mcp.ImageContent:
			c.Data = p.retain(content{image: c.Data})
		}
	}
}

// retain stores a payload and returns its mark.
func (p *Stream) retain(one content) []byte {
	mark := []byte(random.Hex(markBytes / 2))
	text := base64.StdEncoding.EncodeToString(mark)

	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.marks) == maxDetached {
		delete(p.detached, p.marks[0])
		p.marks = p.marks[1:]
	}
	p.marks = append(p.marks, text)
	p.detached[text] = one
	return mark
}

// Write writes one message of the SDK, with its payloads.
func (p *Stream) Write(message []byte) (int, error) {
	if _, err := p.ReadWriteCloser.Write(p.attach(message)); err != nil {
		return 0, err
	}
	return len(message), nil
}

// attach puts the payloads in place of their marks.
func (p *Stream) attach(message []byte) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()

	for i := 0; i < len(p.marks); i++ {
		mark := p.marks[i]
		before, after, found := bytes.Cut(message, []byte(mark))
		if !found {
			continue
		}

		one := p.detached[mark]
		delete(p.detached, mark)
		p.marks = append(p.marks[:i:i], p.marks[i+1:]...)
		i--

		text := wording.Quoted(one.text)
		text = text[1 : len(text)-1]
		size := len(before) + len(text) + base64.StdEncoding.EncodedLen(len(one.image)) + len(after)
		message = make([]byte, 0, size)
		message = append(append(message, before...), text...)
		message = append(base64.StdEncoding.AppendEncode(message, one.image), after...)
	}
	return message
}
