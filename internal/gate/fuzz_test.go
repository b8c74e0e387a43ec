package gate

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/policy"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
)

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
