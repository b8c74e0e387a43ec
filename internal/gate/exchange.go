package gate

import (
	"encoding/json"
	"time"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/fault"
	"cove/internal/gate/audit"
	"cove/internal/gate/method"
	"cove/internal/gate/redaction"
	"cove/internal/gate/summary"
	"cove/internal/journal"
	"cove/internal/policy"
	"cove/internal/policy/owner"
	"cove/internal/wording"
)

// codeRefused is the error code of a command that the policy does not allow, or not now.
const codeRefused = -32000

// exchange follows one command: it records in the journal how the command ended, and redacts the browser's answer. It
// is the mux.Exchange of the command. A nil exchange records nothing.
type exchange struct {
	filter  *filter
	audit   *audit.Log
	method  string
	session string
	root    string // the program's own session
	// strict says that the page may be closed to the program by the time of the answer.
	strict    bool
	redaction redaction.Rule
	opener    *owner.Owner // owns the tab that the command opens; nil for a command that opens none
	calls     bool         // the command calls a page's tool

	unrecorded bool // the entry is still to be recorded
	entry      journal.Entry
}

// newEntry begins the journal's entry for a command.
func newEntry(c *command) journal.Entry {
	page := c.extension()
	if page == "" {
		page = c.target().URL
	}

	return journal.Entry{Time: time.Now(), Name: c.method, Args: summary.Of(c.raw), Page: page}
}

func (e *exchange) record(outcome, text string) {
	if e == nil || !e.unrecorded {
		return
	}
	e.unrecorded = false
	e.entry.Outcome, e.entry.Error, e.entry.Duration = outcome, text, time.Since(e.entry.Time)
	e.audit.Add(e.entry)
}

// recordDone records that the command was answered without the browser.
func (e *exchange) recordDone() { e.record("ok", "") }

// recordRefusal records that the command was not allowed.
func (e *exchange) recordRefusal(err error) {
	f := fault.From(err)
	if e != nil {
		e.entry.Brief = f.Brief
	}
	e.record("refused", f.Text)
}

// Dropped records that the browser will not answer.
func (e *exchange) Dropped() {
	e.record("error", "no answer came before the page or the program had gone")
}

// Reply records the browser's answer. It replaces the answer with an error if the page is closed to the program by now,
// or the person works in it, and redacts it otherwise.
func (e *exchange) Reply(msg cdp.Message, id int32) mux.Edit {
	if e.unrecorded {
		if text := errorText(msg); text == "" {
			e.record("ok", "")
		} else {
			e.record("error", text)
		}
	}
	if e.opener != nil {
		e.opener.Opened(openedTab(msg))
	}
	if e.calls {
		if id := invocationID(msg); id != "" {
			e.filter.calls.add(id)
		}
	}
	if !e.strict {
		return nil
	}

	rules := e.filter.config.Enforcer.Rules()
	if r, _ := method.Of(e.method); !r.Anywhere {
		t, _ := e.filter.mux.TargetOf(e.session)
		err := closedTo(rules, addressOf(e.filter.mux, t))
		enforcer := e.filter.config.Enforcer
		if err == nil && rules.BindsPrograms() && controlledTab(e.filter.mux, enforcer, e.session) != "" {
			err = policy.TabTakenMeanwhile()
		}
		if err != nil {
			session := msg.Session()
			if session == e.root {
				session = ""
			}
			return func([]byte) []byte { return encodeRefusal(id, session, err) }
		}
	}

	return e.redaction.Edit(rules, "result")
}

// openedTab returns the tab that the browser has opened, from its answer; "" for none.
func openedTab(msg cdp.Message) string {
	var r struct {
		Result struct {
			TargetID string `json:"targetId"`
		} `json:"result"`
	}
	_ = json.Unmarshal(msg.Raw(), &r)

	return r.Result.TargetID
}

// errorText returns the error of an answer, or "" if the answer has a result.
func errorText(msg cdp.Message) string {
	if !msg.Failed() {
		return ""
	}

	var r struct {
		Error cdp.Error `json:"error"`
	}
	if json.Unmarshal(msg.Raw(), &r) != nil || r.Error.Message == "" {
		return "error"
	}

	return wording.Shorten(r.Error.Message, summary.MaxText)
}

// encodeRefusal returns the gate's answer in place of the browser's.
func encodeRefusal(id int32, session string, err error) []byte {
	raw, _ := json.Marshal(struct {
		ID      int32     `json:"id"`
		Error   cdp.Error `json:"error"`
		Session string    `json:"sessionId,omitempty"`
	}{id, cdp.Error{Code: codeRefused, Message: fault.From(err).Sentence()}, session})

	return raw
}
