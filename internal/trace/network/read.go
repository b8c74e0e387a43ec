package network

import (
	"strings"

	"cove/internal/trace/event"
	"cove/internal/trace/page"
)

// Log has the requests of a trace.
type Log struct {
	page  *page.Page
	loads map[requestKey]*Load
}

// NewLog returns a log without requests.
func NewLog(p *page.Page) *Log { return &Log{page: p, loads: map[requestKey]*Load{}} }

// Reader returns the function that reads events of this name about requests, or nil for others.
func (l *Log) Reader(name string) func(*event.Event) bool {
	switch name {
	case "ResourceWillSendRequest":
		return l.readWillSend
	case "ResourceSendRequest":
		return l.readSend
	case "ResourceReceiveResponse":
		return l.readResponse
	case "ResourceFinish":
		return l.readFinish
	case "ResourceMarkAsCached":
		return l.readCached
	case "PreloadRenderBlockingStatusChange":
		return l.readBlocking
	}
	return nil
}

// requestKey identifies a request. The request of a document has the id of its navigation in all processes. Other
// requests are numbered within one process.
type requestKey struct {
	pid int
	id  string
}

func keyOf(pid int, id string) requestKey {
	if strings.Contains(id, ".") {
		return requestKey{pid, id}
	}
	return requestKey{0, id}
}

// Load is one request with its redirects, in the browser's clock.
type Load struct {
	URL       string
	Hops      []int64 // when each URL of a chain of redirects was requested
	FirstByte int64   // of the response; 0 if it is not known
	End       int64   // 0 if it had not ended

	frame, kind    string
	blocking       string
	start          int64
	sent           int64 // when the last URL of the chain was requested from the server
	bytes, decoded int64
	status         int
	mime           string
	encoding       string
	answered       bool
	cached         bool
	failed         bool
}

// Began returns when the first URL of the chain was requested.
func (r *Load) Began() int64 {
	if len(r.Hops) > 0 && (r.start == 0 || r.Hops[0] < r.start) {
		return r.Hops[0]
	}
	return r.start
}

type requestArgs struct {
	Data struct {
		ID       string  `json:"requestId"`
		Frame    string  `json:"frame"`
		URL      string  `json:"url"`
		Kind     string  `json:"resourceType"`
		Blocking string  `json:"renderBlocking"`
		MIME     string  `json:"mimeType"`
		Status   int     `json:"statusCode"`
		Cached   bool    `json:"fromCache"`
		Failed   bool    `json:"didFail"`
		Encoded  float64 `json:"encodedDataLength"`
		Decoded  float64 `json:"decodedBodyLength"`
		Finish   float64 `json:"finishTime"`
		Timing   *struct {
			Request      float64  `json:"requestTime"`
			Sent         float64  `json:"sendEnd"`
			HeadersStart *float64 `json:"receiveHeadersStart"`
			HeadersEnd   float64  `json:"receiveHeadersEnd"`
		} `json:"timing"`
		Headers []struct{ Name, Value string } `json:"headers"`
	} `json:"data"`
}

// request returns the load that an event is about, and the event's arguments. It adds a load for a new request.
func (l *Log) request(e *event.Event) (*Load, *requestArgs) {
	var a requestArgs
	if !e.Decode(&a) || a.Data.ID == "" {
		return nil, nil
	}
	key := keyOf(e.PID, a.Data.ID)
	r := l.loads[key]
	if r == nil {
		r = &Load{}
		l.loads[key] = r
	}
	return r, &a
}

func (l *Log) readWillSend(e *event.Event) bool {
	r, _ := l.request(e)
	if r == nil {
		return false
	}
	r.Hops = append(r.Hops, e.Start())
	return true
}

func (l *Log) readSend(e *event.Event) bool {
	r, a := l.request(e)
	if r == nil {
		return false
	}
	if r.start == 0 {
		r.start = e.Start()
	}
	// A redirect is sent under the same id. The last URL is the one that answered.
	r.URL, r.frame, r.kind = a.Data.URL, a.Data.Frame, a.Data.Kind
	if a.Data.Blocking != "" {
		r.blocking = a.Data.Blocking
	}
	return true
}

func (l *Log) readResponse(e *event.Event) bool {
	r, a := l.request(e)
	if r == nil {
		return false
	}
	r.answered, r.status, r.mime = true, a.Data.Status, a.Data.MIME
	r.cached = r.cached || a.Data.Cached
	if tm := a.Data.Timing; tm != nil && tm.Request > 0 {
		headers := tm.HeadersEnd
		if tm.HeadersStart != nil {
			headers = *tm.HeadersStart
		}
		r.FirstByte = micros(tm.Request + headers/1e3)
		r.sent = micros(tm.Request + max(tm.Sent, 0)/1e3)
	}
	for _, h := range a.Data.Headers {
		if strings.EqualFold(h.Name, "content-encoding") {
			r.encoding = h.Value
		}
	}
	return true
}

func (l *Log) readFinish(e *event.Event) bool {
	r, a := l.request(e)
	if r == nil {
		return false
	}
	r.End, r.failed = e.Start(), a.Data.Failed
	if a.Data.Finish > 0 {
		r.End = micros(a.Data.Finish)
	}
	r.bytes, r.decoded = int64(max(a.Data.Encoded, 0)), int64(max(a.Data.Decoded, 0))
	return true
}

func (l *Log) readCached(e *event.Event) bool {
	r, _ := l.request(e)
	if r != nil {
		r.cached = true
	}
	return r != nil
}

func (l *Log) readBlocking(e *event.Event) bool {
	r, a := l.request(e)
	if r != nil && a.Data.Blocking != "" {
		r.blocking = a.Data.Blocking
	}
	return r != nil
}

// Document returns the load of a navigation's document, or nil if its address is not known. Chromium gives a navigation
// and its document's request the same id.
func (l *Log) Document(navigation string) *Load {
	if r := l.loads[requestKey{0, navigation}]; r != nil && r.URL != "" {
		return r
	}
	return nil
}

// Requested returns when a navigation's document was first requested, even when nothing else is known about it.
func (l *Log) Requested(navigation string) (at int64, ok bool) {
	r := l.loads[requestKey{0, navigation}]
	if r == nil || len(r.Hops) == 0 {
		return 0, false
	}
	return r.Hops[0], true
}

// Image returns the load of an image by a navigation's document: the newest one that began before the image was shown,
// or nil if there is none.
func (l *Log) Image(url string, n page.Navigation, shown int64) (found *Load) {
	if url == "" {
		return nil
	}

	for _, r := range l.loads {
		if r.URL == url && r.frame == n.Frame && r.Began() >= n.At && r.Began() <= shown &&
			(found == nil || r.Began() > found.Began()) {
			found = r
		}
	}
	return found
}

// micros turns seconds of the browser's clock into microseconds.
func micros(seconds float64) int64 { return int64(seconds*1e6 + 0.5) }
