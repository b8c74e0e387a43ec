package secret

import (
	"testing"

	"cove/internal/fault"
)

func TestMarksAreReplacedByWhatTheyName(t *testing.T) {
	get := func(name string) (string, error) {
		if name == "none" {
			return "", unknown(name)
		}
		return "<" + name + ">", nil
	}
	for text, want := range map[string]string{
		"no mark":                        "no mark",
		"{{secret:a}}":                   "<a>",
		"x {{secret: b }} y{{secret:c}}": "x <b> y<c>",
		"{{secret:a}":                    "{{secret:a}",
	} {
		got, err := Expand(text, get)
		if err != nil || got != want || HasMark(text) != (text != want) {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	}
	if got, err := Expand("{{secret:none}} {{secret:a}}", get); got != "" || fault.KindOf(err) != fault.NotFound {
		t.Errorf("an unknown one: %q %v", got, err)
	}
}
