package mcpserver

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"io"
	"sync"
)

// album keeps the pictures of a client's answers out of the library's hands, which goes through all bytes of an answer several
// times: a mark stands for a picture until its line is written.
type album struct {
	io.ReadWriteCloser

	mu    sync.Mutex
	marks []string // as they stand in a line, the oldest first
	held  map[string][]byte
}

// maxHeld bounds the pictures of answers that are never written, as of calls that were cancelled.
const maxHeld = 64

func newAlbum(stream io.ReadWriteCloser) *album {
	return &album{ReadWriteCloser: stream, held: map[string][]byte{}}
}

// hold takes a picture and returns what stands for it.
func (a *album) hold(picture []byte) []byte {
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
	a.held[text] = picture
	return mark
}

// Write takes a whole line, as the library writes it.
func (a *album) Write(line []byte) (int, error) {
	if _, err := a.ReadWriteCloser.Write(a.fill(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// fill puts the pictures into a line.
func (a *album) fill(line []byte) []byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	for i := 0; i < len(a.marks); i++ {
		mark := a.marks[i]
		before, after, found := bytes.Cut(line, []byte(mark))
		if !found {
			continue
		}
		picture := a.held[mark]
		delete(a.held, mark)
		a.marks = append(a.marks[:i:i], a.marks[i+1:]...)
		i--
		line = make([]byte, 0, len(before)+base64.StdEncoding.EncodedLen(len(picture))+len(after))
		line = append(base64.StdEncoding.AppendEncode(append(line, before...), picture), after...)
	}
	return line
}
