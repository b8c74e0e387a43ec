package relay

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"sync"
	"time"

	"cove/internal/policy"
	"cove/internal/profile"
)

// tunnel carries one connection of the browser.
type tunnel struct {
	r      *Relay
	origin policy.Origin
	// sniff: the rules differ for http and https, and only the first byte tells which it is.
	sniff bool
	// accept tells the browser that it is connected and sets down and in, reject that it is not.
	accept func() error
	reject func(err error, text string)

	down net.Conn
	in   *bufio.Reader
}

// patience is how long a browser may take to say what it wants.
const patience = time.Minute

func (t *tunnel) run(ctx context.Context) {
	if t.sniff {
		if t.accept() != nil {
			return
		}
		defer func() { _ = t.down.Close() }()
		if t.origin.Scheme = t.scheme(); t.origin.Scheme == "" {
			return
		}
		if refused, _ := t.r.judge(t.origin); refused != nil {
			t.r.noteRefusal(t.origin, refused)
			t.tell(refused)
			return
		}
		t.reject = func(err error, _ string) {
			if stopped := (*refusal)(nil); errors.As(err, &stopped) {
				t.tell(stopped)
			}
		}
	}
	dialling, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	up, through, err := t.r.dial(dialling, t.origin)
	if err != nil {
		t.failed(err, through)
		return
	}
	defer func() { _ = up.Close() }()
	f := &flow{origin: t.origin}
	if !through.Set() {
		f.ip = remote(up)
	}
	var mu sync.Mutex // guards down until it is there
	f.cut = func() {
		mu.Lock()
		defer mu.Unlock()
		_ = up.Close()
		if t.down != nil {
			_ = t.down.Close()
		}
	}
	done, refused := t.r.enter(f)
	if refused != nil {
		t.failed(refused, through)
		return
	}
	defer done()
	t.r.notes.clear(t.origin)
	if t.down == nil {
		mu.Lock()
		err := t.accept()
		mu.Unlock()
		if err != nil {
			return
		}
		defer func() { _ = t.down.Close() }()
	}
	if t.fits() {
		t.join(up)
	}
}

// fits: a port that is one scheme's own was taken for that one. Where the rules differ for the other, what the browser says first
// decides.
func (t *tunnel) fits() bool {
	if t.origin.Scheme != "" || !t.r.differs(t.origin) {
		return true
	}
	o := t.origin
	if o.Scheme = t.scheme(); o.Scheme == "" {
		return false
	}
	refused, _ := t.r.judge(o)
	if refused == nil {
		return true
	}
	t.r.noteRefusal(o, refused)
	t.tell(refused)
	return false
}

func (t *tunnel) failed(err error, through profile.Proxy) {
	var stopped *refusal
	if errors.As(err, &stopped) {
		t.r.noteRefusal(t.origin, stopped)
		t.reject(stopped, "")
		return
	}
	t.reject(err, t.r.fail(t.origin, through, err))
}

// join copies both directions until both are over.
func (t *tunnel) join(up net.Conn) {
	var both sync.WaitGroup
	both.Go(func() {
		if n := t.in.Buffered(); n > 0 {
			ahead, _ := t.in.Peek(n)
			if _, err := up.Write(ahead); err != nil {
				return
			}
		}
		pass(up, t.down, 16<<10)
	})
	both.Go(func() { pass(t.down, up, 32<<10) }) // most of what pages are made of fits
	both.Wait()
}

// pass copies one direction and tells the other side that it is over.
func pass(to net.Conn, from io.Reader, size int) {
	// Not by the system's own way between two sockets: for the small answers that pages are made of it takes longer, and four more
	// open files for each connection.
	_, _ = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, size))
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}

// scheme looks at what the browser says first.
func (t *tunnel) scheme() string {
	_ = t.down.SetReadDeadline(time.Now().Add(patience))
	defer func() { _ = t.down.SetReadDeadline(time.Time{}) }()
	first, err := t.in.Peek(1)
	switch {
	case err != nil:
		return ""
	case first[0] == 0x16: // a TLS handshake
		return "https"
	}
	return "http"
}

// tell answers a plain HTTP request with the rule that forbids it. Of an encrypted one nobody could read the answer.
func (t *tunnel) tell(refused error) {
	done := t.r.refused.add(&flow{cut: func() { _ = t.down.Close() }}) // a browser keeps connections for later
	scheme := t.scheme()
	done()
	if scheme != "http" {
		return
	}
	t.origin.Scheme = "http"
	page := refusedPage(t.origin, refused)
	_ = t.down.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(t.down, "HTTP/1.1 403 Forbidden\r\nContent-Type: text/html; charset=utf-8\r\nContent-Security-Policy: sandbox; default-src 'none'\r\n"+
		"Cache-Control: no-store\r\n"+NoticeHeader+": "+t.r.Notice+"\r\nConnection: close\r\nContent-Length: "+strconv.Itoa(len(page))+"\r\n\r\n"+page)
	// What it still sends is read, or the answer could be lost with the connection.
	if half, ok := t.down.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		_ = t.down.SetReadDeadline(time.Now().Add(time.Second))
		_, _ = io.Copy(io.Discard, io.LimitReader(t.in, 1<<20))
	}
}
