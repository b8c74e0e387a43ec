package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// album keeps the pictures and the long texts of a client's answers out of the library's hands, which goes through all bytes of an
// answer several times: a mark stands for them until their line is written.
type album struct {
	io.ReadWriteCloser

	mu    sync.Mutex
	marks []string // as they stand in a line, the oldest first
	held  map[string]exhibit
}

// exhibit is what a mark stands for: a text, or a picture.
type exhibit struct {
	text    string
	picture []byte
}

// longText is a text that is worth a mark.
const longText = 4 << 10

// maxHeld bounds those of answers that are never written, as of calls that were cancelled.
const maxHeld = 64

func newAlbum(stream io.ReadWriteCloser) *album {
	return &album{ReadWriteCloser: stream, held: map[string]exhibit{}}
}

// part takes what is large out of an answer.
func (a *album) part(r *mcp.CallToolResult) {
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			if len(c.Text) >= longText {
				c.Text = base64.StdEncoding.EncodeToString(a.hold(exhibit{text: c.Text}))
			}
		case *mcp.ImageContent:
			c.Data = a.hold(exhibit{picture: c.Data})
		}
	}
}

// hold takes something and returns what stands for it.
func (a *album) hold(e exhibit) []byte {
	mark := make([]byte, 24) // a multiple of three has no padding
	_, _ = rand.Read(mark)
	text := base64.StdEncoding.EncodeToString(mark)
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.marks) == maxHeld {
		delete(a.held, a.marks[0])
		a.marks = a.marks[1:]
	}
	a.marks = append(a.marks, text)
	a.held[text] = e
	return mark
}

// Write takes a whole line, as the library writes it.
func (a *album) Write(line []byte) (int, error) {
	if _, err := a.ReadWriteCloser.Write(a.fill(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// fill puts into a line what marks stand for.
func (a *album) fill(line []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := 0; i < len(a.marks); i++ {
		mark := a.marks[i]
		before, after, found := bytes.Cut(line, []byte(mark))
		if !found {
			continue
		}
		e := a.held[mark]
		delete(a.held, mark)
		a.marks = append(a.marks[:i:i], a.marks[i+1:]...)
		i--
		text := quoted(e.text)
		text = text[1 : len(text)-1]
		line = make([]byte, 0, len(before)+len(text)+base64.StdEncoding.EncodedLen(len(e.picture))+len(after))
		line = append(append(line, before...), text...)
		line = append(base64.StdEncoding.AppendEncode(line, e.picture), after...)
	}
	return line
}
