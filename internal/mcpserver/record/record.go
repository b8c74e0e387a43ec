// Package record collects what the journal and the live view get of a step.
package record

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

// Step is what is known of one step of a call. It belongs to the goroutine that runs the tool.
type Step struct {
	// Tab is the page that the step is about; nil for none.
	Tab *page.Tab
	// Before is the last picture of the page before the step. Number is the step's among those that act on the page.
	Before picture.Moment
	Number int
	// Reads says that the tool changes nothing.
	Reads bool

	redact *redaction.Redactor
	begun  time.Time
	args   json.RawMessage
	// showTyped says that the journal may hold what the step has typed.
	showTyped bool
	// element is what the step is about, onto where it is dragged to, as the agent's last snapshot showed them.
	element, onto *step.Element
	// details are what the step adds to its arguments.
	details map[string]string
	// count is how many things the step was about, secrets how many secrets it typed.
	count, secrets int
}

// Begin begins the record of a step with these arguments.
func Begin(args json.RawMessage, r *redaction.Redactor) *Step {
	return &Step{begun: time.Now(), args: args, redact: r}
}

// AllowTyped says whether the journal may hold the text that the step has typed. Without it the journal does not.
func (s *Step) AllowTyped(allow bool) { s.showTyped = allow }

// SetCount says how many things the step was about: elements of a page, fields, requests.
func (s *Step) SetCount(n int) { s.count = n }

// SetDetail adds what the step has found out to its arguments in the journal.
func (s *Step) SetDetail(name, value string) {
	if s.details == nil {
		s.details = map[string]string{}
	}
	s.details[name] = value
}

// SetElement says which element the step was about, where its arguments name none.
func (s *Step) SetElement(role, name string) {
	s.element = step.Clean(step.Element{Role: role, Name: s.redact.Words(name, step.MaxName)})
}

// AddSecret says that the step has typed one more secret.
func (s *Step) AddSecret() { s.secrets++ }

// Element is the element that the step is about; nil for none.
func (s *Step) Element() *step.Element { return s.element }

// Describe adds to the facts of a step what it was about.
func (s *Step) Describe(f *step.Facts) {
	f.Element, f.Onto, f.Count, f.Secrets = s.element, s.onto, s.count, s.secrets
}

// Bounds of a step's arguments in the journal: of each text, and of all.
const (
	MaxArgument  = 2000
	maxArguments = 16 << 10
)

// typedNames are the arguments that may hold a password.
func typedNames() []string { return []string{"value", "options", "text", "promptText"} }

// Entry returns the journal's entry for a step that has ended. types says that the tool's arguments may hold a
// password.
func (s *Step) Entry(tool string, types bool, err error) journal.Entry {
	e := journal.Entry{
		Time:     s.begun.UTC(),
		Name:     tool,
		Args:     s.Arguments(types),
		Outcome:  journal.OK,
		Duration: time.Since(s.begun),
		Element:  s.element, Onto: s.onto, Count: s.count, Secrets: s.secrets,
	}
	if s.Tab != nil {
		e.Page = wording.Shorten(s.redact.PageURL(s.Tab), MaxArgument)
	}
	e.Outcome, e.Error, e.Brief = Outcome(s.redact, err)
	return e
}

// Outcome returns how a step ended, why in a sentence, and why in a few words where those are known.
func Outcome(r *redaction.Redactor, err error) (outcome, reason, brief string) {
	if err == nil {
		return journal.OK, "", ""
	}
	f := fault.From(err)
	outcome = journal.Failed
	if f.Kind == fault.Denied || f.Code == fault.CodeTabOwned {
		outcome = journal.Refused
	}
	said := func(text string) string { return wording.Shorten(r.Text(text), MaxArgument) }
	return outcome, said(f.Text), said(f.Brief)
}

// Locate records the elements that the step names. It comes before the step acts: afterwards they may be gone.
func (s *Step) Locate() {
	var in struct {
		UID  string `json:"uid"`
		From string `json:"from_uid"`
		To   string `json:"to_uid"`
	}
	if s.Tab == nil || json.Unmarshal(s.args, &in) != nil {
		return
	}
	s.element, s.onto = s.find(cmp.Or(in.UID, in.From)), s.find(in.To)
}

func (s *Step) find(uid string) *step.Element {
	if uid == "" {
		return nil
	}
	e, err := s.Tab.Frames.Locate(uid)
	if err != nil {
		return nil // the tool says what is wrong
	}
	return step.Clean(step.Element{Role: e.Role, Name: s.redact.Words(e.Name, step.MaxName)})
}

// Arguments returns the arguments without what nobody may read later. types says that they may hold a password.
func (s *Step) Arguments(types bool) json.RawMessage {
	var args any
	if json.Unmarshal(s.args, &args) != nil {
		return nil
	}
	args = s.clean(types, "", args)
	if all, ok := args.(map[string]any); ok {
		for name, detail := range s.details {
			all[name] = wording.Shorten(s.redact.Text(detail), MaxArgument)
		}
	}
	raw, err := json.Marshal(args)
	if err != nil || len(raw) > maxArguments {
		return json.RawMessage(`{"…":"too long to be kept"}`)
	}
	return raw
}

func (s *Step) clean(types bool, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			if sensitive.Name(k) != sensitive.None {
				v[k] = lengthOf(one)
				continue
			}
			v[k] = s.clean(types, k, one)
		}
	case []any:
		for i, one := range v {
			v[i] = s.clean(types, key, one)
		}
	case string:
		switch {
		case types && !s.showTyped && slices.Contains(typedNames(), key) && !secret.IsMark(v):
			return redact.Mark
		case key == "extraHttpHeaders":
			return redact.Mark
		case key == "url":
			v = redact.URL(v)
		}
		return wording.Shorten(s.redact.Text(v), MaxArgument)
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

// Screenshot returns the entry for the picture after a step, which was captured later.
func Screenshot(of journal.Entry, taken picture.Moment) journal.Entry {
	return journal.Entry{
		Time: taken.At, Agent: of.Agent, Session: of.Session, Name: journal.Picture,
		Args: journal.PictureArgs(of), Page: taken.Page, Outcome: journal.OK, Screenshot: taken.Image,
	}
}

// CleanInput returns arguments that belong to no step, without what nobody may read later.
func CleanInput(args json.RawMessage, r *redaction.Redactor) json.RawMessage {
	return (&Step{args: args, redact: r}).Arguments(false)
}
