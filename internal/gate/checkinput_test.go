package gate

import (
	"testing"

	"cove/internal/sensitive"
)

// The question to the person names what is filled.
func TestTheQuestionNamesWhatIsFilled(t *testing.T) {
	for kind, want := range map[sensitive.Kind]string{
		sensitive.Password: "with a password field that is filled",
		sensitive.Code:     "with a one-time code field that is filled",
		sensitive.Payment:  "with a payment field that is filled",
		sensitive.Unknown:  "that may have a password or payment field that is filled (Cove could not check the page)",
	} {
		if got := filledWords(kind); got != want {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
