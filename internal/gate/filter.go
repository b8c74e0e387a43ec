package gate

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/gate/redaction"
)

// filter removes from the browser's messages what the policy hides from a program. It is the mux.Filter of its
// connection.
type filter struct {
	config *Config
	mux    *mux.Mux
	calls  *invocations
}

// Event hides events of pages that are closed to programs or that the person works in, and redacts the others.
func (f *filter) Event(msg cdp.Message) mux.Edit {
	rules := f.config.Enforcer.Rules()
	if !rules.BindsPrograms() && !rules.HasSites() {
		return nil
	}

	method := msg.Method()
	if rules.BindsPrograms() && (f.hidesTarget(method, msg) || f.calls.hides(method, msg)) {
		return dropMessage
	}
	if !reportsProgress(method) {
		if t, _ := f.mux.TargetOf(msg.Session()); closedTo(rules, addressOf(f.mux, t)) != nil {
			f.acknowledge(method, msg)
			return dropMessage
		}
		if rules.BindsPrograms() && controlledTab(f.mux, f.config.Enforcer, msg.Session()) != "" {
			f.acknowledge(method, msg)
			f.letGo(method, msg)
			return dropMessage
		}
	}

	return redaction.OfEvent(method).Edit(rules, "params")
}

func dropMessage([]byte) []byte { return nil }

// Rewrite redacts the person's secrets.
func (f *filter) Rewrite(raw []byte) []byte { return f.config.redactSecrets(raw) }

// reportsProgress reports whether an event only says how a page loads or where it navigates. A client needs such events
// even from a page that is closed to it.
func reportsProgress(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	switch domain {
	case "Target", "Inspector":
		return true
	case "Page":
		switch name {
		case "lifecycleEvent", "loadEventFired", "domContentEventFired", "navigatedWithinDocument":
			return true
		}
		return strings.HasPrefix(name, "frame")
	case "Runtime":
		return strings.HasPrefix(name, "executionContext")
	case "Network":
		return strings.HasPrefix(name, "request") || strings.HasPrefix(name, "response") ||
			strings.HasPrefix(name, "loading")
	}

	return method == "DOM.documentUpdated"
}

// acknowledge confirms a screencast frame that is hidden from the program. Without that, the browser would send no
// further frames, and the page may be open to the program again by then.
func (f *filter) acknowledge(method string, msg cdp.Message) {
	if method != "Page.screencastFrame" {
		return
	}
	var e struct {
		Params struct {
			Number int `json:"sessionId"`
		} `json:"params"`
	}
	if json.Unmarshal(msg.Raw(), &e) == nil {
		_ = f.mux.Post(msg.Session(), "Page.screencastFrameAck", map[string]int{"sessionId": e.Params.Number})
	}
}
