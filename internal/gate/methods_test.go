package gate

import (
	"testing"

	"cove/internal/gate/method"
)

func TestOnlyListedMethodsAreCheckedAndRedacted(t *testing.T) {
	listed := method.Rules()
	for name := range checks() {
		if _, ok := listed[name]; !ok {
			t.Errorf("%s has a check and stands in no list", name)
		}
	}
	for name := range redactions() {
		if _, ok := listed[name]; !ok {
			t.Errorf("%s is redacted and stands in no list", name)
		}
	}
	for name, r := range methods() {
		if r.Kind != method.Plain && r.check == nil {
			t.Errorf("%s has no check", name)
		}
	}
}
