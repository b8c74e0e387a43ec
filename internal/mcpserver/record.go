package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver/thumbnail"
	"cove/internal/page"
	"cove/internal/redact"
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
}

// Bounds of a call's arguments in the journal.
const (
	maxArgument  = 2000
	maxArguments = 16 << 10
)

// typedNames are the arguments that may hold a password.
func typedNames() []string { return []string{"value", "text", "promptText"} }

// entry returns the journal's entry for a call that has ended. types says that the tool's arguments may hold a
// password.
func (r *callRecord) entry(tool string, types bool, filter *Redactor, err error) journal.Entry {
	e := journal.Entry{
		Time:     r.begun.UTC(),
		Name:     tool,
		Args:     r.cleanArguments(types, filter),
		Outcome:  journal.OK,
		Duration: time.Since(r.begun),
	}
	if r.tab != nil {
		e.Page = wording.Shorten(filter.pageURL(r.tab), maxArgument)
	}
	if err != nil {
		f := fault.From(err)
		e.Outcome, e.Error = journal.Failed, wording.Shorten(filter.Text(f.Text), maxArgument)
		if f.Kind == fault.Denied {
			e.Outcome = journal.Refused
		}
	}
	return e
}

// cleanArguments returns the arguments without what nobody may read later.
func (r *callRecord) cleanArguments(types bool, filter *Redactor) json.RawMessage {
	var args any
	if json.Unmarshal(r.args, &args) != nil {
		return nil
	}
	raw, err := json.Marshal(r.clean(types, filter, "", args))
	if err != nil || len(raw) > maxArguments {
		return json.RawMessage(`{"…":"too long to be kept"}`)
	}
	return raw
}

func (r *callRecord) clean(types bool, filter *Redactor, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			v[k] = r.clean(types, filter, k, one)
		}
	case []any:
		for i, one := range v {
			v[i] = r.clean(types, filter, key, one)
		}
	case string:
		switch {
		case types && !r.showTyped && slices.Contains(typedNames(), key) && !isSecretMark(v):
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

// isSecretMark reports whether a text is only the name of a secret.
func isSecretMark(text string) bool {
	return strings.HasPrefix(text, "{{secret:") && strings.HasSuffix(text, "}}") && strings.Count(text, "{{") == 1
}

// thumbnailName is the name of the entry that has the image after a step. Its arguments say after which.
const thumbnailName = "picture"

// thumbnailEntry returns the entry for the image after a step, which was captured later; nil when there is no image.
func thumbnailEntry(of journal.Entry, tab *page.Tab, filter *Redactor) *journal.Entry {
	image := thumbnail.Capture(tab)
	if image == nil {
		return nil
	}
	args, _ := json.Marshal(map[string]any{"of": of.Name, "began": of.Time})
	return &journal.Entry{Time: time.Now().UTC(), Agent: of.Agent, Name: thumbnailName, Args: args,
		Page: filter.pageURL(tab), Outcome: journal.OK, Screenshot: image}
}
