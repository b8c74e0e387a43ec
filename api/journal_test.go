package api

import (
	"strings"
	"testing"
)

func TestARecordedEntryEndsWithItsSeal(t *testing.T) {
	row := `{"seq":1,"reason":"\",\"seal\":\"","hash":"` + strings.Repeat("0", 64) + `","seal":"` +
		strings.Repeat("1", 32) + `"`
	for entry, want := range map[string]string{
		row + `}`:                         row + `}`,
		row + `,"text":"a","kind":"act"}`: row + `}`,
		`{"seq":1}`:                       `{"seq":1}`,
		`{"x":"","seal":"short"}`:         `{"x":"","seal":"short"}`,
	} {
		if got := string(RecordedEntry([]byte(entry))); got != want {
			t.Errorf("%s became %s", entry, got)
		}
	}
}
