package dom

import (
	"testing"
	"time"
)

func TestListenersAreAskedForWhenTheyMayHaveChanged(t *testing.T) {
	start := time.Now()
	for _, c := range []struct {
		what  string
		last  time.Duration
		after time.Duration
		shape int64
		rests bool
		due   bool
	}{
		{what: "asked when the page was young, and its scripts came later", last: youth - 1, after: 3 * youth, shape: 7,
			due: true},
		{what: "asked when it was older, and it is as it was", last: youth, after: 3 * youth, shape: 7},
		{what: "an element was added", last: youth, after: 2 * youth, shape: 8, due: true},
		{what: "asked long ago", last: youth, after: youth + maxListenerAge + 1, shape: 7, due: true},
		{what: "the last answer took long", last: youth, after: 2 * youth, shape: 8, rests: true},
	} {
		h := listeners{first: start, last: start.Add(c.last), shape: 7}
		if c.rests {
			h.rest = start.Add(time.Hour)
		}
		if got := h.due(start.Add(c.after), c.shape); got != c.due {
			t.Errorf("%s: due %v, want %v", c.what, got, c.due)
		}
	}
}
