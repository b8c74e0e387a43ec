package keeper

import (
	"encoding/json"
	"log/slog"

	"cove/internal/journal"
	"cove/internal/keeperclient"
	"cove/internal/policy"
	"cove/internal/redact"
	"cove/internal/session"
)

// recorder writes into the journal what the keeper does itself, and what a person does through it. Agents' steps are
// written by the tools and by the gate, into the same journal.
//
// Run opens the journal before the browser is launched, and closes it when everything else has ended. In between any
// goroutine may write.
type recorder struct {
	journal journal.Recorder
	version string                   // of Cove
	redact  func(text string) string // replaces secrets: a person's note may hold one
}

// newRecorder makes a recorder that forgets everything, until it opens a journal.
func newRecorder(version string) *recorder {
	return &recorder{journal: journal.Discard{}, version: version, redact: func(text string) string { return text }}
}

// open opens the journal of a profile that is open for agents, and returns a function that closes it. What a person
// does in an ordinary browser is not recorded.
func (r *recorder) open(spec keeperclient.Spec, enforcer *policy.Enforcer, log *slog.Logger) (end func()) {
	if spec.Requested.Mode == session.Ordinary {
		return func() {}
	}
	j := journal.Open(spec.Journal, spec.Bounds, spec.Version, log)
	r.journal = j
	enforcer.OnEvent(func(e policy.Event) {
		entry := r.newEntry(e.Name, e.Args)
		entry.Page, entry.Session = e.Page, e.Session
		r.journal.Record(entry)
	})
	return j.Close
}

// discard forgets what comes from now on: the browser turned out to be a person's.
func (r *recorder) discard() { r.journal = journal.Discard{} }

// newEntry returns the entry of an event, without the site and the outcome that its caller may add.
func (r *recorder) newEntry(name string, args any) journal.Entry {
	e := journal.Entry{
		Agent: policy.Agent{Kind: journal.Keeper, Name: "cove", Version: r.version},
		Name:  name, Outcome: journal.OK,
	}
	if args != nil {
		e.Args, _ = json.Marshal(args)
		e.Args = json.RawMessage(r.redact(string(e.Args)))
	}
	return e
}

// event writes an event and its outcome.
func (r *recorder) event(name string, args any, failed error) {
	e := r.newEntry(name, args)
	if failed != nil {
		e.Outcome, e.Error = journal.Failed, failed.Error()
	}
	r.journal.Record(e)
}

// pageEvent writes that a person has done something with the page of an address.
func (r *recorder) pageEvent(name, address string) {
	e := r.newEntry(name, nil)
	e.Page = r.redact(redact.URL(address))
	r.journal.Record(e)
}
