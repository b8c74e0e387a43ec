package devlog

import (
	"encoding/base64"
	"strings"
	"time"

	"cove/internal/wording"
)

const (
	maxFrames     = 1000
	maxFrameBytes = 2 << 20 // of all frames
	maxFrameText  = 8 << 10 // of one
)

// Frame is one message of a WebSocket.
type Frame struct {
	At   time.Time
	Sent bool // by the page
	// Text is the message; of a binary one there is only the Size.
	Text   string
	Binary bool
	Size   int

	socket int // the id of its request
}

func (f Frame) size() int { return 100 + len(f.Text) }

// binaryOpcode marks a binary message.
const binaryOpcode = 2

// addFrame records a message of a WebSocket. What comes while the person is in control is not recorded. The caller has
// locked mu.
func (l *Log) addFrame(r *Request, sent bool, opcode int, payload string) {
	if l.private || r.private {
		return
	}
	if sent {
		r.Sent++
	} else {
		r.Received++
	}
	f := Frame{At: time.Now(), Sent: sent, Binary: opcode == binaryOpcode, Size: len(payload), socket: r.ID}
	if f.Binary {
		f.Size = base64.StdEncoding.DecodedLen(len(payload)) - strings.Count(payload, "=")
	} else {
		f.Text = wording.Excerpt(l.redact(payload), maxFrameText)
	}
	l.frames.add(f, maxFrames, maxFrameBytes, func(Frame) {})
}

// Frames lists the last messages of a WebSocket, by the id of its request.
func (l *Log) Frames(socket int) (found []Frame) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range l.frames.all {
		if f.socket == socket {
			found = append(found, f)
		}
	}
	return found
}
