package mcpserver

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver/picture"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/redact"
	"cove/internal/secret"
	"cove/internal/sensitive"
	"cove/internal/step"
	"cove/internal/wording"
)

// callRecord is what the journal gets of a call.
type callRecord struct {
	begun time.Time
	args  json.RawMessage
	// tab is the page that the call is about; nil for none.
	tab *page.Tab
	// showTyped says that the journal may hold what the call has typed.
	showTyped bool
	// before is the last picture of the page before the call. number is the call's among those that act on the page.
	before picture.Moment
	number int
	reads  bool // the tool changes nothing
	// element is what the call is about, onto where it is dragged to, as the agent's last snapshot showed them.
	element, onto *step.Element
	// details are what the call adds to its arguments.
	details map[string]string
	// count is how many things the call was about, secrets how many secrets it typed.
	count, secrets int
}

// Bounds of a call's arguments in the journal.
const (
	maxArgument  = 2000
	maxArguments = 16 << 10
)

// typedNames are the arguments that may hold a password.
func typedNames() []string { return []string{"value", "options", "text", "promptText"} }

// entry returns the journal's entry for a call that has ended. types says that the tool's arguments may hold a
// password.
func (r *callRecord) entry(tool string, types bool, filter *redaction.Redactor, err error) journal.Entry {
	e := journal.Entry{
		Time:     r.begun.UTC(),
		Name:     tool,
		Args:     r.cleanArguments(types, filter),
		Outcome:  journal.OK,
		Duration: time.Since(r.begun),
		Element:  r.element, Onto: r.onto, Count: r.count, Secrets: r.secrets,
	}
	if r.tab != nil {
		e.Page = wording.Shorten(filter.PageURL(r.tab), maxArgument)
	}
	e.Outcome, e.Error, e.Brief = outcomeOf(filter, err)
	return e
}

// outcomeOf returns how a call ended, why in a sentence, and why in a few words where those are known.
func outcomeOf(filter *redaction.Redactor, err error) (outcome, reason, brief string) {
	if err == nil {
		return journal.OK, "", ""
	}
	f := fault.From(err)
	outcome = journal.Failed
	if f.Kind == fault.Denied || isTabOwned(err) {
		outcome = journal.Refused
	}
	said := func(text string) string { return wording.Shorten(filter.Text(text), maxArgument) }
	return outcome, said(f.Text), said(f.Brief)
}

// locate records the elements that a call names. It comes before the call acts: afterwards they may be gone.
func (r *callRecord) locate(filter *redaction.Redactor) {
	var in struct {
		UID  string `json:"uid"`
		From string `json:"from_uid"`
		To   string `json:"to_uid"`
	}
	if r.tab == nil || json.Unmarshal(r.args, &in) != nil {
		return
	}
	r.element, r.onto = r.find(filter, cmp.Or(in.UID, in.From)), r.find(filter, in.To)
}

func (r *callRecord) find(filter *redaction.Redactor, uid string) *step.Element {
	if uid == "" {
		return nil
	}
	e, err := r.tab.Frames.Locate(uid)
	if err != nil {
		return nil // the tool says what is wrong
	}
	return step.Clean(step.Element{Role: e.Role, Name: filter.Words(e.Name, step.MaxName)})
}

// cleanArguments returns the arguments without what nobody may read later.
func (r *callRecord) cleanArguments(types bool, filter *redaction.Redactor) json.RawMessage {
	var args any
	if json.Unmarshal(r.args, &args) != nil {
		return nil
	}
	args = r.clean(types, filter, "", args)
	if all, ok := args.(map[string]any); ok {
		for name, detail := range r.details {
			all[name] = wording.Shorten(filter.Text(detail), maxArgument)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil || len(raw) > maxArguments {
		return json.RawMessage(`{"…":"too long to be kept"}`)
	}
	return raw
}

func (r *callRecord) clean(types bool, filter *redaction.Redactor, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			if sensitive.Name(k) != sensitive.None {
				v[k] = lengthOf(one)
				continue
			}
			v[k] = r.clean(types, filter, k, one)
		}
	case []any:
		for i, one := range v {
			v[i] = r.clean(types, filter, key, one)
		}
	case string:
		switch {
		case types && !r.showTyped && slices.Contains(typedNames(), key) && !secret.IsMark(v):
			return redact.Mark
		case key == "extraHttpHeaders":
			return redact.Mark
		case key == "url":
			v = redact.URL(v)
		}
		return wording.Shorten(filter.Text(v), maxArgument)
	}
	return value
}

// lengthOf stands for the value of a field that is named like one for a password.
func lengthOf(value any) any {
	text, isText := value.(string)
	if !isText {
		raw, _ := json.Marshal(value)
		text = string(raw)
	}
	return map[string]int{"letters": len([]rune(text))}
}

// screenshotEntry returns the entry for the picture after a step, which was captured later.
func screenshotEntry(of journal.Entry, taken picture.Moment) journal.Entry {
	return journal.Entry{
		Time: taken.At, Agent: of.Agent, Session: of.Session, Name: journal.Picture,
		Args: journal.PictureArgs(of), Page: taken.Page, Outcome: journal.OK, Screenshot: taken.Image,
	}
}
