package redaction

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/policy"
)

const marker = "QzQzQzQz"

// Redaction turns any message of the browser into a message or drops it. Values that must be hidden are gone, however
// deep they are and whatever is beside them.
func FuzzRedaction(f *testing.F) {
	for _, s := range []string{`{}`, `null`, `[1]`, `{"headers":5}`, `{"headers":[1,{"name":2}]}`, `{"cookies":{}}`,
		`{"root":{"children":[null,{"attributes":[1,2,3]}]}}`,
		`{"strings":["a"],"documents":[{"nodes":{"attributes":[[0,0]],"parentIndex":[0]}}]}`,
		`{"node":[]}`, `{"documents":[{"nodes":{"attributes":[[9,-1]],"inputValue":{"index":[1e9],"value":[0]}}}]}`,
		`"x"`} {
		f.Add(s, "Cookie")
	}
	rules := policy.NewRules(policy.Policy{Preset: policy.Guarded})
	all := []Rule{redactHeaders, redactTree, redactNode, redactAttributes, redactSnapshot}
	for _, event := range []string{"Audits.issueAdded", "DOM.setChildNodes", "DOM.childNodeInserted",
		"DOM.shadowRootPushed", "DOM.attributeModified", "DOM.characterDataModified", "Network.dataReceived"} {
		all = append(all, OfEvent(event))
	}
	f.Fuzz(func(t *testing.T, around, name string) {
		if strings.Contains(around, marker) || strings.Contains(name, marker) {
			return
		}
		for _, h := range all {
			e := h.Edit(rules, "params")
			if e == nil {
				continue
			}
			if out := e([]byte(`{"method":"A.b","params":` + around + `}`)); out != nil && !json.Valid(out) &&
				json.Valid([]byte(around)) {
				t.Fatalf("%s became %s", around, out)
			}
		}
		if !json.Valid([]byte(around)) {
			return
		}
		header, _ := json.Marshal(name)
		told := `{"x":` + around + `,"list":[{"request":{"headers":{` + string(header) + `:"1","Cookie":"` + marker +
			`","set-COOKIE":"` + marker + `"},"postData":"` + marker + `"}},{"cookies":[` + around + `,{"value":"` +
			marker +
			`"}]}]}`
		if out := redactHeaders.Edit(rules, "params")([]byte(`{"params":` + told + `}`)); bytes.Contains(out,
			[]byte(marker)) {
			t.Fatalf("%s became %s", told, out)
		}
		root := `{"root":{"nodeType":1,"localName":"input","attributes":["type","PassWord","value","` + marker +
			`"],"children":[` + around + `,{"localName":"INPUT","attributes":["value","` + marker +
			`","type"," password "]}]}}`
		if out := redactTree.Edit(rules, "params")([]byte(`{"params":` + root + `}`)); bytes.Contains(out,
			[]byte(marker)) {
			t.Fatalf("%s became %s", root, out)
		}
	})
}
