package mcpserver

import (
	"testing"

	"cove/internal/sensitive"
)

// The question to the person names the field of the form, also where nobody knows which fields there are.
func TestTheQuestionNamesTheField(t *testing.T) {
	for kind, want := range map[sensitive.Kind]string{
		sensitive.Password: "a password field",
		sensitive.Code:     "a one-time code field",
		sensitive.Payment:  "a payment field",
		sensitive.Unknown:  "a password or payment field (Cove could not check the page)",
	} {
		if got := fieldOf(kind); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
