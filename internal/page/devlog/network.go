package devlog

import (
	"context"
	"encoding/base64"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"cove/internal/wording"
)

const (
	maxRequests     = 1000
	maxRequestBytes = 8 << 20 // of all addresses and bodies
	maxHeaders      = 100     // of one request
)

// Request is one request of a tab.
type Request struct {
	ID              int // counts the tab's requests in the order in which they were sent
	Method          string
	URL             string
	Kind            string // document, script, fetch, …
	Status          int
	Failure         string
	RequestHeaders  map[string]string // names in lower case, as in ResponseHeaders
	ResponseHeaders map[string]string
	Body            string // of the request
	MIME            string
	Protocol        string // h2, http/1.1, …
	Finished        bool
	// Began, Responded and Ended are when the request was sent, its response began and it was over, as far as that has
	// happened.
	Began, Responded, Ended time.Time
	// Sent and Received count the frames of a WebSocket.
	Sent, Received int

	private       bool // sent while the person was in control
	visit         int
	wire, session string
	frame         string
	answered      time.Time // when the response, or the last piece of it, came
}

// size returns about how many bytes a request uses, without its headers.
func (r *Request) size() int { return 500 + len(r.URL) + len(r.Body) }

// addRequest records a request. The caller has locked mu.
func (l *Log) addRequest(r *Request) {
	l.sent++
	r.ID, r.visit, r.Began, r.private = l.sent, l.visit, time.Now(), l.private
	l.byWire[r.wire] = r
	l.requests.add(r, maxRequests, maxRequestBytes, func(old *Request) {
		if l.byWire[old.wire] == old {
			delete(l.byWire, old.wire)
		}
	})
}

// finish records the end of a request. The caller has locked mu.
func (l *Log) finish(wire, failure string) {
	if r := l.byWire[wire]; r != nil {
		r.Finished, r.Failure, r.Ended = true, failure, time.Now()
	}
}

// bodyTime is how long a response may pause before its request counts as done: a page that does not read a body never
// lets it end. No event announces such a pause, so whoever waits for requests must check every CheckInterval.
const (
	bodyTime      = 200 * time.Millisecond
	CheckInterval = 20 * time.Millisecond
)

// imageTime bounds how long an image or a font counts as under way: they change nothing that an agent reads.
const imageTime = 300 * time.Millisecond

// Last returns the id of the last request.
func (l *Log) Last() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.sent
}

// UnderWay reports whether a request after the request with the id after is still going on.
func (l *Log) UnderWay(after int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	return l.anyAfter(after, func(r *Request) bool { return r.underWay(now) })
}

// youngTime is how old a request may be for a reader of the log to wait for it, and moment how long the page's script
// may take to act on its answer.
const (
	youngTime = time.Second
	moment    = 50 * time.Millisecond
)

// Young reports whether a request that the page has sent just now is still going on, or has only now ended.
func (l *Log) Young() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	return l.anyAfter(0, func(r *Request) bool {
		return now.Sub(r.Began) < youngTime && (r.underWay(now) || now.Sub(r.Ended) < moment)
	})
}

// underWay reports whether the request is going on and the page's next step may depend on it. Streams never end, and no
// page waits for a beacon.
func (r *Request) underWay(now time.Time) bool {
	switch r.Kind {
	case "websocket", "eventsource", "media", "ping", "prefetch", "cspviolationreport":
		return false
	case "image", "font":
		if now.Sub(r.Began) > imageTime {
			return false
		}
	}
	return !r.Finished && (r.answered.IsZero() || now.Sub(r.answered) < bodyTime)
}

// Saved reports whether the response to a document request after the request with the id after is a file to save. The
// browser does not show such a file, and reports the download later than the end of the request.
func (l *Log) Saved(after int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.anyAfter(after, func(r *Request) bool {
		return r.Kind == "document" && r.Failure == "net::ERR_ABORTED" && r.Status >= 200 && r.Status < 300 &&
			r.Status != http.StatusNoContent && r.Status != http.StatusResetContent
	})
}

// anyAfter reports whether is holds for a request after the request with the id after. It begins with the last. The
// caller has locked mu.
func (l *Log) anyAfter(after int, is func(*Request) bool) bool {
	all := l.requests.all
	for i := len(all) - 1; i >= 0 && all[i].ID > after; i-- {
		if is(all[i]) {
			return true
		}
	}
	return false
}

// MainURL returns the address of the main frame's last document request after the request with the id after, or "" when
// there is none.
func (l *Log) MainURL(after int) (url string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.anyAfter(after, func(r *Request) bool {
		if r.Kind != "document" || r.frame != l.main {
			return false
		}
		url = r.URL
		return true
	})
	return url
}

// maxPosts bounds how many documents that answer a form a tab's log remembers.
const maxPosts = 100

// recordPost records whether a document of the main frame was requested with POST. After a redirect the last request
// counts. The caller has locked mu.
func (l *Log) recordPost(loader, method string) {
	if method != http.MethodPost {
		delete(l.posts, loader)
		return
	}
	if len(l.posts) >= maxPosts {
		l.posts = map[string]bool{}
	}
	l.posts[loader] = true
}

// Posted reports whether the document of this loader came as the answer to a form. Loading it again sends the form
// again.
func (l *Log) Posted(loader string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.posts[loader]
}

// ResponseHeaders returns the headers of the response that brought the document of this loader. Their names are in
// lower case.
func (l *Log) ResponseHeaders(loader string) (headers map[string]string, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	r := l.byWire[loader]
	if r == nil {
		return nil, false
	}
	return r.ResponseHeaders, true
}

// withHeaders returns headers with more added. It writes the names of more in lower case and redacts their values. It
// does not change the map headers, which others may be reading.
func (l *Log) withHeaders(headers, more map[string]string) map[string]string {
	if len(more) == 0 {
		return headers
	}

	all := maps.Clone(headers)
	if all == nil {
		all = make(map[string]string, min(len(more), maxHeaders))
	}
	for k, v := range more {
		if len(all) == maxHeaders {
			break
		}
		all[strings.ToLower(k)] = wording.Excerpt(l.redact(v), 4000)
	}
	return all
}

// Requests lists the requests of the present document. With preserved it adds those of the last documents before it.
func (l *Log) Requests(preserved bool) (found []Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := l.since(preserved)
	for _, r := range l.requests.all {
		if r.visit >= from && !r.private {
			found = append(found, *r)
		}
	}
	return found
}

// Request returns one request by its id.
func (l *Log) Request(id int) (Request, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.requests.all, func(r *Request) bool { return r.ID == id && !r.private })
	if i < 0 {
		return Request{}, false
	}
	return *l.requests.all[i], true
}

// ResponseBody fetches the body of a response, which the browser stores for a while.
func (l *Log) ResponseBody(ctx context.Context, r Request) ([]byte, error) {
	var answer struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	err := l.caller.Call(ctx, r.session, "Network.getResponseBody", object{"requestId": r.wire}, &answer)
	if err != nil {
		return nil, err
	}
	if answer.Base64 {
		return base64.StdEncoding.DecodeString(answer.Body)
	}
	return []byte(answer.Body), nil
}

// RequestBody returns a request's body. It fetches the body when the event did not carry it.
func (l *Log) RequestBody(ctx context.Context, r Request) string {
	if r.Body != "" || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return r.Body
	}

	var answer struct {
		PostData string `json:"postData"`
		Base64   bool   `json:"base64Encoded"`
	}
	if l.caller.Call(ctx, r.session, "Network.getRequestPostData", object{"requestId": r.wire}, &answer) != nil {
		return r.Body
	}
	if answer.Base64 {
		body, _ := base64.StdEncoding.DecodeString(answer.PostData)
		return string(body)
	}
	return answer.PostData
}
