package relay

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"

	"cove/internal/policy/site"
	"cove/internal/proxy"
)

// ServeHTTP answers one request of the browser to its proxy.
func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method == http.MethodConnect:
		r.tunnel(w, req)
	case req.URL.IsAbs() && req.URL.Scheme == "http":
		r.forward(w, req)
	default: // a page that requests our port, not a browser that uses its proxy
		http.Error(w, "This is a proxy.", http.StatusBadRequest)
	}
}

// hopByHop lists the headers that are meant only for the next hop.
var hopByHop = [...]string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization",
	"Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// forward passes on a plain HTTP request.
func (r *Relay) forward(w http.ResponseWriter, req *http.Request) {
	o, ok := site.OriginOf(req.URL)
	if !ok {
		http.Error(w, "This is no address.", http.StatusBadRequest)
		return
	}
	if refused, _ := r.judge(o); refused != nil {
		r.refuse(w, o, refused)
		return
	}
	up, err := r.route("http", req.URL.Host)
	if err != nil {
		http.Error(w, r.recordFailure(o, up, err), http.StatusBadGateway)
		return
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	done, refused := r.startFlow(&flow{origin: o, close: cancel})
	if refused != nil {
		r.refuse(w, o, refused)
		return
	}
	defer done()

	out := req.Clone(ctx)
	out.RequestURI = ""
	for _, h := range hopByHop {
		out.Header.Del(h)
	}
	res, err := r.transportTo(up).RoundTrip(out)
	var stopped *refusal
	switch {
	case errors.As(err, &stopped):
		r.refuse(w, o, stopped)
		return
	case err != nil:
		http.Error(w, r.recordFailure(o, up, err), http.StatusBadGateway)
		return
	}

	r.failures.clear(o)
	defer func() { _ = res.Body.Close() }()
	passAnswer(w, res)
}

// transportTo returns the transport that goes through up, or directly where up is not set.
func (r *Relay) transportTo(up proxy.Proxy) http.RoundTripper {
	switch {
	case !up.Set():
		return r.direct
	case isSocks(up):
		return r.overSocks
	}
	return r.through
}

// passAnswer passes on an answer, and aborts the connection if its body ends early: the browser must not take it for
// complete.
func passAnswer(w http.ResponseWriter, res *http.Response) {
	for _, h := range hopByHop {
		res.Header.Del(h)
	}
	for k, vs := range res.Header {
		w.Header()[k] = vs
	}
	w.WriteHeader(res.StatusCode)
	if err := copyBody(w, res); err != nil {
		panic(http.ErrAbortHandler)
	}
}

// copyBody copies a body. It flushes each piece as it arrives, except the last one.
func copyBody(w http.ResponseWriter, res *http.Response) error {
	flush := http.NewResponseController(w)
	buffer := make([]byte, 32<<10)
	for left := res.ContentLength; ; {
		n, err := res.Body.Read(buffer)
		if n > 0 {
			left -= int64(n)
			if _, err := w.Write(buffer[:n]); err != nil {
				return nil //nolint:nilerr // the browser has gone
			}
			if err == nil && left != 0 {
				_ = flush.Flush()
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// refuse answers a request that a rule forbids. The sandbox gives the answer an origin of its own, so that it cannot
// read the site's cookies.
func (r *Relay) refuse(w http.ResponseWriter, o site.Origin, refused error) {
	r.recordRefusal(o, refused)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set(NoticeHeader, r.notice)
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, refusedPage(o, refused))
}

func refusedPage(o site.Origin, refused error) string {
	text := "Cove has not opened " + o.String() + ": " + refused.Error() + "."
	return "<!doctype html><title>Not opened</title><p>" + html.EscapeString(text) + "\n"
}

// tunnel serves CONNECT.
func (r *Relay) tunnel(w http.ResponseWriter, req *http.Request) {
	o, ok := site.OriginOfHost(req.Host)
	if !ok {
		http.Error(w, "This is no address.", http.StatusBadRequest)
		return
	}
	refused, either := r.judge(o)
	if refused != nil && !either {
		r.refuse(w, o, refused)
		return
	}
	t := &tunnel{relay: r, origin: o, detect: either}
	t.accept = func() error {
		down, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return err
		}
		t.down, t.in = down, buffered.Reader
		_, err = io.WriteString(down, "HTTP/1.1 200 Connection established\r\n\r\n")
		return err
	}
	t.reject = func(err error, text string) {
		var stopped *refusal
		if errors.As(err, &stopped) {
			r.refuse(w, o, stopped)
			return
		}
		http.Error(w, text, http.StatusBadGateway)
	}
	t.run(req.Context())
}
