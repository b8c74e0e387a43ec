package scope

import (
	"strings"

	"cove/internal/random"
)

// kind says what a session is of.
type kind int

const (
	ofBrowser kind = iota
	ofPage         // of a page, or of a frame or worker below it
	ofStrip        // of a target "tab" that stands for a page; the browser does not know it
)

// session is a session of a client.
type session struct {
	kind   kind
	parent string // on which it was announced
	tab    string // the page; "" for the browser
	target string // what the session is of
	// discover is the filter of Target.setDiscoverTargets; nil while it is off.
	discover filter
	// attach is the filter of Target.setAutoAttach; nil while it is off. Only for sessions of which the browser does
	// not attach itself.
	attach filter
	waits  bool // new tabs wait for it
	// waiting says that its tab waits for Runtime.runIfWaitingForDebugger.
	waiting bool
	// downloads says that it asked for events of downloads.
	downloads bool
	// contexts are the script contexts that its client has been told of, hidden those that it has not, because they
	// are closed to agents. nil until there are any.
	contexts, hidden map[string]bool
	// scripts says that the browser tells it of contexts.
	scripts bool
	// paused are the requests that wait for its client.
	paused map[string]bool
	// requests are those of the page that it has heard of, or would have.
	requests requests
	// locating says that the browser is asked where a node is that a command names; behind are the commands after it.
	locating bool
	behind   []command
}

// filter selects targets by their types, as the protocol does: the first entry that fits decides.
type filter []struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

// usual is the filter that the browser uses where a client gives none.
var usual = filter{{Type: "browser", Exclude: true}, {Type: "tab", Exclude: true}, {}}

func (f filter) has(kind string) bool {
	for _, e := range f {
		if e.Type == "" || e.Type == kind {
			return !e.Exclude
		}
	}
	return false
}

// sessions are the sessions of clients, with the browser's own one, "". They also own the commands that the browser has
// not answered, and the sessions that it was asked for and has not made. The lock of the Browser guards all of it.
type sessions struct {
	out        *queue
	byID       map[string]*session
	expected   map[string][]expected // sessions that the browser was asked for, by announcer and tab
	unanswered unanswered
}

// expected is a session of a page that the browser was asked for and has not made.
type expected struct {
	announcer string // the session that shall be told
	waits     bool
	stale     bool // the tab was hidden since
}

func newSessions(out *queue) *sessions {
	return &sessions{out: out, byID: map[string]*session{"": {kind: ofBrowser}}, expected: map[string][]expected{},
		unanswered: unanswered{at: map[int32]string{}, edits: map[int32]func(any) any{}}}
}

// expect records that a session of a page was asked for on a session that the browser knows. announcer is the session
// that shall be told of it.
func (ss *sessions) expect(at, announcer string, t *tab, waits bool) {
	key := at + " " + t.ID
	ss.expected[key] = append(ss.expected[key], expected{announcer: announcer, waits: waits && t.fresh})
}

// arrived returns who is to be told of a new session: whoever asked first, or at for one that the client asked for.
func (ss *sessions) arrived(at, tab string) expected {
	key := at + " " + tab
	list := ss.expected[key]
	if len(list) == 0 {
		return expected{announcer: at}
	}
	if ss.expected[key] = list[1:]; len(list) == 1 {
		delete(ss.expected, key)
	}
	return list[0]
}

// expectNoMore marks the sessions of a page that the browser was asked for: when they come, nobody is told.
func (ss *sessions) expectNoMore(tab string) {
	for key, list := range ss.expected {
		if strings.HasSuffix(key, " "+tab) {
			for n := range list {
				list[n].stale = true
			}
		}
	}
}

// progressed looks whether every client is attached to a new tab, and those that want to see its beginning are ready.
func (ss *sessions) progressed(t *tab) {
	if t.ready == nil {
		return
	}
	for at, s := range ss.byID {
		if len(ss.expected[at+" "+t.ID]) > 0 {
			return
		}
		if s.tab == t.ID && s.waiting {
			return
		}
	}
	close(t.ready)
	t.ready = nil
}

// newStrip makes a session of the target "tab" that stands for a page.
func (ss *sessions) newStrip(at string, t *tab) string {
	id := strings.ToUpper(random.Hex(16))
	ss.byID[id] = &session{kind: ofStrip, parent: at, tab: t.ID, target: t.strip}
	return id
}

// real returns the session that the browser knows: it knows none of a target "tab".
func (ss *sessions) real(at string) string {
	for ss.byID[at] != nil && ss.byID[at].kind == ofStrip {
		at = ss.byID[at].parent
	}
	return at
}

// discovering returns the sessions that asked for targets of a type.
func (ss *sessions) discovering(kind string) (list []string) {
	for at, s := range ss.byID {
		if s.discover.has(kind) {
			list = append(list, at)
		}
	}
	return list
}

// tell tells all sessions that asked for targets of a type.
func (ss *sessions) tell(kind, method string, params object) (acts []func()) {
	for _, at := range ss.discovering(kind) {
		acts = append(acts, func() { ss.out.event(at, method, params) })
	}
	return acts
}

// forget forgets a session and those below it, and returns answers to their commands: the browser gives none.
func (ss *sessions) forget(id string) (answers [][]byte) {
	answers = ss.forgetOne(id)
	for below, s := range ss.byID {
		if s.parent == id && below != "" {
			answers = append(answers, ss.forget(below)...)
		}
	}
	return answers
}

// forgetOne is forget without the sessions below.
func (ss *sessions) forgetOne(id string) (answers [][]byte) {
	if s := ss.byID[id]; s != nil {
		for _, c := range s.behind {
			answers = append(answers, reply(c.id, c.at, nil, errHidden))
		}
		s.behind = nil
	}
	delete(ss.byID, id)
	return append(answers, ss.unanswered.end(id)...)
}

// forgetWorlds forgets the worlds that clients have made in a page or frame that may have moved to another process. The
// browser does not say that they have ended, and their numbers may stand for other worlds.
func (ss *sessions) forgetWorlds(target string) {
	for _, s := range ss.byID {
		if s.target == target && !s.scripts {
			s.contexts = nil
		}
	}
}

// unanswered are the commands of clients that the browser has not answered.
type unanswered struct {
	at    map[int32]string               // their sessions
	edits map[int32]func(result any) any // the changes of their answers, for those that have one
}

func (u unanswered) add(id int32, at string, edit func(result any) any) {
	u.at[id] = at
	if edit != nil {
		u.edits[id] = edit
	}
}

// of returns the session of a command and the change of its answer. waits is false for a command that does not wait.
func (u unanswered) of(id int32) (at string, edit func(result any) any, waits bool) {
	at, waits = u.at[id]
	return at, u.edits[id], waits
}

func (u unanswered) remove(id int32) {
	delete(u.at, id)
	delete(u.edits, id)
}

// end answers the commands on a session that has ended.
func (u unanswered) end(session string) (answers [][]byte) {
	for id, at := range u.at {
		if at == session {
			u.remove(id)
			answers = append(answers, reply(id, at, nil, errHidden))
		}
	}
	return answers
}
