package summary

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestASummaryHoldsNothingPrivate(t *testing.T) {
	for params, want := range map[string]string{
		``:                                                  ``,
		`{"a":1,"a":2}`:                                     ``,
		`{"url":"https://a.test/x"}`:                        `{"url":"https://a.test/x"}`,
		`{"url":"https://me:hunter2@a.test/x"}`:             `{"url":"https://a.test/x"}`,
		`{"type":"keyDown","text":"hunter2"}`:               `{"text":{"letters":7},"type":"keyDown"}`,
		`{"cookies":[{"name":"a"},{"name":"b"}]}`:           `{"cookies":{"parts":2}}`,
		`{"headers":{"Cookie":"a=hunter2"}}`:                `{"headers":{"parts":1}}`,
		`{"point":{"x":1,"text":"hunter2"}}`:                `{"point":{"text":{"letters":7},"x":1}}`,
		`{"list":[{"password":"hunter2"},"b"]}`:             `{"list":[{"password":{"letters":7}},"b"]}`,
		`{"input":{"user_pwd":"hunter2","n":1}}`:            `{"input":{"n":1,"user_pwd":{"letters":7}}}`,
		`{"x":` + strings.Repeat("1", maxPart) + `}`:        `{"x":` + strings.Repeat("1", maxPart) + `}`,
		`{"x":[` + strings.Repeat("1,", 200) + `1]}`:        `{"x":{"parts":201}}`,
		`{"expression":"` + strings.Repeat("x", 600) + `"}`: `{"expression":"` + strings.Repeat("x", MaxText-1) + `…"}`,
	} {
		got := Of(json.RawMessage(params))
		if string(got) != want {
			t.Errorf("%.60s: %s, not %s", params, got, want)
		}
	}
}
