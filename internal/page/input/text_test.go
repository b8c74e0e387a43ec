package input

import (
	"testing"

	"cove/internal/page"
)

func TestAFieldHasAcceptedAValue(t *testing.T) {
	text := kind{Kind: "text"}
	for _, c := range []struct {
		name       string
		kind       kind
		value, now string
		want       bool
	}{
		{"as it was given", text, "abc", "abc", true},
		{"a mask has added signs", text, "5551234", "(555) 1234", true},
		{"in capitals", text, "abc", "ABC", true},
		{"a country code before it", text, "5551234", "+1 555 1234", true},
		{"cut short", text, "abcdef", "abc", false},
		{"emptied", text, "", "", true},
		{"not emptied", text, "", "abc", false},
		{"beside what was there", kind{Kind: "text", Now: "old"}, "new", "oldnew", false},
		{"as it was before", kind{Kind: "text", Now: "old new"}, "new", "old new", false},
		{"the same number", kind{Kind: "text", Type: "number"}, "1.50", "1.5", true},
		{"another number", kind{Kind: "text", Type: "number"}, "1.5", "15", false},
		{"an editor with more than it was given", kind{Kind: "editable"}, "abc", "abc def", false},
		{"a code editor with its own blanks", kind{Kind: "editable", Code: true}, "a {\n b }", "a{b}", true},
		{"the part of a long text that a code editor draws", kind{Kind: "text", Code: true}, "abcdef", "abc", true},
		{"only signs", text, "***", "***", true},
	} {
		if got := accepted(c.kind, c.value, c.now); got != c.want {
			t.Errorf("%s: %q gives %q: %v", c.name, c.value, c.now, got)
		}
	}
}

func TestAFieldHoldsTheValueAndSomethingBeside(t *testing.T) {
	text := kind{Kind: "text"}
	for _, c := range []struct {
		name string
		kind kind
		now  *page.Reading
		want bool
	}{
		{"beside it", text, &page.Reading{Value: "old new"}, true},
		{"not at all", text, &page.Reading{Value: "old"}, false},
		{"not read", text, nil, false},
		{"gone", text, &page.Reading{Value: "old new", Gone: true}, false},
		{"a password", text, &page.Reading{Value: "old new", Secret: true}, false},
		{"an editor", kind{Kind: "editable"}, &page.Reading{Value: "old new"}, false},
	} {
		if got := added(c.kind, "new", c.now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestASliderSaysWhyItCannotBeSet(t *testing.T) {
	number := func(n float64) *float64 { return &n }
	for _, c := range []struct {
		name string
		at   standing
		kind kind
		ok   bool
	}{
		{"well", standing{Focused: true, Now: number(1), Min: number(0), Max: number(10)}, kind{}, true},
		{"gone", standing{Gone: true}, kind{}, false},
		{"without the focus", standing{Now: number(1)}, kind{}, false},
		{"without a value", standing{Focused: true}, kind{}, false},
		{"without a value, but one can type", standing{Focused: true}, kind{Editable: true}, true},
		{"below its range", standing{Focused: true, Now: number(7), Min: number(6)}, kind{}, false},
		{"above its range", standing{Focused: true, Now: number(1), Max: number(4)}, kind{}, false},
	} {
		if err := c.at.refuses(elementOf("slider", "Volume"), c.kind, 5, "5"); (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
