package mcpserver

import (
	"encoding/json"
	"strconv"

	"cove/internal/mcpserver/activity"
	"cove/internal/mcpserver/record"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/step"
	"cove/internal/wording"
)

// shownCall is a call as the live view shows it: in words that a person knows, from its beginning to its end.
type shownCall struct {
	log    *activity.Log
	call   *Call
	tool   Tool
	record *record.Step // the call itself: the record of a composite call is that of its steps
	n      int
}

// maxError is how many characters of an error the live view shows.
const maxError = 300

// showCall shows a call that begins.
func (s *Server) showCall(c *client, call *Call, t Tool, r toolRequest) *shownCall {
	v := &shownCall{log: s.activity, call: call, tool: t, record: record.Begin(r.arguments, call.Redact)}
	v.n = s.activity.Begin(c, r.name, activity.Action{
		Tool: t.Name, Session: call.admission.Session(), About: summarize(r.arguments),
		Words: v.words(step.Going, "", ""),
	})
	if !t.Composite {
		call.describe = v.update
	}
	call.touched = v.touch
	return v
}

// words returns the call in words.
func (v *shownCall) words(outcome, reason, brief string) step.Words {
	about := v.record
	if !v.tool.Composite {
		about = v.call.Record
	}
	facts := step.Facts{
		Name: v.tool.Name, Args: v.record.Arguments(v.tool.Types), Outcome: outcome, Reason: reason, Brief: brief,
	}
	about.Describe(&facts)
	return step.Of(facts)
}

// update shows what the call is about, now that its page is known.
func (v *shownCall) update() {
	words, element, tab := v.words(step.Going, "", ""), v.call.Record.Element(), v.call.Record.Tab
	v.log.Update(v.n, func(a *activity.Action) { a.Words, a.Element, a.Tab = words, element, tab.ID() })
}

// touch shows what the call touches.
func (v *shownCall) touch(t page.Touch) {
	v.log.Update(v.n, func(a *activity.Action) {
		next := &activity.Touch{N: 1, Tab: t.Tab,
			Box: activity.Box{Point: activity.Point{X: t.Box.X, Y: t.Box.Y}, W: t.Box.Width, H: t.Box.Height}}
		if a.Touch != nil {
			next.N = a.Touch.N + 1
		}
		if t.HasPointer {
			next.Pointer = &activity.Point{X: t.X, Y: t.Y}
		}
		a.Touch = next
	})
}

// end shows how the call ended.
func (v *shownCall) end(err error) {
	outcome, reason, brief := record.Outcome(v.call.Redact, err)
	words, tab := v.words(outcome, reason, brief), v.call.Pages.SelectedID()
	v.log.End(v.n, func(a *activity.Action) {
		a.Words, a.Element, a.Tab = words, v.call.Record.Element(), tab
		a.Outcome, a.Error = outcome, v.call.Redact.Words(reason, maxError)
	})
}

// summarize says in a few words what a call is about: addresses, elements and keys, never what is typed.
func summarize(raw json.RawMessage) string {
	var in struct {
		URL      string            `json:"url"`
		Type     string            `json:"type"`
		UID      string            `json:"uid"`
		Key      string            `json:"key"`
		Query    string            `json:"query"`
		Elements []json.RawMessage `json:"elements"`
	}
	_ = json.Unmarshal(raw, &in)

	switch {
	case in.URL != "":
		return redaction.URLText(in.URL)
	case len(in.Elements) == 1:
		return "1 field"
	case len(in.Elements) > 1:
		return strconv.Itoa(len(in.Elements)) + " fields"
	case in.UID != "":
		return "element " + wording.Shorten(in.UID, 40)
	case in.Key != "" && len(in.Key) > 1: // a single character may be part of what is typed
		return wording.Shorten(in.Key, 40)
	case in.Query != "":
		return wording.Shorten(in.Query, 60)
	}
	return wording.Shorten(in.Type, 40)
}
