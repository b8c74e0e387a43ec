package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Outcomes are the possible outcomes of a step in a journal.
var Outcomes = []string{"ok", "error", "refused"}

// MaxJournal is the number of entries that one call can read.
const MaxJournal = 1000

// JournalKinds are the kinds of a step: one that changes a page, one that only looks, what the person did, and an event
// of the profile or of the journal.
var JournalKinds = []string{"act", "read", "person", "note"}

// JournalQuery selects entries of a journal. After and Before are numbers of entries. Agent is a part of the agent's
// name, version or process. Text holds words that all are in the entry. Newest returns the newest entry first. Steps
// leaves out the entries that only have the screenshot of a step: JournalEntry.After names it.
type JournalQuery struct {
	After, Before                       int64
	Since, Until                        time.Time
	Agent, Outcome, Session, Kind, Text string
	Limit                               int
	Newest, Steps                       bool
}

// Journal is a part of a journal. Each entry begins byte for byte as it was written: its hash is the SHA-256 of its
// bytes before `,"hash"`. What stands behind its seal was added for people. First and Last are the numbers of the
// journal's oldest and newest entries. More says that further entries match.
type Journal struct {
	Data  []json.RawMessage `json:"data"`
	First int64             `json:"first"`
	Last  int64             `json:"last"`
	More  bool              `json:"more"`
}

// RecordedEntry returns an entry of a Journal as it was written, without what was added for people.
func RecordedEntry(entry json.RawMessage) json.RawMessage {
	const mark, size = `","seal":"`, 32
	at := bytes.LastIndex(entry, []byte(mark))
	end := at + len(mark) + size + len(`"`)
	if at < 0 || end >= len(entry) || entry[end] != ',' {
		return entry
	}
	return append(entry[:end:end], '}')
}

// JournalSession is what one agent did between its connection and its leaving.
type JournalSession struct {
	Session string       `json:"session"`
	Agent   JournalAgent `json:"agent"`
	First   time.Time    `json:"first"`
	Last    time.Time    `json:"last"`
	// FirstSeq and LastSeq are the numbers of its first and last entry.
	FirstSeq int64 `json:"firstSeq"`
	LastSeq  int64 `json:"lastSeq"`
	// Steps is the number of its calls and commands: Acts of them changed something, Reads only looked.
	Steps   int `json:"steps"`
	Acts    int `json:"acts"`
	Reads   int `json:"reads"`
	Failed  int `json:"failed"`
	Refused int `json:"refused"`
	// Answers is how often the person decided about one of its steps.
	Answers int `json:"answers"`
}

// JournalSessions is the sessions of a journal, the one with the newest entry first.
type JournalSessions struct {
	Data []JournalSession `json:"data"`
}

// JournalEntry is one entry of a journal: one step of one agent.
type JournalEntry struct {
	Seq   int64        `json:"seq"`
	Time  time.Time    `json:"time"`
	Agent JournalAgent `json:"agent"`
	// Session is the agent's session: its steps from its connection to its leaving.
	Session string `json:"session,omitempty"`
	// Name is the tool, the protocol's method, or the event.
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
	Page string          `json:"page,omitempty"`
	// Outcome is ok, error or refused. Reason is a sentence about it.
	Outcome string  `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	MS      float64 `json:"ms"`
	// Element is what the step was about, Onto where it was dragged to, as the tool saw them.
	Element *JournalElement `json:"element,omitempty"`
	Onto    *JournalElement `json:"onto,omitempty"`
	// Count is how many things the step was about, Secrets how many secrets it typed.
	Count   int `json:"count,omitempty"`
	Secrets int `json:"secrets,omitempty"`
	// Text is the step as a sentence, Summary the sentence without its reason. Kind is act, read, person or note.
	Text    string `json:"text"`
	Summary string `json:"summary"`
	Kind    string `json:"kind"`
	// Before is the name of a screenshot before the step, taken at BeforeTime; After that of one after it.
	Before     string     `json:"before,omitempty"`
	BeforeTime *time.Time `json:"beforeTime,omitempty"`
	After      string     `json:"after,omitempty"`
	// Picture is the name of the screenshot that an entry named picture is about.
	Picture string `json:"picture,omitempty"`
	Prev    string `json:"prev"`
	Hash    string `json:"hash"`
	Seal    string `json:"seal"`
}

// JournalElement is an element of a page as a tool saw it: its ARIA role, and its name in the page's words.
type JournalElement struct {
	Role string `json:"role"`
	Name string `json:"name,omitempty"`
}

// JournalAgent is the agent of a step. Its kind is mcp, cdp, or the keeper itself.
type JournalAgent struct {
	Kind    string `json:"kind"`
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	PID     int    `json:"pid,omitempty"`
}

// JournalReport is the result of verifying a journal.
type JournalReport struct {
	OK       bool       `json:"ok"`
	Entries  int64      `json:"entries"`
	Pictures int        `json:"pictures"`
	Since    *time.Time `json:"since,omitempty"`
	// Broken is the number of the first entry that a problem is about, 0 for none.
	Broken   int64    `json:"broken,omitempty"`
	Problems []string `json:"problems"`
}

// JournalCalls are the calls about the journal of one profile.
type JournalCalls struct {
	client *Client
	id     ProfileID
}

// Journal returns the calls about the journal of a profile.
func (c *Client) Journal(id ProfileID) JournalCalls { return JournalCalls{c, id} }

// Read reads entries of a profile's journal.
func (c JournalCalls) Read(ctx context.Context, q JournalQuery) (j Journal, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/journal?"+q.values().Encode()), nil, &j)
	return j, err
}

// Sessions returns the sessions of a profile's journal.
func (c JournalCalls) Sessions(ctx context.Context) ([]JournalSession, error) {
	var s JournalSessions
	err := c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/journal/sessions"), nil, &s)
	return s.Data, err
}

// Export returns a profile's journal as one HTML file that replays and verifies itself. Only the steps of a
// session are in it if one is given. pictures says whether the screenshots are.
func (c JournalCalls) Export(ctx context.Context, session string, pictures bool) ([]byte, error) {
	query := url.Values{}
	if session != "" {
		query.Set("session", session)
	}
	if !pictures {
		query.Set("pictures", "0")
	}
	var file []byte
	err := c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/journal/export?"+query.Encode()), nil, &file)
	return file, err
}

// Verify checks that a profile's journal was not changed.
func (c JournalCalls) Verify(ctx context.Context) (r JournalReport, err error) {
	err = c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/journal/verify"), nil, &r)
	return r, err
}
