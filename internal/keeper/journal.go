package keeper

import (
	"encoding/json"

	"cove/internal/journal"
	"cove/internal/policy"
	"cove/internal/session"
)

// keepJournal opens the journal of a profile for agents; the answer closes it. A person's own browsing is nobody's business.
func (k *keeper) keepJournal() func() {
	if k.Want.Mode != session.Automation {
		k.journal = journal.Nothing{}
		return func() {}
	}
	j := journal.Open(k.Journal, k.Bounds, k.Version, k.log)
	k.journal = j
	k.enforcer.OnEvent(func(d policy.Event) { k.noteOn(d.Page, d.Name, d.Args, nil) })
	return j.Close
}

// note writes what the keeper itself has done into the journal.
func (k *keeper) note(name string, args any, failed error) { k.noteOn("", name, args, failed) }

// noteOn is the same of what a person has done through it, about a page.
func (k *keeper) noteOn(page, name string, args any, failed error) {
	e := journal.Entry{Agent: policy.Agent{Kind: journal.Keeper, Name: "cove", Version: k.Version}, Name: name, Page: page, Outcome: journal.OK}
	if args != nil {
		e.Args, _ = json.Marshal(args)
	}
	if failed != nil {
		e.Outcome, e.Error = journal.Failed, failed.Error()
	}
	k.journal.Record(e)
}
