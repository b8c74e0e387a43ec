package external

import (
	"slices"
	"sync"

	"cove/internal/paths"
	"cove/internal/profile"
)

// Requester is what needs a connection to a person's browser: the sharing of a profile, or an import into it.
type Requester struct {
	Profile profile.ID
	Import  bool
}

// Questions are the browsers that Cove asks for a connection, or is about to ask. For each connection the person's
// browser opens a dialog, which does not say who asks. So one requester at a time may ask a browser. The zero value is
// ready, and safe for concurrent use.
type Questions struct {
	mu   sync.Mutex
	open []*question
}

type question struct {
	dataDir string
	by      Requester
	waiters int
}

// Reserve reserves the browser of a data folder until release is called. If the browser is reserved for another
// requester, Reserve returns that one as holder, and false. All who wait for the sharing of one profile have one
// reservation together.
func (q *Questions) Reserve(dataDir string, by Requester) (release func(), holder Requester, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	at := slices.IndexFunc(q.open, func(one *question) bool { return paths.Same(one.dataDir, dataDir) })
	if at < 0 {
		at = len(q.open)
		q.open = append(q.open, &question{dataDir: dataDir, by: by})
	}
	one := q.open[at]
	if one.waiters > 0 && (by.Import || one.by != by) {
		return nil, one.by, false
	}
	one.waiters++
	return sync.OnceFunc(func() { q.release(one) }), by, true
}

func (q *Questions) release(one *question) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if one.waiters--; one.waiters == 0 {
		q.open = slices.DeleteFunc(q.open, func(other *question) bool { return other == one })
	}
}
