package keeper

import (
	"encoding/json"

	"cove/internal/journal"
	"cove/internal/policy"
	"cove/internal/session"
)

// openJournal opens the journal of a profile that is open for agents, and returns a function that closes it. What a
// person does in an ordinary browser is not recorded.
func (k *keeper) openJournal() (end func()) {
	if k.spec.Requested.Mode == session.Ordinary {
		k.journal = journal.Discard{}
		return func() {}
	}
	j := journal.Open(k.spec.Journal, k.spec.Bounds, k.spec.Version, k.log)
	k.journal = j
	k.enforcer.OnEvent(func(e policy.Event) {
		entry := k.newEvent(e.Name, e.Args)
		entry.Page, entry.Session = e.Page, e.Session
		k.journal.Record(entry)
	})
	return j.Close
}

// newEvent returns the entry of something that the keeper did itself, or that a person did through it.
func (k *keeper) newEvent(name string, args any) journal.Entry {
	e := journal.Entry{
		Agent: policy.Agent{Kind: journal.Keeper, Name: "cove", Version: k.spec.Version},
		Name:  name, Outcome: journal.OK,
	}
	if args != nil {
		e.Args, _ = json.Marshal(args)
		if k.agents != nil { // a person's note may hold a secret
			e.Args = json.RawMessage(k.agents.server.RedactText(string(e.Args)))
		}
	}
	return e
}

// recordEvent writes into the journal what the keeper did itself.
func (k *keeper) recordEvent(name string, args any, failed error) {
	e := k.newEvent(name, args)
	if failed != nil {
		e.Outcome, e.Error = journal.Failed, failed.Error()
	}
	k.journal.Record(e)
}
