package mcpserver

import (
	"testing"
)

func TestASummaryHasNothingThatIsTyped(t *testing.T) {
	for args, want := range map[string]string{
		`{"url":"https://u:p@a.test/?password=x"}`:           "https://u:redacted@a.test/?password=redacted",
		`{"uid":"a1","value":"hunter2"}`:                     "element a1",
		`{"elements":[{"uid":"a","value":"x"}]}`:             "1 field",
		`{"elements":[{"uid":"a","value":"x"},{"uid":"b"}]}`: "2 fields",
		`{"key":"x"}`:        "",
		`{"key":"Enter"}`:    "Enter",
		`{"text":"hunter2"}`: "",
		`{"query":"price"}`:  "price",
		`{"type":"back"}`:    "back",
		`not JSON`:           "",
	} {
		if got := summarize([]byte(args)); got != want {
			t.Errorf("%s: %q, not %q", args, got, want)
		}
	}
}
