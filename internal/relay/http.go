package relay

import (
	"context"
	"errors"
	"html"
	"io"
	"net/http"

	"cove/internal/policy"
)

func (r *Relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case req.Method == http.MethodConnect:
		r.tunnel(w, req)
	case req.URL.IsAbs() && req.URL.Scheme == "http":
		r.forward(w, req)
	default: // a page that looks at our port, not a browser that uses its proxy
		http.Error(w, "This is a proxy.", http.StatusBadRequest)
	}
}

// hopByHop are headers for the next hop only.
var hopByHop = []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

func (r *Relay) forward(w http.ResponseWriter, req *http.Request) {
	o, ok := policy.OriginOf(req.URL)
	if !ok {
		http.Error(w, "This is no address.", http.StatusBadRequest)
		return
	}
	if refused, _ := r.judge(o); refused != nil {
		r.refuse(w, o, refused)
		return
	}
	up, err := r.routes("http", req.URL.Host)
	if err != nil {
		http.Error(w, r.fail(o, up, err), http.StatusBadGateway)
		return
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	done, refused := r.enter(&flow{origin: o, cut: cancel})
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
	transport := r.through
	if !up.Set() {
		transport = r.direct
	}
	res, err := transport.RoundTrip(out)
	var stopped *refusal
	switch {
	case errors.As(err, &stopped):
		r.refuse(w, o, stopped)
		return
	case err != nil:
		http.Error(w, r.fail(o, up, err), http.StatusBadGateway)
		return
	}
	r.notes.clear(o)
	defer func() { _ = res.Body.Close() }()
	for _, h := range hopByHop {
		res.Header.Del(h)
	}
	for k, vs := range res.Header {
		w.Header()[k] = vs
	}
	w.WriteHeader(res.StatusCode)
	if err := pour(w, res); err != nil {
		panic(http.ErrAbortHandler) // the browser must not take a part for the whole
	}
}

// pour copies a body. Each piece goes on as it comes, unless it is the last.
func pour(w http.ResponseWriter, res *http.Response) error {
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

// refuse answers a request that a rule forbids. The page has an origin of its own: it is not the site's, whose cookies are none of
// its business.
func (r *Relay) refuse(w http.ResponseWriter, o policy.Origin, refused error) {
	r.noteRefusal(o, refused)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set(NoticeHeader, r.Notice)
	w.WriteHeader(http.StatusForbidden)
	_, _ = io.WriteString(w, refusedPage(o, refused))
}

func refusedPage(o policy.Origin, refused error) string {
	return "<!doctype html><title>Not opened</title><p>" + html.EscapeString("Cove has not opened "+o.String()+": "+refused.Error()+".") + "\n"
}

func (r *Relay) noteRefusal(o policy.Origin, refused error) {
	if r.notes.put(o, refused.Error(), "") {
		r.Log.Info("refused", "site", o.String(), "rule", refused.Error())
	}
}

func (r *Relay) tunnel(w http.ResponseWriter, req *http.Request) {
	o, ok := policy.OriginOfHost(req.Host)
	if !ok {
		http.Error(w, "This is no address.", http.StatusBadRequest)
		return
	}
	refused, open := r.judge(o)
	if refused != nil && !open {
		r.refuse(w, o, refused)
		return
	}
	t := &tunnel{r: r, origin: o, sniff: open}
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
