package input

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"cove/internal/fault"
)

func TestURLEncoded(t *testing.T) {
	for form, want := range map[string]string{
		"name=a":                                `{"name":"a"}`,
		"\r\nname=a\n":                          `{"name":"a"}`,
		"&name=a&&":                             `{"name":"a"}`,
		"name":                                  `{"name":""}`,
		"name=a=b;c":                            `{"name":"a=b;c"}`,
		"name=a+b%26%5B0%5D":                    `{"name":"a b&[0]"}`,
		"a%5Bb%5D=1":                            `{"a":{"b":"1"}}`,
		"proxy[type]=http&proxy[host]=h":        `{"proxy":{"type":"http","host":"h"}}`,
		"a[b][c][d]=1&a[b][e]=2":                `{"a":{"b":{"c":{"d":"1"},"e":"2"}}}`,
		"tags=a&tags=b":                         `{"tags":["a","b"]}`,
		"tags[]=a":                              `{"tags":["a"]}`,
		"tags[]=b&tags[]=a":                     `{"tags":["b","a"]}`,
		"tags[0]=a":                             `{"tags":["a"]}`,
		"tags[1]=b&tags[0]=a":                   `{"tags":["a","b"]}`,
		"items[0][name]=a&items[1][name]=b":     `{"items":[{"name":"a"},{"name":"b"}]}`,
		"items[0][tags][]=a&items[0][tags][]=b": `{"items":[{"tags":["a","b"]}]}`,
		"newHomepages[][url]=a&newHomepages[][url]=b": `{"newHomepages":[{"url":"a"},{"url":"b"}]}`,
		"a[b]=1&a[b]=2":                        `{"a":{"b":["1","2"]}}`,
		"a[1]=x&a[2]=y":                        `{"a":{"1":"x","2":"y"}}`,
		"a[0]=x&a[x]=y":                        `{"a":{"0":"x","x":"y"}}`,
		"a[00]=x":                              `{"a":{"00":"x"}}`,
		"0=a&1=b":                              `{"0":"a","1":"b"}`,
		"a]=1":                                 `{"a]":"1"}`,
		"a[b.c]=1":                             `{"a":{"b.c":"1"}}`,
		"name=a&Name=b":                        `{"Name":"b","name":"a"}`,
		"&":                                    `{}`,
		strings.Repeat("&", 10):                `{}`,
		"a" + strings.Repeat("[b]", 15) + "=1": `{"a":` + strings.Repeat(`{"b":`, 15) + `"1"` + strings.Repeat("}", 16),
		strings.Repeat("t[]=a&", 3) + "t[]=b":  `{"t":["a","a","a","b"]}`,
		"cookies=" + url.QueryEscape(`[{"a":1}]`): `{"cookies":"[{\"a\":1}]"}`,
	} {
		got, err := URLEncoded([]byte(form))
		if err != nil || !sameJSON(t, string(got), want) {
			t.Errorf("%q is read as %s (%v), want %s", form, got, err, want)
		}
	}
}

func TestNamesOfFormsInJSON(t *testing.T) {
	for raw, want := range map[string]string{
		`{"name":"a","tags":["x"]}`: `{"name":"a","tags":["x"]}`,
		`{"proxy[type]":"http","proxy[port]":80,"canvas[mode]":"noise"}`: `{"proxy":{"type":"http","port":80},` +
			`"canvas":{"mode":"noise"}}`,
		`{"tags[]":"a"}`:                `{"tags":["a"]}`,
		`{"tags[0]":"a","tags[1]":"b"}`: `{"tags":["a","b"]}`,
		`{"a[b]":{"c[d]":[1]}}`:         `{"a":{"b":{"c[d]":[1]}}}`,
		`[{"a[b]":1}]`:                  `[{"a[b]":1}]`,
		`"[a]"`:                         `"[a]"`,
		`{"proxy":{"type":"http"},"proxy[host]":"h"}`: "",
		`{"proxy":null,"proxy[host]":"h"}`:            "",
		`{"proxy[type":"http"}`:                       "",
		`{"[proxy]":"http"}`:                          "",
	} {
		got, err := Nested(json.RawMessage(raw))
		if want == "" {
			if fault.KindOf(err) != fault.Invalid || fault.From(err).Field == "" {
				t.Errorf("%s is read as %s (%v)", raw, got, err)
			}
		} else if err != nil || !sameJSON(t, string(got), want) {
			t.Errorf("%s is read as %s (%v), want %s", raw, got, err, want)
		}
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var left, right any
	if err := json.Unmarshal([]byte(a), &left); err != nil {
		t.Fatalf("%q: %v", a, err)
	}
	if err := json.Unmarshal([]byte(b), &right); err != nil {
		t.Fatalf("%q: %v", b, err)
	}
	return reflect.DeepEqual(left, right)
}

func TestFormsThatContradictThemselvesAreRefused(t *testing.T) {
	for form, field := range map[string]string{
		"tags=a&tags[]=b":                     "tags",
		"tags[]=b&tags=a":                     "tags",
		"proxy=x&proxy[type]=http":            "proxy",
		"proxy[type]=http&proxy=":             "proxy",
		"tags[]=a&tags[0]=b":                  "tags",
		"tags[0]=a&tags[]=b":                  "tags",
		"a[b]=1&a[b][c]=2":                    "a",
		"items[][name]=a&items[][host]=b":     "items",
		"items[][name]=a&items[]=b":           "items",
		"items[]=b&items[][name]=a":           "items",
		"items[][]=a":                         "items",
		"items[][tags][]=a":                   "items",
		"=x":                                  "",
		"[a]=x":                               "[a]",
		"a[b=1":                               "a[b",
		"a[b]c=1":                             "a[b]c",
		"a[b]c[d]=1":                          "a[b]c[d]",
		"a[b[c]]=1":                           "a[b[c]]",
		"a[b]]=1":                             "a[b]]",
		"a%ff=1":                              "a?",
		"a=%ff":                               "a",
		"a=%zz":                               "",
		"%=1":                                 "",
		"a" + strings.Repeat("[b]", 16) + "=": "a[b][b][b][b][b][b][b][b][b][b][b][b][b][b][b][b]",
	} {
		got, err := URLEncoded([]byte(form))
		f := fault.From(err)
		if err == nil || f.Kind != fault.Invalid || f.Hint == "" || f.Field != field {
			t.Errorf("%q: got %s, and a refusal about %q (%v), want one about %q", form, got, f.Field, err, field)
		}
	}
	if _, err := URLEncoded([]byte(strings.Repeat("a&", maxFields+1))); err == nil {
		t.Error("a form has no limit")
	}
	if _, err := URLEncoded([]byte(strings.Repeat("a&", maxFields))); err != nil {
		t.Error(err)
	}
}

func TestMultipart(t *testing.T) {
	part := func(head, value string) string {
		return "--B\r\nContent-Disposition: form-data; " + head + "\r\n\r\n" + value + "\r\n"
	}
	for body, want := range map[string]string{
		part(`name="name"`, "a b"):                                             `{"name":"a b"}`,
		part(`name="name"`, "line\r\nline"):                                    `{"name":"line\r\nline"}`,
		part(`name="name"`, ""):                                                `{"name":""}`,
		part(`name="proxy[type]"`, "http") + part(`name="proxy[host]"`, "h"):   `{"proxy":{"type":"http","host":"h"}}`,
		part(`name="tags"`, "a") + part(`name="tags"`, "b"):                    `{"tags":["a","b"]}`,
		part(`name="token"; filename="token"`, "T"):                            `{"token":"T"}`,
		part(`name="name"`+"\r\nContent-Type: text/plain; charset=utf-8", "ä"): `{"name":"ä"}`,
		"":                                       `{}`,
		part(`name="a"; filename="a.zip"`, "PK"): "",
		part(`name=""`, "x"):                     "",
		part(`name="a"`, "\xff"):                 "",
		"--B\r\nContent-Disposition: attachment\r\n\r\nx\r\n": "",
		part(`name="a"`, "x") + part(`name="a[b]"`, "y"):      "",
	} {
		got, err := Multipart([]byte(body+"--B--"), "B")
		if want == "" {
			if err == nil || fault.KindOf(err) != fault.Invalid || fault.From(err).Hint == "" {
				t.Errorf("%q is read as %s (%v)", body, got, err)
			}
			continue
		}
		if err != nil || !sameJSON(t, string(got), want) {
			t.Errorf("%q is read as %s (%v), want %s", body, got, err, want)
		}
	}
	for _, cut := range []string{"--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx", "no form", "--C--"} {
		if got, err := Multipart([]byte(cut), "B"); err == nil {
			t.Errorf("%q is read as %s", cut, got)
		}
	}
	if _, err := Multipart([]byte("--B--"), ""); err == nil {
		t.Error("a form without a boundary is read")
	}
}

// FuzzURLEncoded checks that every value of a form is in what comes of it, exactly as often, or that the form is
// refused.
func FuzzURLEncoded(f *testing.F) {
	for _, seed := range []string{"a=1", "a[b]=1&a[c]=2", "t[]=a&t[]=b", "i[0][n]=a&i[1][n]=b", "i[][n]=a&i[][n]=b",
		"a=1&a[b]=2", "a[0]=1&a[]=2", "a[b=1", "%", "a=%ff", "=", "0=a", "a[1]=2&a[0]=1", "a[0]=1&a[0]=2"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, form string) {
		raw, err := URLEncoded([]byte(form))
		if err != nil {
			if fault.KindOf(err) != fault.Invalid || fault.From(err).Hint == "" {
				t.Fatalf("%q: %v", form, err)
			}
			return
		}
		var got map[string]any
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q becomes %s: %v", form, raw, err)
		}
		var sent []string
		for pair := range strings.SplitSeq(strings.TrimSpace(form), "&") {
			if pair == "" {
				continue
			}
			_, right, _ := strings.Cut(pair, "=")
			value, err := url.QueryUnescape(right)
			if err != nil {
				t.Fatalf("%q is read, with %q in it", form, right)
			}
			sent = append(sent, value)
		}
		kept := leaves(t, got)
		slices.Sort(sent)
		slices.Sort(kept)
		if !slices.Equal(sent, kept) {
			t.Fatalf("%q has %q, and %s has %q", form, sent, raw, kept)
		}
	})
}

// leaves returns the texts in a value at every depth.
func leaves(t *testing.T, v any) (texts []string) {
	t.Helper()
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, inner := range v {
			texts = append(texts, leaves(t, inner)...)
		}
	case map[string]any:
		for _, inner := range v {
			texts = append(texts, leaves(t, inner)...)
		}
	default:
		t.Fatalf("a form has no %T", v)
	}
	return texts
}
