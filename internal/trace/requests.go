package trace

import (
	"sort"
	"strings"
	"time"
)

// Request is one request of the page; Start counts from the beginning of its set.
type Request struct {
	URL      string
	Type     string
	Start    time.Duration
	Duration time.Duration // 0 when it had not ended
	Bytes    int64
	Cached   bool
}

func outward(r *request, zero int64) Request {
	o := Request{URL: r.url, Type: r.kind, Start: span(zero, r.began()), Bytes: r.bytes, Cached: r.cached}
	if r.end > 0 {
		o.Duration = span(r.began(), r.end)
	}
	return o
}

// blockers are the requests that the first paint had to wait for.
func (t *Trace) blockers(n navigation, b Bounds) []Request {
	painted := t.paints[n.id]
	var all []Request
	for _, r := range t.requests {
		if r.frame != n.frame || !b.contains(r.began()) ||
			(r.blocking != "blocking" && r.blocking != "in_body_parser_blocking") {
			continue
		}
		if painted > 0 && r.began() > painted {
			continue
		}
		all = append(all, outward(r, b.Min))
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].Duration != all[j].Duration {
			return all[i].Duration > all[j].Duration
		}
		return all[i].URL < all[j].URL
	})
	return all
}

// traffic counts the page's requests and the bytes that came over the network.
func (t *Trace) traffic(b Bounds) (count int, bytes int64) {
	for _, r := range t.requests {
		if r.url == "" || !b.contains(r.began()) || !t.inPage(r.frame) || strings.HasPrefix(r.url, "data:") {
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

func latency(r *request, zero int64) *Document {
	if !r.answered {
		return nil
	}
	d := &Document{Bytes: r.bytes, ServerTime: span(r.sent, r.firstByte)}
	if len(r.hops) > 1 {
		d.Redirects = len(r.hops) - 1
		d.RedirectTime = span(max(r.hops[0], zero), r.hops[len(r.hops)-1])
	}
	text := strings.HasPrefix(r.mime, "text/") || strings.HasSuffix(r.mime, "xml") || strings.HasSuffix(r.mime, "json")
	d.Uncompressed = text && r.encoding == "" && !r.cached && r.decoded >= worthwhile
	return d
}
