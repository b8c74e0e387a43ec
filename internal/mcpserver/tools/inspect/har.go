package inspect

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/devlog"
	"cove/internal/redact"
	"cove/internal/wording"
)

// ExportHARTool returns the tool export_har.
func ExportHARTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "export_har", Text: "Save the page's requests as a HAR file. Credentials are left out.",
		Group: "debug", ReadOnly: true,
	}, exportHAR)
}

type harInput struct {
	mcpserver.OnPage
	FilePath                 string `json:"filePath"`
	IncludeBodies            bool   `json:"includeBodies,omitempty" say:"of responses too"`
	IncludePreservedRequests bool   `json:"includePreservedRequests,omitempty" say:"of the last 3 navigations too"`
}

// The format of HAR 1.2. A size of -1 is not known.
type (
	harLog struct {
		Version string     `json:"version"`
		Creator harName    `json:"creator"`
		Entries []harEntry `json:"entries"`
	}
	harName struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"`
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Messages []harFrame  `json:"_webSocketMessages,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		HTTPVersion string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		QueryString []harPair `json:"queryString"`
		PostData    *harPost  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harPost struct {
		MIME string `json:"mimeType"`
		Text string `json:"text"`
	}
	harResponse struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		HTTPVersion string     `json:"httpVersion"`
		Cookies     []harPair  `json:"cookies"`
		Headers     []harPair  `json:"headers"`
		Content     harContent `json:"content"`
		RedirectURL string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
		Error       string     `json:"_error,omitempty"`
	}
	harContent struct {
		Size     int    `json:"size"`
		MIME     string `json:"mimeType"`
		Text     string `json:"text,omitempty"`
		Encoding string `json:"encoding,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
	harFrame struct {
		Type   string  `json:"type"` // send or receive
		Time   float64 `json:"time"`
		Opcode int     `json:"opcode"`
		Data   string  `json:"data"`
	}
)

// maxBodies is how many bytes of responses a file gets.
const maxBodies = 50 << 20

func exportHAR(ctx context.Context, c *mcpserver.Call, in harInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	all := t.Log.Requests(in.IncludePreservedRequests)
	c.Record.SetCount(len(all))

	h := harWriter{c: c, t: t, room: maxBodies}
	if !in.IncludeBodies {
		h.room = 0
	}
	log := harLog{Version: "1.2", Creator: harName{"Cove", c.Version()}, Entries: []harEntry{}}
	for i, r := range all {
		c.ReportProgress(ctx, float64(i), float64(len(all)), "Writing")
		log.Entries = append(log.Entries, h.entry(ctx, r))
	}
	raw, err := json.MarshalIndent(map[string]harLog{"log": log}, "", " ")
	if err != nil {
		return fmt.Errorf("write the HAR: %w", err)
	}
	full, err := c.Files.Save(ctx, in.FilePath, raw)
	if err != nil {
		return err
	}
	c.SaySaved(wording.Count(len(all), "request")+" saved to", full)
	if h.omitted > 0 {
		c.Say("%s left out: the browser has them no longer, or the file would be too large.",
			wording.Count(h.omitted, "body"))
	}
	return nil
}

// harWriter makes the entries of a file. What it writes has no secrets: they are removed from each text before it is
// encoded, when they can still be recognised.
type harWriter struct {
	c       *mcpserver.Call
	t       *page.Tab
	room    int // bytes of responses that still fit; 0 for none at all
	omitted int // bodies that were left out
}

func (h *harWriter) entry(ctx context.Context, r devlog.Request) harEntry {
	address := redact.URL(h.c.Redact.Text(r.URL))
	version := strings.ToUpper(r.Protocol)
	e := harEntry{
		Started: r.Began.UTC().Format("2006-01-02T15:04:05.000Z"),
		Timings: timingsOf(r),
		Request: harRequest{
			Method: r.Method, URL: address, HTTPVersion: version, Cookies: []harPair{},
			Headers: h.headers(r.RequestHeaders), QueryString: queryOf(address), HeadersSize: -1, BodySize: 0,
		},
		Response: harResponse{
			Status: r.Status, StatusText: http.StatusText(r.Status), HTTPVersion: version, Cookies: []harPair{},
			Headers: h.headers(r.ResponseHeaders), Content: harContent{Size: -1, MIME: r.MIME},
			RedirectURL: redact.URL(h.c.Redact.Text(r.ResponseHeaders["location"])), HeadersSize: -1, BodySize: -1,
			Error: r.Failure,
		},
	}
	e.Time = e.Timings.Wait + e.Timings.Receive
	body := h.c.Redact.Text(redact.Body(h.t.Log.RequestBody(ctx, r)))
	if body != "" {
		e.Request.PostData = &harPost{MIME: r.RequestHeaders["content-type"], Text: body}
		e.Request.BodySize = len(body)
	}
	if h.room > 0 {
		h.addBody(ctx, r, &e.Response.Content)
	}
	for _, f := range h.t.Log.Frames(r.ID) {
		e.Messages = append(e.Messages, h.frame(f))
	}
	return e
}

// addBody adds the body of a response to an entry, if there is one.
func (h *harWriter) addBody(ctx context.Context, r devlog.Request, content *harContent) {
	if !r.Finished || r.Failure != "" || r.Kind == "websocket" || r.Status >= 300 && r.Status < 400 {
		return
	}
	body, err := h.t.Log.ResponseBody(ctx, r)
	if err != nil || len(body) >= h.room {
		h.omitted++
		return
	}
	h.room -= len(body)
	content.Size = len(body)
	body = h.c.Redact.Bytes(body)
	if utf8.Valid(body) {
		content.Text = string(body)
		return
	}
	content.Text, content.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
}

func (h *harWriter) frame(f devlog.Frame) harFrame {
	out := harFrame{Type: "receive", Time: float64(f.At.UnixMilli()) / 1000, Opcode: 1,
		Data: h.c.Redact.Text(redact.Body(f.Text))}
	if f.Sent {
		out.Type = "send"
	}
	if f.Binary {
		out.Opcode = 2
	}
	return out
}

func (h *harWriter) headers(all map[string]string) []harPair {
	pairs := []harPair{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		pairs = append(pairs, harPair{name, h.c.Redact.Text(redact.Header(name, all[name]))})
	}
	return pairs
}

func queryOf(address string) []harPair {
	pairs := []harPair{}
	u, err := url.Parse(address)
	if err != nil {
		return pairs
	}
	for part := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(part, "=")
		if name == "" {
			continue
		}
		pairs = append(pairs, harPair{unescape(name), unescape(value)})
	}
	return pairs
}

func unescape(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

// timingsOf returns how long a request took, in milliseconds, as far as it is known.
func timingsOf(r devlog.Request) harTimings {
	since := func(from, to time.Time) float64 {
		if from.IsZero() || to.IsZero() || to.Before(from) {
			return 0
		}
		return float64(to.Sub(from).Microseconds()) / 1000
	}
	responded := r.Responded
	if responded.IsZero() {
		responded = r.Ended
	}
	return harTimings{Wait: since(r.Began, responded), Receive: since(responded, r.Ended)}
}
