package devlog

import (
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// clocks are how far the clocks of sites are ahead of this computer's, by origin.
type clocks map[string]time.Duration

// maxClocks bounds how many clocks a tab's log remembers.
const maxClocks = 100

// record compares the Date of a response with the time when it came, in milliseconds. A cache leaves the Date as it was
// and says with Age how long ago that is; some do not say it, so of one document's responses the nearest to our own
// clock counts.
func (c clocks) record(r *Request, milliseconds float64) {
	u, err := url.Parse(r.URL)
	if err != nil || milliseconds <= 0 {
		return
	}
	date, err := http.ParseTime(r.ResponseHeaders["date"])
	if err != nil {
		return
	}
	if age, err := strconv.Atoi(r.ResponseHeaders["age"]); err == nil && age > 0 {
		date = date.Add(time.Duration(age) * time.Second)
	}
	origin := u.Scheme + "://" + u.Host
	ahead := date.Sub(time.UnixMilli(int64(milliseconds)))
	before, known := c[origin]
	if known && r.Kind != "document" && before.Abs() <= ahead.Abs() {
		return
	}
	if len(c) >= maxClocks {
		clear(c)
	}
	c[origin] = ahead
}

// ClockAhead returns how far the clock of an origin is ahead of this computer's, and whether one of its responses has
// said so.
func (l *Log) ClockAhead(origin string) (time.Duration, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	ahead, known := l.clocks[origin]
	return ahead, known
}
