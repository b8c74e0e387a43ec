package trace

import "strings"

// requestKey names a request. A document has the name of its navigation in all processes; others are numbered in one.
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

// request is one request with its redirects.
type request struct {
	frame, url, kind string
	blocking         string
	hops             []int64 // when each URL of a chain of redirects was asked for
	start, end       int64
	firstByte        int64
	sent             int64 // when the last URL of the chain was asked for at the server
	bytes, decoded   int64
	status           int
	mime             string
	encoding         string
	answered         bool
	cached           bool
	failed           bool
}

// began returns when the first URL of the request was requested.
func (r *request) began() int64 {
	if len(r.hops) > 0 && (r.start == 0 || r.hops[0] < r.start) {
		return r.hops[0]
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

// request returns the request that an event is about. It makes one when it is new.
func (t *Trace) request(e *event) (*request, *requestArgs) {
	var a requestArgs
	if !e.into(&a) || a.Data.ID == "" {
		return nil, nil
	}
	key := keyOf(e.PID, a.Data.ID)
	r := t.requests[key]
	if r == nil {
		r = &request{}
		t.requests[key] = r
	}
	return r, &a
}

func (t *Trace) readWillSend(e *event) bool {
	r, _ := t.request(e)
	if r == nil {
		return false
	}
	r.hops = append(r.hops, e.at())
	return true
}

func (t *Trace) readSend(e *event) bool {
	r, a := t.request(e)
	if r == nil {
		return false
	}
	if r.start == 0 {
		r.start = e.at()
	}
	// A redirect sends again under the same name: the last URL is the one that answered.
	r.url, r.frame, r.kind = a.Data.URL, a.Data.Frame, a.Data.Kind
	if a.Data.Blocking != "" {
		r.blocking = a.Data.Blocking
	}
	return true
}

func (t *Trace) readResponse(e *event) bool {
	r, a := t.request(e)
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
		r.firstByte = micros(tm.Request + headers/1e3)
		r.sent = micros(tm.Request + max(tm.Sent, 0)/1e3)
	}
	for _, h := range a.Data.Headers {
		if strings.EqualFold(h.Name, "content-encoding") {
			r.encoding = h.Value
		}
	}
	return true
}

func (t *Trace) readFinish(e *event) bool {
	r, a := t.request(e)
	if r == nil {
		return false
	}
	r.end, r.failed = e.at(), a.Data.Failed
	if a.Data.Finish > 0 {
		r.end = micros(a.Data.Finish)
	}
	r.bytes, r.decoded = int64(max(a.Data.Encoded, 0)), int64(max(a.Data.Decoded, 0))
	return true
}

func (t *Trace) readCached(e *event) bool {
	r, _ := t.request(e)
	if r != nil {
		r.cached = true
	}
	return r != nil
}

func (t *Trace) readBlocking(e *event) bool {
	r, a := t.request(e)
	if r != nil && a.Data.Blocking != "" {
		r.blocking = a.Data.Blocking
	}
	return r != nil
}

// document is the request of a navigation's document; Chromium gives both the same name.
func (t *Trace) document(navigation string) *request {
	if r := t.requests[requestKey{0, navigation}]; r != nil && r.url != "" {
		return r
	}
	return nil
}
