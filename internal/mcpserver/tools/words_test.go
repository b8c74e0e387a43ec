package tools

import (
	"testing"

	"cove/internal/step"
)

func TestEveryToolHasWordsForPeople(t *testing.T) {
	for _, tool := range All() {
		if !step.Knows(tool.Name, false) {
			t.Errorf("%s has no words: add them to internal/step/tools.go", tool.Name)
			continue
		}
		want := step.Act
		if tool.ReadOnly {
			want = step.Read
		}
		if got := step.Of(step.Facts{Name: tool.Name}).Kind; got != want {
			t.Errorf("%s is of the kind %s, not %s", tool.Name, got, want)
		}
	}
}
