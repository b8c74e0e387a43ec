package redactor

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"cove/internal/policy/site"
	"cove/internal/secret"
)

const value = `pässw"rd&<1>+/ x`

func TestEveryWayToWriteAValueIsHidden(t *testing.T) {
	where, _ := site.Parse("https://a.test")
	for _, value := range []string{
		value, "hunter2-hunter2", "Tr0ub4dor&3", "ключ-от-двери", "correct horse battery staple", `ends-quote"`,
	} {
		h := New([]secret.Secret{{Name: "a", Site: where, Value: value}})
		asJSON, _ := json.Marshal(map[string]string{"p": value})
		encode := base64.StdEncoding.EncodeToString
		for _, text := range []string{
			value, "x" + value + "y", "?p=" + url.QueryEscape(value), url.PathEscape(value), string(asJSON),
			encode([]byte("user:" + value)), encode([]byte("use:" + value + "..")),
			base64.RawURLEncoding.EncodeToString([]byte("us:" + value)),
			encode([]byte(value)), encode(append([]byte("user:"), latin1(value)...)) + value,
			"?b=" + url.QueryEscape(encode([]byte("user:"+value))),
		} {
			got := h.Text(text)
			if strings.HasPrefix(text, "{") && !json.Valid([]byte(got)) {
				t.Errorf("%q is JSON no more: %q", text, got)
			}
			if got == text || !strings.Contains(got, Dots) || string(h.Bytes([]byte(text))) != got {
				t.Errorf("%q is not hidden: %q", text, got)
			}
			var b bytes.Buffer
			w := h.Writer(&b)
			half := len(text) / 2
			dashes := strings.Repeat("-", 70<<10)
			for _, part := range []string{dashes + text[:half], text[half:], dashes} {
				_, _ = w.Write([]byte(part))
			}
			if err := w.Close(); err != nil || strings.Contains(b.String(), text) {
				t.Errorf("%q passes a stream (%v)", text, err)
			}
		}
	}
}
