package gate

import (
	"strings"

	"cove/internal/cdp/mux"
	"cove/internal/policy"
)

// redaction takes secrets out of one kind of message. The zero value changes nothing.
type redaction struct {
	// right is the right of a program that sees everything.
	right policy.Class
	// apply changes the parameters of an event or the result of a command. It returns false to drop the message.
	apply func(part map[string]any) bool
}

// Redactions, by what they change.
var (
	redactHeaders    = redaction{policy.Storage, func(part map[string]any) bool { headers(part); return true }}
	redactTree       = redaction{policy.Script, func(part map[string]any) bool { tree(part["root"], false); return true }}
	redactNode       = redaction{policy.Script, singleNode}
	redactAttributes = redaction{policy.Script,
		func(part map[string]any) bool { attributes(part["attributes"], true); return true }}
	redactSnapshot  = redaction{policy.Script, snapshot}
	redactNodes     = redaction{policy.Script, func(part map[string]any) bool { subtrees(part["nodes"]); return true }}
	redactInserted  = redaction{policy.Script, func(part map[string]any) bool { subtrees(part["node"]); return true }}
	redactRoot      = redaction{policy.Script, func(part map[string]any) bool { subtrees(part["root"]); return true }}
	redactAttribute = redaction{policy.Script, attributeModified}
	redactAll       = redaction{policy.Script, func(map[string]any) bool { return false }}
)

// eventRedaction returns the redaction of an event. An event of Network or Fetch that is not listed carries headers.
func eventRedaction(method string) redaction {
	switch method {
	case "Audits.issueAdded":
		return redactHeaders
	case "DOM.setChildNodes":
		return redactNodes
	case "DOM.childNodeInserted":
		return redactInserted
	case "DOM.shadowRootPushed":
		return redactRoot
	case "DOM.attributeModified":
		return redactAttribute
	case "DOM.characterDataModified":
		return redactAll
	case "Network.dataReceived", "Network.loadingFailed", "Network.loadingFinished":
		return redaction{}
	}
	if strings.HasPrefix(method, "Network.") || strings.HasPrefix(method, "Fetch.") {
		return redactHeaders
	}

	return redaction{}
}

// edit returns the change that the redaction makes to a message under these rules; nil if it makes none. part is the
// member of the message that it changes: "params" or "result".
func (r redaction) edit(rules *policy.Rules, part string) mux.Edit {
	if r.apply == nil || !rules.BindsPrograms() || rules.Right(r.right) == policy.Yes {
		return nil
	}

	return func(raw []byte) []byte {
		msg := decode(raw)
		if msg == nil {
			return nil
		}
		value, ok := msg[part].(map[string]any)
		if !ok {
			return raw // an error contains no secret
		}
		if !r.apply(value) {
			return nil
		}

		return encode(msg)
	}
}
