package socket

import (
	"bytes"
	"io"
	"sync"

	"cove/internal/cdp"
)

// MaxInflight is how many bytes of large messages all clients together may have in flight: two of the largest. A
// message beyond that is read, discarded and answered with an error. It does not wait, because other clients' messages
// may never end.
const MaxInflight = 2 * cdp.MaxMessage

// Large is the size below which a message is not counted. A larger message reserves bytes in steps of this size.
const Large = 1 << 20

// Budget is a number of bytes that clients reserve for large messages and release again. Its methods may be called
// from any goroutine.
type Budget struct {
	mu    sync.Mutex
	limit int
	used  int
}

// NewBudget returns a Budget of so many bytes.
func NewBudget(limit int) *Budget { return &Budget{limit: limit} }

// Available returns how many bytes can still be reserved.
func (b *Budget) Available() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.limit - b.used
}

// reserve reserves n bytes. It returns false if fewer are available.
func (b *Budget) reserve(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.limit {
		return false
	}
	b.used += n

	return true
}

// Release gives n reserved bytes back.
func (b *Budget) Release(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}

// Message is one message of a client.
type Message struct {
	// Raw is the whole message, unless Over is set.
	Raw []byte
	// Over is the size of a message that was too large to store, or during which the connection broke. Raw then has at
	// most the beginning and the end of the message, where its id is.
	Over int
	// Crowded says that the message was too large only because of other messages in flight.
	Crowded bool
	// Reserved is how many bytes the message has reserved. Whoever has handled the message releases them.
	Reserved int
}

// readMessage reads one message. It collects pieces until the message is whole: a buffer that doubles would need up to
// three times as much memory.
func readMessage(r io.Reader, b *Budget) (in Message, err error) {
	var first bytes.Buffer
	n, err := first.ReadFrom(io.LimitReader(r, Large))
	if err != nil || n < Large {
		return Message{Raw: first.Bytes()}, err
	}

	pieces, size := [][]byte{first.Bytes()}, int(n)
	release := func() {
		b.Release(in.Reserved)
		in.Reserved = 0
	}
	for {
		if size == cdp.MaxMessage { // it may end here
			var next [1]byte
			if _, err := io.ReadFull(r, next[:]); err == io.EOF {
				in.Raw = bytes.Join(pieces, nil)
				return in, nil
			} else if err != nil {
				release()
				return Message{Over: size}, err
			}
			release()
			return in.skim(r, pieces[0], size+1)
		}
		if !b.reserve(Large) {
			release()
			return in.skim(r, pieces[0], size)
		}
		in.Reserved += Large
		piece := make([]byte, Large)
		n, err := io.ReadFull(r, piece)
		pieces, size = append(pieces, piece[:n]), size+n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			// The message is whole, unless the connection broke; then the next read says so.
			in.Raw = bytes.Join(pieces, nil)
			return in, nil
		case err != nil:
			release()
			return Message{Over: size}, err
		}
	}
}

// skim reads a message to its end and stores only its beginning and its end.
func (in Message) skim(r io.Reader, first []byte, size int) (Message, error) {
	tail := tailWriter{}
	more, err := io.Copy(&tail, r)
	in.Over, in.Crowded = size+int(more), size+int(more) <= cdp.MaxMessage
	in.Raw = append(bytes.Clone(first[:min(len(first), 4<<10)]), tail.last...)
	return in, err
}

// tailWriter stores the last bytes of what is written.
type tailWriter struct{ last []byte }

// Write implements io.Writer.
func (t *tailWriter) Write(p []byte) (int, error) {
	const limit = 4 << 10
	t.last = append(t.last, p...)
	if n := len(t.last); n > limit {
		t.last = append(t.last[:0], t.last[n-limit:]...)
	}

	return len(p), nil
}
