package remote

import (
	"encoding/json"
	"testing"
)

func TestStringResult(t *testing.T) {
	for _, s := range []string{"", "plain", "a\"b\\c/d\n\t\r\b\f", "ü 😀 \u2028 </x>", "|^1^2", "\x00\x01\x7f",
		`\u0041`} {
		value, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := String([]byte(`{"result":{"type":"string","value":` + string(value) + `}}`))
		if !ok || got != s {
			t.Errorf("%q is read as %q, %t", s, got, ok)
		}
	}
	for raw, want := range map[string]string{`\ud83d\ude00`: "😀", `\ud83dx`: "\ufffdx", `\ud83d\u0041`: "\ufffdA",
		`\ude00`: "\ufffd"} {
		if got, ok := String([]byte(`{"result":{"type":"string","value":"` + raw + `"}}`)); !ok || got != want {
			t.Errorf("%s is read as %q, %t", raw, got, ok)
		}
	}
	for _, raw := range []string{`{"result":{"type":"number","value":1}}`,
		`{"result":{"type":"string","value":"a"},"x":{"y":"b"}}`, `{"result":{"type":"string","value":"a\"}}`,
		`{"result":{"type":"string","value":"\x"}}`, `{"result":{"type":"string","value":"\n"},"x":{"y":"b"}}`,
		`{"result":{"type":"string","value":"\u12"}}`} {
		if got, ok := String([]byte(raw)); ok {
			t.Errorf("%s is read as %q", raw, got)
		}
	}
}
