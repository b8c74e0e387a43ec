// Package network reads the requests of a trace. It finds how documents were loaded, and which requests delayed the
// first paint.
package network

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"cove/internal/trace/event"
	"cove/internal/trace/format"
	"cove/internal/trace/page"
)

// Request is one request of the page. Start counts from the beginning of its set.
type Request struct {
	URL      string
	Type     string
	Start    time.Duration
	Duration time.Duration // 0 when it had not ended
	Bytes    int64
	Cached   bool
}

// Request returns the load as a report shows it, with times that count from zero.
func (r *Load) Request(zero int64) Request {
	o := Request{URL: r.URL, Type: r.kind, Start: event.Span(zero, r.Began()), Bytes: r.bytes, Cached: r.cached}
	if r.End > 0 {
		o.Duration = event.Span(r.Began(), r.End)
	}
	return o
}

// Blockers returns the requests that the first paint of a navigation had to wait for, the longest first. painted is the
// time of that paint, 0 if it is not known.
func (l *Log) Blockers(n page.Navigation, b event.Bounds, painted int64) []Request {
	var all []Request
	for _, r := range l.loads {
		if r.frame != n.Frame || !b.Contains(r.Began()) ||
			(r.blocking != "blocking" && r.blocking != "in_body_parser_blocking") {
			continue
		}
		if painted > 0 && r.Began() > painted {
			continue
		}
		all = append(all, r.Request(b.Min))
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Duration != all[j].Duration {
			return all[i].Duration > all[j].Duration
		}
		return all[i].URL < all[j].URL
	})
	return all
}

// Traffic counts the page's requests and the bytes that came over the network.
func (l *Log) Traffic(b event.Bounds) (count int, bytes int64) {
	for _, r := range l.loads {
		if r.URL == "" || !b.Contains(r.Began()) || !l.page.Contains(r.frame) || strings.HasPrefix(r.URL, "data:") {
			continue
		}
		count++
		if !r.cached {
			bytes += r.bytes
		}
	}
	return count, bytes
}

// Document says how the document itself was loaded.
type Document struct {
	Redirects    int
	RedirectTime time.Duration
	ServerTime   time.Duration // from the request until the first byte of the answer
	Bytes        int64
	// Uncompressed is set for text of some size that came without compression.
	Uncompressed bool
}

// worthwhile is the size from which compressing text saves a packet.
const worthwhile = 1400

// Latency returns how a document was loaded, or nil if there was no response. A redirect before zero counts from zero.
func (r *Load) Latency(zero int64) *Document {
	if !r.answered {
		return nil
	}
	d := &Document{Bytes: r.bytes, ServerTime: event.Span(r.sent, r.FirstByte)}
	if len(r.Hops) > 1 {
		d.Redirects = len(r.Hops) - 1
		d.RedirectTime = event.Span(max(r.Hops[0], zero), r.Hops[len(r.Hops)-1])
	}
	text := strings.HasPrefix(r.mime, "text/") || strings.HasSuffix(r.mime, "xml") || strings.HasSuffix(r.mime, "json")
	d.Uncompressed = text && r.encoding == "" && !r.cached && r.decoded >= worthwhile
	return d
}

// String writes the request for a line of a report.
func (r Request) String() string {
	took := "not finished"
	if r.Duration > 0 {
		took = format.Milliseconds(r.Duration)
	}
	if r.Cached {
		took += ", from the cache"
	}
	return fmt.Sprintf(
		"%s (%s, %s, from %s for %s)",
		format.Clean(r.URL),
		format.First(r.Type, "unknown type"),
		format.Size(r.Bytes),
		format.Milliseconds(r.Start),
		took,
	)
}
