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
	k.enforcer.OnEvent(func(e policy.Event) { k.recordEvent(e.Page, e.Name, e.Args, nil) })
	return j.Close
}

// recordEvent writes into the journal what the keeper did itself, or what a person did through it. page may be "".
func (k *keeper) recordEvent(page, name string, args any, failed error) {
	e := journal.Entry{
		Agent: policy.Agent{Kind: journal.Keeper, Name: "cove", Version: k.spec.Version},
		Name:  name, Page: page, Outcome: journal.OK,
	}
	if args != nil {
		e.Args, _ = json.Marshal(args)
	}
	if failed != nil {
		e.Outcome, e.Error = journal.Failed, failed.Error()
	}
	k.journal.Record(e)
}
