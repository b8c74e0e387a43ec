package policy

import (
	"cove/internal/fault"
	"cove/internal/policy/owner"
	"cove/internal/wording"
)

// Tabs knows which agent each tab belongs to.
func (e *Enforcer) Tabs() *owner.Table { return e.tabs }

// AdmitAs is Admit for an agent whose tabs stay its own when this admission ends.
func (e *Enforcer) AdmitAs(a Agent, o *owner.Owner) (*Admission, error) {
	s, err := e.admit(a, o)
	if err == nil {
		o.Rename(a.Name, a.PID)
	}
	return s, err
}

// Owner is the agent as an owner of tabs.
func (a *Admission) Owner() *owner.Owner { return a.owner }

// TabTaken writes down that an agent has taken a tab from another one. page is the tab's address.
func (a *Admission) TabTaken(page, from string) {
	e := a.enforcer
	e.mu.Lock()
	defer e.mu.Unlock()
	e.emit(Event{Name: "tab_owner", Page: page, Session: a.session,
		Args: map[string]string{"agent": a.agent.String(), "from": from}})
}

// TabOwned is the answer to a step in a page that belongs to another agent. page names it, as the beginning of a
// sentence.
func TabOwned(page, name, hint string) *fault.Error {
	name = wording.Shorten(name, maxOwnerName)
	return fault.New(fault.CodeTabOwned, page+" is "+name+"'s. Nothing was done.", hint).
		WithBrief("the page is " + name + "’s")
}

// maxOwnerName is how much of an agent's name others read.
const maxOwnerName = 60
