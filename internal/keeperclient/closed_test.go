package keeperclient

import (
	"os"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
)

func TestAClosedProfileSaysHowItOpensAgain(t *testing.T) {
	dir := paths.ProfileDir(t.TempDir())
	check := func(caller string) string {
		err := CheckClosed(dir, 4, caller)
		if err == nil {
			return ""
		}
		return fault.From(err).Sentence()
	}
	for external, next := range map[bool]string{false: "cove start 4 --automation", true: "cove adopt 4"} {
		if err := MarkClosed(dir, []string{"one", "two"}, external); err != nil {
			t.Fatal(err)
		}
		if got := check("two"); !strings.HasSuffix(got, next) || strings.Contains(got, "cove start") == external {
			t.Errorf("external %v: %s", external, got)
		}
		if got := check("three"); got != "" {
			t.Errorf("somebody else reads: %s", got)
		}
	}
	if err := os.WriteFile(dir.ClosedFor(), []byte(`["one"]`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := check("one"); !strings.Contains(got, "cove start 4") {
		t.Errorf("of an earlier version: %s", got)
	}
	ForgetClosed(dir)
	if got := check("one"); got != "" {
		t.Errorf("it is open again: %s", got)
	}
}
