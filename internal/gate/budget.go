package gate

import (
	"bytes"
	"io"
	"sync"

	"cove/internal/cdp"
)

// maxUnfinished is how many bytes of large messages all clients together may have under way: two of the largest. What goes beyond is
// read and thrown away, and answered with an error: to wait for others' messages to end would be to wait for ever.
const maxUnfinished = 2 * cdp.MaxMessage

// large is what a message may have without being counted, and the step in which it grows then.
const large = 1 << 20

// budget is what is left of a number of bytes.
type budget struct {
	most int
	mu   sync.Mutex
	used int
}

// take reserves bytes, if there are as many.
func (b *budget) take(n int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.most {
		return false
	}
	b.used += n
	return true
}

func (b *budget) give(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
}

// incoming is one message of a client.
type incoming struct {
	raw []byte
	// over is how many bytes it had when it was too large to be kept, or the connection broke; then raw is at most its beginning and its
	// end, where the id stands.
	over int
	// crowded: it was too large only because of what else is under way.
	crowded bool
	// held is what it has reserved.
	held int
}

// readMessage reads one message. It is kept in pieces until it is whole: a buffer that doubles would hold up to three times as much.
func readMessage(r io.Reader, b *budget) (in incoming, err error) {
	var first bytes.Buffer
	n, err := first.ReadFrom(io.LimitReader(r, large))
	if err != nil || n < large {
		return incoming{raw: first.Bytes()}, err
	}
	pieces, size := [][]byte{first.Bytes()}, int(n)
	give := func() {
		b.give(in.held)
		in.held = 0
	}
	for {
		if size == cdp.MaxMessage { // it may end here
			var next [1]byte
			if _, err := io.ReadFull(r, next[:]); err == io.EOF {
				in.raw = bytes.Join(pieces, nil)
				return in, nil
			} else if err != nil {
				give()
				return incoming{over: size}, err
			}
			give()
			return in.skim(r, pieces[0], size+1)
		}
		if !b.take(large) {
			give()
			return in.skim(r, pieces[0], size)
		}
		in.held += large
		piece := make([]byte, large)
		n, err := io.ReadFull(r, piece)
		pieces, size = append(pieces, piece[:n]), size+n
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF: // the whole message, unless the connection broke: then the next read says so
			in.raw = bytes.Join(pieces, nil)
			return in, nil
		case err != nil:
			give()
			return incoming{over: size}, err
		}
	}
}

// skim reads a message to its end and keeps both ends of it.
func (in incoming) skim(r io.Reader, first []byte, size int) (incoming, error) {
	tail := tailWriter{}
	more, err := io.Copy(&tail, r)
	in.over, in.crowded = size+int(more), size+int(more) <= cdp.MaxMessage
	in.raw = append(bytes.Clone(first[:min(len(first), 4<<10)]), tail.last...)
	return in, err
}
