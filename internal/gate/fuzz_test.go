package gate

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/policy"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
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
	all := []redaction{redactHeaders, redactTree, redactNode, redactAttributes, redactSnapshot}
	for _, event := range []string{"Audits.issueAdded", "DOM.setChildNodes", "DOM.childNodeInserted",
		"DOM.shadowRootPushed", "DOM.attributeModified", "DOM.characterDataModified", "Network.dataReceived"} {
		all = append(all, eventRedaction(event))
	}
	f.Fuzz(func(t *testing.T, around, name string) {
		if strings.Contains(around, marker) || strings.Contains(name, marker) {
			return
		}
		for _, h := range all {
			e := h.edit(rules, "params")
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
		if out := redactHeaders.edit(rules, "params")([]byte(`{"params":` + told + `}`)); bytes.Contains(out,
			[]byte(marker)) {
			t.Fatalf("%s became %s", told, out)
		}
		root := `{"root":{"nodeType":1,"localName":"input","attributes":["type","PassWord","value","` + marker +
			`"],"children":[` + around + `,{"localName":"INPUT","attributes":["value","` + marker +
			`","type"," password "]}]}}`
		if out := redactTree.edit(rules, "params")([]byte(`{"params":` + root + `}`)); bytes.Contains(out,
			[]byte(marker)) {
			t.Fatalf("%s became %s", root, out)
		}
	})
}

// After redaction no string of a message contains a secret, however JSON writes it. Everything that is not a string
// stays as it is.
func FuzzRedactSecrets(f *testing.F) {
	f.Add("hunter2 & <co>", `{"a":[1,2.50,"x"]}`, true)
	f.Add("pässwört", `null`, false)
	f.Add(`"\quoted`, `"y"`, true)
	f.Fuzz(func(t *testing.T, value, around string, escape bool) {
		if len(value) < 6 || len(value) > 100 || strings.ContainsAny(value, "•\r\n\x00") ||
			strings.ToValidUTF8(value, "") != value || !json.Valid([]byte(around)) {
			return
		}
		h := redactor.New([]secret.Secret{{Name: "a", Value: value}})
		config := &Config{Enforcer: policy.NewEnforcer(policy.Policy{Preset: policy.Guarded}),
			Secrets: func() func(string) string { return h.Text }}
		text, _ := json.Marshal("x" + value + "y")
		if escape {
			var b strings.Builder
			b.WriteString(`"`)
			for _, r := range "x" + value + "y" {
				if r > 0xffff {
					b.WriteRune(r)
					continue
				}
				b.WriteString(`\u`)
				const digits = "0123456789aBcDeF"
				for shift := 12; shift >= 0; shift -= 4 {
					b.WriteByte(digits[r>>shift&15])
				}
			}
			text = []byte(b.String() + `"`)
		}
		out := config.redactSecrets([]byte(`{"id":1,"result":{"a":` + string(text) + `,"b":[` + around + `,{"c":` +
			string(text) + `}]}}`))
		var all any
		if json.Unmarshal(out, &all) != nil {
			t.Fatalf("%s is no message", out)
		}
		walk(all, func(text string) {
			if strings.Contains(text, value) {
				t.Fatalf("%q is in %s", value, out)
			}
		})
	})
}

// walk calls each for every string in a value.
func walk(v any, each func(string)) {
	switch v := v.(type) {
	case string:
		each(v)
	case []any:
		for _, one := range v {
			walk(one, each)
		}
	case map[string]any:
		for _, one := range v {
			walk(one, each)
		}
	}
}
