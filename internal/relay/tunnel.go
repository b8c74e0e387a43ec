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

	"cove/internal/policy/site"
	"cove/internal/proxy"
)

// tunnel carries one connection of the browser.
type tunnel struct {
	relay  *Relay
	origin site.Origin
	// detect says that the rules differ for http and https, so that the browser's first byte must show which one it
	// uses.
	detect bool
	// accept tells the browser that it is connected, and sets down and in. reject tells the browser that it is not
	// connected.
	accept func() error
	reject func(err error, text string)

	down net.Conn      // to the browser; nil before accept
	in   *bufio.Reader // reads from down
}

// readLimit is how long the browser may take to send the SOCKS handshake, or the first byte of a tunnel.
const readLimit = time.Minute

// run connects the browser to the origin and copies both directions until both end.
func (t *tunnel) run(ctx context.Context) {
	if t.detect {
		if t.accept() != nil {
			return
		}
		defer func() { _ = t.down.Close() }()
		if !t.detectScheme() {
			return
		}
	}

	dialling, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	up, through, err := t.relay.dial(dialling, t.origin)
	if err != nil {
		t.failed(err, through)
		return
	}
	defer func() { _ = up.Close() }()

	f := &flow{origin: t.origin}
	if !through.Set() {
		f.ip = remote(up)
	}
	var mu sync.Mutex // guards down until accept has set it
	f.close = func() {
		mu.Lock()
		defer mu.Unlock()
		_ = up.Close()
		if t.down != nil {
			_ = t.down.Close()
		}
	}
	done, refused := t.relay.startFlow(f)
	if refused != nil {
		t.failed(refused, through)
		return
	}
	defer done()

	t.relay.failures.clear(t.origin)
	if t.down == nil {
		mu.Lock()
		err := t.accept()
		mu.Unlock()
		if err != nil {
			return
		}
		defer func() { _ = t.down.Close() }()
	}
	if t.checkScheme() {
		t.copyBoth(up)
	}
}

// detectScheme finds out from the browser's first byte which scheme it uses, and reports whether the rules allow that
// scheme.
func (t *tunnel) detectScheme() bool {
	if t.origin.Scheme = t.scheme(); t.origin.Scheme == "" {
		return false
	}
	if refused, _ := t.relay.judge(t.origin); refused != nil {
		t.relay.recordRefusal(t.origin, refused)
		t.respondRefusal(refused)
		return false
	}

	t.reject = func(err error, _ string) {
		if stopped := (*refusal)(nil); errors.As(err, &stopped) {
			t.respondRefusal(stopped)
		}
	}

	return true
}

// checkScheme checks the scheme of a tunnel that was judged by its port alone: 80 as http, 443 as https. If the rules
// differ for the other scheme, the browser's first byte decides.
func (t *tunnel) checkScheme() bool {
	if t.origin.Scheme != "" || !t.relay.differs(t.origin) {
		return true
	}
	o := t.origin
	if o.Scheme = t.scheme(); o.Scheme == "" {
		return false
	}
	refused, _ := t.relay.judge(o)
	if refused == nil {
		return true
	}

	t.relay.recordRefusal(o, refused)
	t.respondRefusal(refused)
	return false
}

// failed tells the browser that the connection was not made.
func (t *tunnel) failed(err error, through proxy.Proxy) {
	var stopped *refusal
	if errors.As(err, &stopped) {
		t.relay.recordRefusal(t.origin, stopped)
		t.reject(stopped, "")
		return
	}
	t.reject(err, t.relay.recordFailure(t.origin, through, err))
}

// copyBoth copies both directions until both end.
func (t *tunnel) copyBoth(up net.Conn) {
	var both sync.WaitGroup
	both.Go(func() {
		if n := t.in.Buffered(); n > 0 {
			ahead, _ := t.in.Peek(n)
			if _, err := up.Write(ahead); err != nil {
				return
			}
		}
		copyTo(up, t.down, 16<<10)
	})
	both.Go(func() { copyTo(t.down, up, 32<<10) }) // most answers fit
	both.Wait()
}

// copyTo copies one direction. When it ends, copyTo closes that direction of the receiver.
func copyTo(to net.Conn, from io.Reader, size int) {
	// The wrappers keep io.CopyBuffer from splicing the two sockets. For the small answers that pages consist of,
	// splicing takes longer, and it needs four more open files for each connection.
	_, _ = io.CopyBuffer(struct{ io.Writer }{to}, struct{ io.Reader }{from}, make([]byte, size))
	if half, ok := to.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		return
	}
	_ = to.Close()
}

// scheme returns the scheme that the browser's first byte shows, or "" if the browser sends nothing.
func (t *tunnel) scheme() string {
	_ = t.down.SetReadDeadline(time.Now().Add(readLimit))
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

// respondRefusal answers a plain HTTP request with the rule that forbids it. It does not answer an encrypted request:
// the browser could not read the answer.
func (t *tunnel) respondRefusal(refused error) {
	// Browsers open connections before they need them, so the first byte may take long.
	done := t.relay.waiting.add(&flow{close: func() { _ = t.down.Close() }})
	scheme := t.scheme()
	done()
	if scheme != "http" {
		return
	}
	t.origin.Scheme = "http"
	page := refusedPage(t.origin, refused)
	_ = t.down.SetWriteDeadline(time.Now().Add(time.Second))
	_, _ = io.WriteString(t.down, "HTTP/1.1 403 Forbidden\r\nContent-Type: text/html; charset=utf-8\r\n"+
		"Content-Security-Policy: sandbox; default-src 'none'\r\nCache-Control: no-store\r\n"+
		NoticeHeader+": "+t.relay.notice+"\r\nConnection: close\r\n"+
		"Content-Length: "+strconv.Itoa(len(page))+"\r\n\r\n"+page)
	// Read what the browser still sends: otherwise the answer could be lost when the connection closes.
	if half, ok := t.down.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
		_ = t.down.SetReadDeadline(time.Now().Add(time.Second))
		_, _ = io.Copy(io.Discard, io.LimitReader(t.in, 1<<20))
	}
}
