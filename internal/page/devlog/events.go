package devlog

import (
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/page/target"
	"cove/internal/wording"
)

// networkParams has the members that we read of all events of the Network domain.
type networkParams struct {
	RequestID string `json:"requestId"`
	FrameID   string `json:"frameId"`
	Type      string `json:"type"`
	URL       string `json:"url"`
	Request   struct {
		URL      string            `json:"url"`
		Fragment string            `json:"urlFragment"`
		Method   string            `json:"method"`
		Headers  map[string]string `json:"headers"`
		PostData string            `json:"postData"`
		Entries  []struct {
			Bytes []byte `json:"bytes"`
		} `json:"postDataEntries"`
	} `json:"request"`
	Redirect *struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	} `json:"redirectResponse"`
	Response struct {
		Status   int               `json:"status"`
		Headers  map[string]string `json:"headers"`
		MIME     string            `json:"mimeType"`
		Protocol string            `json:"protocol"`
		Opcode   int               `json:"opcode"`
		Payload  string            `json:"payloadData"`
		Time     float64           `json:"responseTime"`
	} `json:"response"`
	Headers    map[string]string `json:"headers"`
	StatusCode int               `json:"statusCode"`
	ErrorText  string            `json:"errorText"`
	Canceled   bool              `json:"canceled"`
}

// body returns what a request sends. The browser's text of it is that of its bytes only where they are ASCII.
func (p networkParams) body() string {
	var all []byte
	for _, one := range p.Request.Entries {
		if one.Bytes == nil { // a file or a blob, which the event does not carry
			return ""
		}
		all = append(all, one.Bytes...)
	}
	if all == nil {
		return p.Request.PostData
	}
	return string(all)
}

// NetworkEvent records an event about a request.
func (l *Log) NetworkEvent(e cdp.Event) {
	p, ok := target.Decode[networkParams](e)
	if !ok {
		return
	}

	l.mu.Lock()
	defer l.mu.Unlock()
	switch e.Method {
	case "Network.requestWillBeSent":
		l.requestSent(p, e.Session)
	case "Network.webSocketCreated":
		url := wording.Excerpt(p.URL, 8000)
		l.addRequest(&Request{Method: "GET", URL: url, Kind: "websocket", wire: p.RequestID, session: e.Session})
	case "Network.loadingFinished", "Network.webSocketClosed":
		l.finish(p.RequestID, "")
	case "Network.loadingFailed":
		l.finish(p.RequestID, p.ErrorText)
	default:
		if r := l.byWire[p.RequestID]; r != nil {
			l.requestChanged(r, e.Method, p)
		}
	}
}

// requestSent records a request. After a redirect it also completes the request that was redirected. The caller has
// locked mu.
func (l *Log) requestSent(p networkParams, session string) {
	if r := l.byWire[p.RequestID]; r != nil && p.Redirect != nil {
		r.Status, r.Finished, r.Ended = p.Redirect.Status, true, time.Now()
		r.ResponseHeaders = l.withHeaders(r.ResponseHeaders, p.Redirect.Headers)
	}

	l.addRequest(&Request{
		Method: p.Request.Method, URL: wording.Excerpt(p.Request.URL+p.Request.Fragment, 8000),
		Kind: strings.ToLower(p.Type), Body: wording.Excerpt(l.redact(p.body()), 64<<10),
		RequestHeaders: l.withHeaders(nil, p.Request.Headers), wire: p.RequestID, session: session, frame: p.FrameID,
	})
	if p.Type == "Document" && p.FrameID == l.main {
		l.recordPost(p.RequestID, p.Request.Method)
	}
}

// requestChanged adds what a later event says about a request. The caller has locked mu.
func (l *Log) requestChanged(r *Request, method string, p networkParams) {
	switch method {
	case "Network.dataReceived":
		r.answered = time.Now()
	case "Network.requestWillBeSentExtraInfo":
		r.RequestHeaders = l.withHeaders(r.RequestHeaders, p.Headers)
	case "Network.webSocketWillSendHandshakeRequest":
		r.RequestHeaders = l.withHeaders(r.RequestHeaders, p.Request.Headers)
	case "Network.webSocketHandshakeResponseReceived":
		r.ResponseHeaders = l.withHeaders(r.ResponseHeaders, p.Response.Headers)
		r.Status, r.Responded = p.Response.Status, time.Now()
	case "Network.webSocketFrameSent", "Network.webSocketFrameReceived":
		l.addFrame(r, method == "Network.webSocketFrameSent", p.Response.Opcode, p.Response.Payload)
	case "Network.responseReceived":
		r.ResponseHeaders = l.withHeaders(r.ResponseHeaders, p.Response.Headers)
		r.MIME, r.Protocol, r.answered = p.Response.MIME, p.Response.Protocol, time.Now()
		r.Responded = r.answered
		if r.Status == 0 {
			r.Status = p.Response.Status
		}
		l.clocks.record(r, p.Response.Time)
	case "Network.responseReceivedExtraInfo":
		r.ResponseHeaders = l.withHeaders(r.ResponseHeaders, p.Headers)
		if p.StatusCode != 0 {
			r.Status = p.StatusCode
		}
	}
}
