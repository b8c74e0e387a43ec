package page

import (
	"context"
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
	"time"

	"cove/internal/cdp"
)

// Bounds of what is kept of a tab's requests.
const (
	maxRequests = 1000
	maxNetwork  = 8 << 20 // bytes of addresses and bodies
	maxHeaders  = 100     // of one request
)

// Request is one request of a tab.
type Request struct {
	ID       int
	Method   string
	URL      string
	Kind     string // document, script, fetch, …
	Status   int
	Failure  string
	Asked    map[string]string // request headers
	Answered map[string]string // response headers
	Body     string            // of the request
	MIME     string
	Finished bool
	// visit numbers the document that it belongs to.
	visit int

	wire, session string
	frame         string
	seq           int
	at            time.Time
	heard         time.Time // when its answer, or the last piece of it, came
}

// network keeps the last requests of a tab. The tab's mu guards it.
type network struct {
	next  int
	visit int
	ring  []*Request
	bytes int                 // of their addresses and bodies
	open  map[string]*Request // by id on the wire
}

// navigated gives the document's own request and all after it to the new visit.
func (n *network) navigated(loader string) {
	n.visit++
	from := slices.IndexFunc(n.ring, func(r *Request) bool { return r.wire == loader })
	for i := from; i >= 0 && i < len(n.ring); i++ {
		n.ring[i].visit = n.visit
	}
}

func (n *network) add(r *Request) {
	if n.open == nil {
		n.open = map[string]*Request{}
	}
	n.next++
	r.ID, r.seq, r.visit, r.at = n.next, n.next, n.visit, time.Now()
	n.ring = append(n.ring, r)
	n.open[r.wire] = r
	n.bytes += r.size()
	if len(n.ring) <= maxRequests && n.bytes <= maxNetwork {
		return
	}
	gone := 0 // a quarter goes, so that this is rare
	for from := n.bytes; gone < len(n.ring)-1 && (gone < len(n.ring)/4 || n.bytes > from*3/4); gone++ {
		old := n.ring[gone]
		n.bytes -= old.size()
		if n.open[old.wire] == old {
			delete(n.open, old.wire)
		}
	}
	n.ring = slices.Delete(n.ring, 0, gone)
}

// size is about what a request takes, without its headers.
func (r *Request) size() int { return 500 + len(r.URL) + len(r.Body) }

func (n *network) finish(wire, failure string) {
	if r := n.open[wire]; r != nil {
		r.Finished, r.Failure = true, failure
	}
}

// How long an answer may pause before its request counts as done: a page that does not read a body never lets it end. And how long
// pictures and fonts are waited for, which change nothing that an agent reads.
const (
	bodyTime    = 100 * time.Millisecond
	pictureTime = 300 * time.Millisecond
)

// underWay tells whether a request that began after seq is still going on.
func (n *network) underWay(after int) bool {
	now := time.Now()
	for i := len(n.ring) - 1; i >= 0 && n.ring[i].seq > after; i-- {
		if n.ring[i].underWay(now) {
			return true
		}
	}
	return false
}

// underWay tells whether what a page does next may depend on the request. Streams never end, and nobody waits for a beacon.
func (r *Request) underWay(now time.Time) bool {
	switch r.Kind {
	case "websocket", "eventsource", "media", "ping", "prefetch", "cspviolationreport":
		return false
	case "image", "font":
		if now.Sub(r.at) > pictureTime {
			return false
		}
	}
	return !r.Finished && (r.heard.IsZero() || now.Sub(r.heard) < bodyTime)
}

// kept tells whether a document that was asked for after seq has been answered and yet is not shown: the answer is a file to save,
// of which the browser tells later than of the end of the request.
func (n *network) kept(after int) bool {
	for i := len(n.ring) - 1; i >= 0 && n.ring[i].seq > after; i-- {
		r := n.ring[i]
		if r.Kind == "document" && r.Failure == "net::ERR_ABORTED" && r.Status >= 200 && r.Status < 300 && r.Status != http.StatusNoContent && r.Status != http.StatusResetContent {
			return true
		}
	}
	return false
}

type headers map[string]string

// put adds headers, their names in lower case, and of their values what hide leaves.
func put(to *map[string]string, from headers, hide func(string) string) {
	if len(from) == 0 {
		return
	}
	if *to == nil {
		*to = map[string]string{}
	}
	for k, v := range from {
		if len(*to) == maxHeaders {
			break
		}
		(*to)[strings.ToLower(k)] = short(hide(v), 4000)
	}
}

func (t *Tab) networkEvent(e cdp.Event) {
	p, ok := decode[struct {
		RequestID string `json:"requestId"`
		FrameID   string `json:"frameId"`
		Type      string `json:"type"`
		URL       string `json:"url"`
		Request   struct {
			URL      string  `json:"url"`
			Fragment string  `json:"urlFragment"`
			Method   string  `json:"method"`
			Headers  headers `json:"headers"`
			PostData string  `json:"postData"`
		} `json:"request"`
		Redirect *struct {
			Status  int     `json:"status"`
			Headers headers `json:"headers"`
		} `json:"redirectResponse"`
		Response struct {
			Status  int     `json:"status"`
			Headers headers `json:"headers"`
			MIME    string  `json:"mimeType"`
		} `json:"response"`
		Headers    headers `json:"headers"`
		StatusCode int     `json:"statusCode"`
		ErrorText  string  `json:"errorText"`
		Canceled   bool    `json:"canceled"`
	}](e)
	if !ok {
		return
	}
	t.mu.Lock()
	n := &t.network
	r := n.open[p.RequestID]
	switch e.Method {
	case "Network.requestWillBeSent":
		if r != nil && p.Redirect != nil {
			r.Status, r.Finished = p.Redirect.Status, true
			put(&r.Answered, p.Redirect.Headers, t.b.hidden)
		}
		made := &Request{Method: p.Request.Method, URL: short(p.Request.URL+p.Request.Fragment, 8000), Kind: strings.ToLower(p.Type), Body: short(t.b.hidden(p.Request.PostData), 64<<10), wire: p.RequestID, session: e.Session, frame: p.FrameID}
		put(&made.Asked, p.Request.Headers, t.b.hidden)
		n.add(made)
		if p.Type == "Document" && p.FrameID == t.main {
			t.sent(p.RequestID, p.Request.Method)
		}
	case "Network.webSocketCreated":
		n.add(&Request{Method: "GET", URL: short(p.URL, 8000), Kind: "websocket", wire: p.RequestID, session: e.Session})
	case "Network.dataReceived":
		if r != nil {
			r.heard = time.Now()
		}
	case "Network.loadingFinished", "Network.webSocketClosed":
		n.finish(p.RequestID, "")
	case "Network.loadingFailed":
		n.finish(p.RequestID, p.ErrorText)
	default:
		if r != nil {
			r.told(e.Method, p.Headers, p.Response.Headers, p.Response.Status, p.StatusCode, p.Response.MIME, t.b.hidden)
		}
	}
	t.mu.Unlock()
	t.changed.broadcast()
}

// told adds what later events say of a request.
func (r *Request) told(method string, extra, response headers, status, extraStatus int, mime string, hide func(string) string) {
	switch method {
	case "Network.requestWillBeSentExtraInfo":
		put(&r.Asked, extra, hide)
	case "Network.responseReceived":
		put(&r.Answered, response, hide)
		r.MIME, r.heard = mime, time.Now()
		if r.Status == 0 {
			r.Status = status
		}
	case "Network.responseReceivedExtraInfo":
		put(&r.Answered, extra, hide)
		if extraStatus != 0 {
			r.Status = extraStatus
		}
	}
}

// Requests lists the requests of the present document; preserved adds those of the documents before it.
func (t *Tab) Requests(preserved bool) []Request {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := t.network.visit
	if preserved {
		from -= preservedVisits
	}
	var found []Request
	for _, r := range t.network.ring {
		if r.visit >= from {
			found = append(found, *r)
		}
	}
	return found
}

// Request is one request by its id.
func (t *Tab) Request(id int) (Request, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.network.ring {
		if r.ID == id {
			return *r, true
		}
	}
	return Request{}, false
}

// ResponseBody fetches what a request was answered with; the browser keeps it for a while.
func (t *Tab) ResponseBody(ctx context.Context, r Request) ([]byte, error) {
	var answer struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	if err := t.call(ctx, r.session, "Network.getResponseBody", object{"requestId": r.wire}, &answer); err != nil {
		return nil, err
	}
	if answer.Base64 {
		return base64.StdEncoding.DecodeString(answer.Body)
	}
	return []byte(answer.Body), nil
}

// RequestBody fetches a request's whole body when the event did not carry it.
func (t *Tab) RequestBody(ctx context.Context, r Request) string {
	var answer struct {
		PostData string `json:"postData"`
	}
	if r.Body == "" && r.Method != http.MethodGet && r.Method != http.MethodHead && t.call(ctx, r.session, "Network.getRequestPostData", object{"requestId": r.wire}, &answer) == nil {
		return answer.PostData
	}
	return r.Body
}
