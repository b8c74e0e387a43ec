package gate

import (
	"bytes"
	"encoding/json"
	"strings"

	"cove/internal/cdp"
	"cove/internal/cdp/mux"
	"cove/internal/fault"
	"cove/internal/gate/method"
	"cove/internal/policy"
	"cove/internal/wording"
)

// An extension can read the cookies of every site and send requests as any of them. It does so for whoever runs scripts
// in its worker or in its pages. Extensions are therefore out of reach of programs where the policy binds them. A tab
// can show a page of an extension first and another page later: programs are told of the tab, but the page is closed.

// errExtension returns the fault for a command that reaches for an extension.
func errExtension(address string) *fault.Error {
	return refused("Nothing was done with "+wording.Shorten(address, 200)+
		": an extension can do more than the profile's policy allows agents.",
		"Continue without it, or ask the user to change the agent permissions of this profile.")
}

// addressOf returns the address by which a target is judged. An empty page that an extension has opened has the rights
// of the extension.
func addressOf(m *mux.Mux, t mux.Target) string {
	if t.Opener != "" && strings.HasPrefix(t.URL, "about:") {
		if opener := m.Target(t.Opener); policy.IsExtension(opener.URL) {
			return opener.URL
		}
	}

	return t.URL
}

// isTab reports whether a target is a tab, which can show another page later.
func isTab(t mux.Target) bool { return t.Type == "page" || t.Type == "tab" }

// origins are the parameters that say whose data a command is about.
var origins = [...]string{"origin", "securityOrigin", "ownerOrigin", "storageKey", "storageId", "cacheId", "scopeURL"}

// checkExtension refuses a command for an extension, for its data or for one of its files. A tab that shows a page of
// an extension can be closed and brought to the front.
func (c *command) checkExtension() error {
	if address := c.textParam("url"); policy.IsExtension(address) {
		return c.rules.URL(address).Refusal(wording.Shorten(address, 200))
	}

	t := c.mux.Target(c.textParam("targetId"))
	leaves := isTab(t) && (c.method == "Target.closeTarget" || c.method == "Target.activateTarget")
	if address := addressOf(c.mux, t); policy.IsExtension(address) && !leaves {
		return errExtension(address)
	}

	for _, name := range origins {
		var value any
		if json.Unmarshal(c.params[name], &value) != nil {
			continue
		}
		// Written again, because a letter of the program's text can be an escape.
		text, err := json.Marshal(value)
		if err != nil || bytes.Contains(bytes.ToLower(text), []byte("chrome-extension:")) {
			return errExtension("chrome-extension:")
		}
	}

	return nil
}

// extension returns the address of the extension that a command attaches to or reads, or "".
func (c *command) extension() string {
	t := c.target()
	if c.method == "Target.attachToTarget" {
		var p struct {
			TargetID string `json:"targetId"`
		}
		_ = json.Unmarshal(c.raw, &p) // the browser refuses an id that is no text
		t = c.mux.Target(p.TargetID)
	} else if r, _ := method.Of(c.method); r.Anywhere {
		return ""
	}
	if address := addressOf(c.mux, t); policy.IsExtension(address) {
		return address
	}

	return ""
}

// hidesTarget reports whether an event is about a target of an extension. The browser attaches programs to such targets
// unasked and stops the targets meanwhile: hidesTarget resumes and detaches them.
func (f *filter) hidesTarget(method string, msg cdp.Message) bool {
	var e struct {
		Params struct {
			SessionID  string     `json:"sessionId"`
			TargetInfo mux.Target `json:"targetInfo"`
		} `json:"params"`
	}
	switch method {
	case "Target.targetCreated", "Target.targetInfoChanged", "Target.attachedToTarget", "Target.detachedFromTarget":
		if json.Unmarshal(msg.Raw(), &e) != nil {
			return true
		}
	default:
		return false
	}

	t, session := e.Params.TargetInfo, e.Params.SessionID
	if method == "Target.detachedFromTarget" {
		t, _ = f.mux.TargetOf(session)
	}
	if isTab(t) || !policy.IsExtension(t.URL) {
		return false
	}
	if method == "Target.attachedToTarget" {
		_ = f.mux.Post(session, "Runtime.runIfWaitingForDebugger", nil)
		_ = f.mux.Post(msg.Session(), "Target.detachFromTarget", map[string]string{"sessionId": session})
	}

	return true
}
