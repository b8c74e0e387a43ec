package gate

import (
	"bytes"
	"io"
	"sync"

	"cove/internal/cdp"
)

// maxInflight is how many bytes of large messages all clients together may have under way: two of the largest. A
// message beyond that is read, thrown away and answered with an error. It does not wait: other clients' messages may
// never end.
const maxInflight = 2 * cdp.MaxMessage

// large is how many bytes a message may have without being counted, and the step in which it grows then.
const large = 1 << 20

// budget is a number of bytes that can be reserved.
type budget struct {
	limit int
	mu    sync.Mutex
	used  int
}

// reserve reserves n bytes and reports whether there were as many.
func (b *budget) reserve(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.limit {
		return false
	}
	b.used += n

	return true
}

// release gives n reserved bytes back.
func (b *budget) release(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}

// incoming is one message of a client.
type incoming struct {
	raw []byte
	// over is how many bytes the message had if it was too large to store, or if the connection broke. Then raw is at
	// most its beginning and its end, where the id stands.
	over int
	// crowded says that it was too large only because of other messages that are under way.
	crowded bool
	// reserved is how many bytes it has reserved.
	reserved int
}

// readMessage reads one message. It collects pieces until the message is whole: a buffer that doubles would need up to
// three times as much memory.
func readMessage(r io.Reader, b *budget) (in incoming, err error) {
	var first bytes.Buffer
	n, err := first.ReadFrom(io.LimitReader(r, large))
	if err != nil || n < large {
		return incoming{raw: first.Bytes()}, err
	}

	pieces, size := [][]byte{first.Bytes()}, int(n)
	release := func() {
		b.release(in.reserved)
		in.reserved = 0
	}
	for {
		if size == cdp.MaxMessage { // it may end here
			var next [1]byte
			if _, err := io.ReadFull(r, next[:]); err == io.EOF {
				in.raw = bytes.Join(pieces, nil)
				return in, nil
			} else if err != nil {
				release()
				return incoming{over: size}, err
			}
			release()
			return in.skim(r, pieces[0], size+1)
		}
		if !b.reserve(large) {
			release()
			return in.skim(r, pieces[0], size)
		}
		in.reserved += large
		piece := make([]byte, large)
		n, err := io.ReadFull(r, piece)
		pieces, size = append(pieces, piece[:n]), size+n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			// The message is whole, unless the connection broke; then the next read says so.
			in.raw = bytes.Join(pieces, nil)
			return in, nil
		case err != nil:
			release()
			return incoming{over: size}, err
		}
	}
}

// skim reads a message to its end and stores only its beginning and its end.
func (in incoming) skim(r io.Reader, first []byte, size int) (incoming, error) {
	tail := tailWriter{}
	more, err := io.Copy(&tail, r)
	in.over, in.crowded = size+int(more), size+int(more) <= cdp.MaxMessage
	in.raw = append(bytes.Clone(first[:min(len(first), 4<<10)]), tail.last...)
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
