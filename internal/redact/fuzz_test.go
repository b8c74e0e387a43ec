package redact

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// marker stands in a value that must not be told; nothing else holds it.
const marker = "QzQzQzQz"

// A password does not stay in an address: neither that of its user nor what is sent under a password's name.
func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"https://example.com/?a=b", "https://u:p@example.com/?password=x#y", "data:text/plain,x?pwd=1&x=2",
		"?password=", "https://[::1]:80/?PASSWORD[]=x", "javascript:x?y=z#passwd=1",
	} {
		f.Add(s, "x")
	}
	f.Fuzz(func(t *testing.T, address, value string) {
		if strings.Contains(address, marker) || strings.Contains(value, marker) {
			return
		}
		once := URL(address)
		if again := URL(once); again != once {
			t.Fatalf("%q became %q, then %q", address, once, again)
		}
		secret := url.QueryEscape(value) + marker
		for _, held := range []string{
			"https://example.com/p?a=b&password=" + secret,
			"https://example.com/p?user_password=" + secret + "&x=" + url.QueryEscape(address),
			"https://example.com/p#x=1&cvv=" + secret,
			"https://example.com/?" + url.QueryEscape(value) + "=1&New%50assword=" + secret,
			"https://user:" + url.QueryEscape(value) + marker + "@example.com/",
		} {
			if got := URL(held); strings.Contains(got, marker) {
				t.Fatalf("%q became %q", held, got)
			}
		}
	})
}

// Nor in the body of a request, in whatever way it is written; and JSON stays JSON.
func FuzzBody(f *testing.F) {
	for _, s := range []string{"x", `a"b\c`, "a&b=c", "\r\n--", "{}", "é", "1.5"} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		if strings.Contains(name+value, marker) || isSecretName(name) {
			return
		}
		_ = Body(name)
		secret := value + marker
		raw, err := json.Marshal(map[string]any{
			name: value, "nested": []any{map[string]any{"passwd": secret, "z": 1}}, "card-number": secret,
		})
		if err != nil {
			return
		}
		got := Body(string(raw))
		if strings.Contains(got, marker) || !json.Valid([]byte(got)) {
			t.Fatalf("%q became %q", raw, got)
		}
		form := url.Values{name: {value}, "login[password]": {secret}, "pwd": {secret}}.Encode()
		isMultipart := strings.Contains(form[:min(len(form), 2000)], "form-data; name=")
		if got := Body(form); strings.Contains(got, marker) && !isMultipart {
			t.Fatalf("%q became %q", form, got)
		}
		if strings.Contains(value, "\n") {
			return
		}
		const head = "--b\r\nContent-Disposition: form-data; name="
		parts := head + "\"x\"\r\n\r\n1\r\n" + head + "\"password\"\r\n\r\n" + secret + "\r\n--b--\r\n"
		if got := Body(parts); strings.Contains(got, marker) {
			t.Fatalf("%q became %q", parts, got)
		}
	})
}

// It makes no difference in which pieces lines come.
func FuzzWriter(f *testing.F) {
	f.Add("see https://u:p@example.com/?password=x\nand\n\nhttps://example.com/?pwd=1", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		var got bytes.Buffer
		w := Writer(&got)
		for rest := text; rest != ""; {
			n := min(len(rest), 1+size&31)
			if _, err := w.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		_ = w.Close()
		if want := string(URLs([]byte(text))); got.String() != want {
			t.Fatalf("%q became %q, not %q", text, got.String(), want)
		}
	})
}
