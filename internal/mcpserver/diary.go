package mcpserver

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/page"
)

// diary is what is written down of a call while it runs.
type diary struct {
	begun time.Time
	args  json.RawMessage
	// tab is the page that it is about; told tells that what it typed may be written down.
	tab  *page.Tab
	told bool
}

// began notes the beginning of a step.
func (c *call) began(raw json.RawMessage) {
	c.diary = diary{begun: time.Now(), args: raw}
}

// typedNames are the arguments that may hold a password.
var typedNames = []string{"value", "text", "promptText"}

// Bounds of what is kept of a call's arguments.
const (
	maxArgument  = 2000
	maxArguments = 16 << 10
)

// written are the arguments without what nobody should read later.
func (c *call) written(t tool) json.RawMessage {
	var args any
	if json.Unmarshal(c.diary.args, &args) != nil {
		return nil
	}
	raw, err := json.Marshal(c.clean(t, "", args))
	if err != nil || len(raw) > maxArguments {
		return json.RawMessage(`{"…":"too long to be kept"}`)
	}
	return raw
}

func (c *call) clean(t tool, key string, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for k, one := range v {
			v[k] = c.clean(t, k, one)
		}
	case []any:
		for i, one := range v {
			v[i] = c.clean(t, key, one)
		}
	case string:
		switch {
		case t.Types && !c.diary.told && slices.Contains(typedNames, key) && !isMark(v):
			return hidden
		case key == "extraHttpHeaders":
			return hidden
		case key == "url":
			v = RedactURL(v)
		}
		return clip(c.server.scrub(v), maxArgument)
	}
	return value
}

// page is where a step happened.
func (c *call) where() (*page.Tab, string) {
	t := c.diary.tab
	if t == nil {
		return nil, ""
	}
	return t, clip(c.server.scrub(RedactURL(t.About().URL)), maxArgument)
}

// ended writes a step down. The picture has an entry of its own: it is taken later, and no call waits for it.
func (c *call) ended(t tool, err error) {
	recorder := c.server.Journal
	if recorder == nil {
		return
	}
	if _, asks := err.(*question); asks { //nolint:errorlint // it is never wrapped
		return // the call comes again
	}
	tab, address := c.where()
	e := journal.Entry{Time: c.diary.begun.UTC(), Agent: c.seat.Agent(), Name: t.Name, Args: c.written(t), Page: address, Outcome: journal.OK, Took: time.Since(c.diary.begun)}
	if err != nil {
		f := fault.From(err)
		e.Outcome, e.Error = journal.Failed, clip(c.server.scrub(f.Text), maxArgument)
		if f.Kind == fault.Denied {
			e.Outcome = journal.Refused
		}
	}
	shows := !t.Reads && tab != nil && e.Outcome != journal.Refused && !c.server.Enforcer.Rules().NoPictures
	recorder.Record(e) // at once: it outlives a keeper that is killed now
	if !shows {
		return
	}
	of, _ := json.Marshal(map[string]any{"of": t.Name, "began": e.Time})
	c.server.photos.add(func() {
		if p := photo(tab); p != nil {
			recorder.Record(journal.Entry{Time: time.Now().UTC(), Agent: e.Agent, Name: pictureName, Args: of, Page: c.server.scrub(RedactURL(tab.About().URL)), Outcome: journal.OK, Picture: p})
		}
	})
}

// pictureName is the name of the entry that holds the picture after a step; its arguments say after which.
const pictureName = "picture"

// isMark: only the name of a secret stands there.
func isMark(text string) bool {
	return strings.HasPrefix(text, "{{secret:") && strings.HasSuffix(text, "}}") && strings.Count(text, "{{") == 1
}
