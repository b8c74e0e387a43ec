package gate

import (
	"testing"

	"cove/internal/gate/method"
)

func TestOnlyListedMethodsAreChecked(t *testing.T) {
	listed := method.Rules()
	for name := range checks() {
		if _, ok := listed[name]; !ok {
			t.Errorf("%s has a check and stands in no list", name)
		}
	}
	for name, r := range listed {
		if r.Kind != method.Plain && checkOf(name, r.Kind) == nil {
			t.Errorf("%s has no check", name)
		}
	}
}
