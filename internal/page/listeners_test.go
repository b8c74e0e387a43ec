package page

import (
	"testing"
	"time"
)

func TestListenersAreAskedForWhenTheyMayHaveChanged(t *testing.T) {
	start := time.Now()
	h := hearing{first: start, last: start.Add(youth), shape: 7}
	for _, c := range []struct {
		what  string
		after time.Duration
		shape int64
		rests bool
		due   bool
	}{
		{what: "a young page", after: youth - 1, shape: 7, due: true},
		{what: "an older page that is as it was", after: 2 * youth, shape: 7},
		{what: "an element was added", after: 2 * youth, shape: 8, due: true},
		{what: "asked long ago", after: youth + longestHeard + 1, shape: 7, due: true},
		{what: "the last answer took long", after: 2 * youth, shape: 8, rests: true},
	} {
		h.rest = time.Time{}
		if c.rests {
			h.rest = start.Add(time.Hour)
		}
		if got := h.due(start.Add(c.after), c.shape); got != c.due {
			t.Errorf("%s: due %v, want %v", c.what, got, c.due)
		}
	}
}
