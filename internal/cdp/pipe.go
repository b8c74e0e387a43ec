package cdp

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// Pipe carries messages that end with a NUL, as --remote-debugging-pipe does.
type Pipe struct {
	r   io.Reader
	w   io.Writer
	mu  sync.Mutex // of w
	buf []byte     // read and not yet handed out
	in  []byte
}

// NewPipe returns a pipe that reads from r and writes to w, the two ends that the browser was started with.
func NewPipe(r io.Reader, w io.Writer) *Pipe {
	return &Pipe{r: r, w: w, in: make([]byte, 256<<10)}
}

// Write sends one message that ends with a NUL. It may be called from several goroutines. It blocks while the browser
// does not read.
func (p *Pipe) Write(terminated []byte) error {
	if n := len(terminated); n == 0 || terminated[n-1] != 0 {
		return errors.New("cdp: a message without its end")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := p.w.Write(terminated)
	return err
}

// Read returns the next message without its NUL. The caller owns it and may change it. Only one goroutine may read.
func (p *Pipe) Read() ([]byte, error) {
	var msg []byte
	for {
		if n := bytes.IndexByte(p.buf, 0); n >= 0 {
			msg = append(msg, p.buf[:n]...)
			p.buf = p.buf[n+1:]
			return msg, nil
		}
		msg = append(grow(msg, len(p.buf)), p.buf...)
		n, err := p.r.Read(p.in)
		p.buf = p.in[:n]
		if n == 0 && err != nil {
			return nil, err
		}
	}
}

// grow makes room for more bytes and doubles large messages, so that ninety megabytes are not copied a thousand times.
func grow(msg []byte, more int) []byte {
	if need := len(msg) + more; need > cap(msg) && len(msg) > 0 {
		bigger := make([]byte, len(msg), max(need, 2*cap(msg)))
		copy(bigger, msg)
		return bigger
	}
	return msg
}
