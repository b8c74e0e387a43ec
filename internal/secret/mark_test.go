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

func TestAOneTimeCodeIsAWholeValue(t *testing.T) {
	for text, want := range map[string]string{
		"{{totp:mail}}": "mail", " {{totp: mail }} ": "mail", "no mark": "", "{{secret:mail}}": "", "{{totp:mail": "",
	} {
		if got, err := TOTPName(text); got != want || err != nil {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, kind := range map[string]fault.Kind{
		"x{{totp:mail}}": fault.Invalid, "{{totp:a}}{{totp:b}}": fault.Invalid, "{{totp:a}} {{secret:b}}": fault.Invalid,
		"{{totp:}}": fault.NotFound, "{{totp:a b}}": fault.NotFound,
	} {
		if got, err := TOTPName(text); got != "" || fault.KindOf(err) != kind || !HasMark(text) {
			t.Errorf("%q: %q, %v", text, got, err)
		}
	}
	for text, want := range map[string]bool{
		"{{totp:a}}": true, "{{secret:a}}": true, "{{totp:a}}{{totp:b}}": false, "x{{totp:a}}": false, "{{other:a}}": false,
	} {
		if IsMark(text) != want {
			t.Errorf("%q", text)
		}
	}
}
