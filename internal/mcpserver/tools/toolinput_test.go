package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"cove/internal/page/webmcp"
)

func TestInputIsCheckedAgainstTheSchemaOfATool(t *testing.T) {
	const schema = `{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"n":{"type":["number","null"]},
"size":{"type":"string","enum":["S","M"]},"any":{},"odd":{"type":"colour"},"list":{"type":"array"},"on":{"type":"boolean"},
"one":{"enum":[1,{"a":1}]},"deep":{"type":"object"}}}`
	for input, wrong := range map[string]string{
		`{"id":7}`:                                     "",
		`{"id":7,"unknown":1,"any":[],"odd":1}`:        "",
		`{"id":7.0,"n":null,"size":"S","list":[1]}`:    "",
		`{"id":7,"one":{ "a" : 1 },"on":true}`:         "",
		`{}`:                                           `"id" of this tool is required`,
		`{"id":"7"}`:                                   `must be of the type integer`,
		`{"id":7.5}`:                                   `must be of the type integer`,
		`{"id":7,"n":"1"}`:                             `must be of the type number or null`,
		`{"id":7,"size":"XL"}`:                         `must be one of ["S","M"]`,
		`{"id":7,"list":{}}`:                           `must be of the type array`,
		`{"id":7,"on":"true"}`:                         `must be of the type boolean`,
		`{"id":7,"deep":[]}`:                           `must be of the type object`,
		`{"id":7,"one":2}`:                             `must be one of`,
		`{"id":7,"any":"{{secret:pw}}"}`:               "Secrets cannot be given",
		`{"id":7,"any":"x {{totp:pw}}"}`:               "Secrets cannot be given",
		`{"id":7,"any":"\u007b{secret:pw}}"}`:          "Secrets cannot be given",
		`{"id":7,"any":[{"\u007b\u007btotp:pw}}":1}]}`: "Secrets cannot be given",
		`{"id":7,"{{secret:pw}}":1}`:                   "Secrets cannot be given",
	} {
		var fields map[string]json.RawMessage
		if err := json.Unmarshal([]byte(input), &fields); err != nil {
			t.Fatal(err)
		}
		err := checkToolInput(webmcp.Tool{Schema: json.RawMessage(schema)}, fields)
		if (err == nil) != (wrong == "") || (err != nil && !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%s: %v, want %q", input, err, wrong)
		}
	}
	for _, odd := range []string{``, `true`, `[]`, `{"properties":[]}`, `{"required":"id"}`, `{"properties":{"id":true}}`} {
		if err := checkToolInput(webmcp.Tool{Schema: json.RawMessage(odd)},
			map[string]json.RawMessage{"id": json.RawMessage(`1`)}); err != nil {
			t.Errorf("the schema %q: %v", odd, err)
		}
	}
}
