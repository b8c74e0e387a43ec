package schema

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"cove/internal/fault"
)

type sampleInput struct {
	sampleOn
	Name  string       `json:"name" say:"its \"name\" <b>"`
	Kind  string       `json:"kind,omitempty" enum:"a|b"`
	Kinds []string     `json:"kinds,omitempty" enum:"a|b"`
	Deep  []sampleItem `json:"deep,omitempty"`
	Yes   *bool        `json:"yes,omitempty"`
}

type sampleOn struct{ samplePage }

type samplePage struct {
	PageID *Number `json:"pageId,omitempty"`
}

type sampleItem struct {
	UID   string `json:"uid"`
	Value string `json:"value,omitempty"`
}

func TestASchemaSaysWhatTheTypeTakes(t *testing.T) {
	got := Of(reflect.TypeFor[sampleInput]())
	want := `{"type":"object","properties":{"pageId":{"type":"number"},` +
		`"name":{"type":"string","description":"its \"name\" <b>"},` +
		`"kind":{"type":"string","enum":["a","b"]},` +
		`"kinds":{"type":"array","items":{"type":"string","enum":["a","b"]}},` +
		`"deep":{"type":"array","items":{"type":"object",` +
		`"properties":{"uid":{"type":"string"},"value":{"type":"string"}},"required":["uid"]}},` +
		`"yes":{"type":"boolean"}},"required":["name"],"additionalProperties":false}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestArgumentsAreReadAsModelsWriteThem(t *testing.T) {
	for name, raw := range map[string]string{
		"a number as text":  `{"name":"x","pageId":"3"}`,
		"a number":          `{"name":"x","pageId":3}`,
		"null for left out": `{"name":"x","kind":null,"pageId":3}`,
	} {
		var in sampleInput
		err := Read("sample", json.RawMessage(raw), &in)
		if err != nil || in.Name != "x" || in.PageID == nil || *in.PageID != 3 {
			t.Errorf("%s: %v %+v", name, err, in)
		}
	}
}

func TestWrongArgumentsAreToldInPlainWords(t *testing.T) {
	for raw, want := range map[string]string{
		`[]`:                              "expected an object",
		`"x"`:                             "expected an object",
		``:                                "name is required",
		`null`:                            "name is required",
		`{"name":null}`:                   "name is required",
		`{"name":"x","nme":1}`:            `unrecognized key "nme"`,
		`{"name":1}`:                      "name: expected string, received number",
		`{"name":"x","kind":"c"}`:         `kind: "c" is not one of a, b`,
		`{"name":"x","kinds":"c"}`:        `kinds: "c" is not one of a, b`,
		`{"name":"x","kinds":["a","c"]}`:  `kinds: "c" is not one of a, b`,
		`{"name":"x","pageId":"three"}`:   "sample: pageId: expected number, received string",
		`{"name":"x","yes":"yes"}`:        "yes: expected boolean",
		`{"name":"x","deep":[{"uid":1}]}`: "uid: expected string",
		`{"name":"x","deep":{"uid":"1"}}`: "deep: expected array",
		`{"name":"x","kind":{"a":"b"}}`:   "kind: expected string",
		`{"name":"x","pageId":[1]}`:       "pageId: expected number",
		`{"name":"x","pageId":` + strings.Repeat("9", 400) + `}`: "pageId: expected number",
	} {
		err := Read("sample", json.RawMessage(raw), new(sampleInput))
		if err == nil || !strings.Contains(err.Error(), want) || fault.KindOf(err) != fault.Invalid ||
			!strings.HasPrefix(fault.From(err).Text, "Invalid arguments for tool sample: ") {
			t.Errorf("%.60s: %v, not %q", raw, err, want)
		}
	}
}
