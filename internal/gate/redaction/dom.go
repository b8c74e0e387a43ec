package redaction

import (
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/gate/markup"
	"cove/internal/policy"
)

// Redactions of documents and their parts.
var (
	redactTree = Rule{policy.Script, func(part map[string]any) bool {
		redactSubtree(part["root"], false)
		return true
	}}
	redactAttributes = Rule{policy.Script, func(part map[string]any) bool {
		redactFieldValue(part["attributes"], true)
		return true
	}}
	redactNodes = Rule{policy.Script, func(part map[string]any) bool {
		redactSubtrees(part["nodes"])
		return true
	}}
	redactInserted = Rule{policy.Script, func(part map[string]any) bool {
		redactSubtrees(part["node"])
		return true
	}}
	redactRoot = Rule{policy.Script, func(part map[string]any) bool {
		redactSubtrees(part["root"])
		return true
	}}
	redactNode      = Rule{policy.Script, redactInside}
	redactAttribute = Rule{policy.Script, redactModified}
	redactAll       = Rule{policy.Script, func(map[string]any) bool { return false }}
)

// redactSubtree redacts the values of password fields in a subtree: their attributes, and the shadow trees in which the
// browser shows what is typed. If texts is set, it redacts all texts too.
func redactSubtree(v any, texts bool) {
	node, ok := v.(map[string]any)
	if !ok {
		return
	}

	if texts && node["nodeType"] == json.Number("3") {
		node["nodeValue"] = Mark
	}
	redactFieldValue(node["attributes"],
		strings.EqualFold(str(node["localName"]), "input") || markup.IsTag(str(node["nodeName"]), "input"))
	if roots, ok := node["shadowRoots"].([]any); ok {
		node["shadowRoots"] = slices.DeleteFunc(roots, func(r any) bool {
			root, _ := r.(map[string]any)
			return str(root["shadowRootType"]) == "user-agent"
		})
	}

	for _, key := range [...]string{"children", "shadowRoots", "pseudoElements"} {
		list, _ := node[key].([]any)
		for _, child := range list {
			redactSubtree(child, texts)
		}
	}
	for _, key := range [...]string{"contentDocument", "templateContent", "importedDocument"} {
		redactSubtree(node[key], texts)
	}
}

// redactSubtrees redacts parts of a document with all their texts: the message does not say whether they are inside a
// password field.
func redactSubtrees(v any) {
	if list, ok := v.([]any); ok {
		for _, node := range list {
			redactSubtree(node, true)
		}
		return
	}
	redactSubtree(v, true)
}

// redactInside redacts everything inside a node: the node itself may be inside a password field.
func redactInside(part map[string]any) bool {
	node, ok := part["node"].(map[string]any)
	if !ok {
		return true
	}
	for _, key := range [...]string{"children", "shadowRoots", "pseudoElements"} {
		delete(node, key)
	}
	redactSubtree(node, true)

	return true
}

// redactFieldValue redacts the value in a node's list of names and values if the node is a password field.
func redactFieldValue(v any, input bool) {
	list, _ := v.([]any)
	if !input || !markup.AttributesOf(len(list), func(i int) string { return str(list[i]) }).Field().Kind().Hidden() {
		return
	}

	for i := 0; i+1 < len(list); i += 2 {
		if strings.EqualFold(str(list[i]), "value") {
			list[i+1] = Mark
		}
	}
}

// redactModified redacts the attribute named value of any element: the event does not say whether the element is a
// password field.
func redactModified(part map[string]any) bool {
	if strings.EqualFold(str(part["name"]), "value") {
		part["value"] = Mark
	}

	return true
}
