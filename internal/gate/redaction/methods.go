package redaction

import (
	"slices"
	"strings"

	"cove/internal/policy"
)

// answers are the rules for the methods whose answer can contain secrets.
var answers = map[string]Rule{
	"Network.getCookies":          redactHeaders,
	"Network.getAllCookies":       redactHeaders,
	"Storage.getCookies":          redactHeaders,
	"Target.getTargets":           hideExtensions,
	"DOM.getDocument":             redactTree,
	"DOM.describeNode":            redactNode,
	"DOM.getAttributes":           redactAttributes,
	"DOMSnapshot.captureSnapshot": redactSnapshot,
}

// OfAnswer returns the rule for the answer to a method.
func OfAnswer(method string) Rule { return answers[method] }

// OfEvent returns the rule for an event. An event of Network or Fetch that is not listed may carry headers.
func OfEvent(method string) Rule {
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
		return Rule{}
	}
	if strings.HasPrefix(method, "Network.") || strings.HasPrefix(method, "Fetch.") {
		return redactHeaders
	}

	return Rule{}
}

// hideExtensions removes the targets of extensions from a list of targets.
var hideExtensions = Rule{apply: func(result map[string]any) bool {
	list, _ := result["targetInfos"].([]any)
	result["targetInfos"] = slices.DeleteFunc(list, func(one any) bool {
		info, _ := one.(map[string]any)
		return policy.IsExtension(str(info["url"]))
	})

	return true
}}
