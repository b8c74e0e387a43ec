package emulation

import "testing"

func TestParseViewport(t *testing.T) {
	for _, c := range []struct {
		text string
		want Viewport
		ok   bool
	}{
		{"400x800", Viewport{400, 800, 1, false, false, false}, true},
		{"400x800x2,mobile,touch", Viewport{400, 800, 2, true, true, false}, true},
		{"400x800x1.5, landscape", Viewport{400, 800, 1.5, false, false, true}, true},
		{text: ""}, {text: "400"}, {text: "x"}, {text: "0x0"}, {text: "-1x5"}, {text: "400x800x0"},
		{text: "400x800x2x2"},
		{text: "400x800,wide"}, {text: "99999x1"}, {text: "1x1xNaN"},
	} {
		got, err := ParseViewport(c.text)
		if (err == nil) != c.ok || (c.ok && got != c.want) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
}

func TestParseLocation(t *testing.T) {
	for text, ok := range map[string]bool{"52.5,13.4": true, "52.5x13.4": true, "-90,180": true, "91,0": false,
		"0,181": false, "1": false, "a,b": false, "": false, "NaN,1": false} {
		if _, _, err := parseLocation(text); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}
