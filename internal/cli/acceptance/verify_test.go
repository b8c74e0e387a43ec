package acceptance

import (
	"errors"
	"testing"

	"cove/api"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/verify"
)

// TestAFailedStepIsNotVerified: whatever made a step fail, the code says that the profile was not verified. A refusal
// of the app decides the exit code and the hint, and can be found in the error.
func TestAFailedStepIsNotVerified(t *testing.T) {
	plan := &api.Failure{Status: 402, Body: api.Error{ErrorObject: api.ErrorObject{Type: fault.Payment,
		Code: fault.CodePlanAutomation, Text: "Your plan does not open profiles.", Hint: "Choose another."}}}
	for _, c := range []struct {
		name       string
		failed     error
		exit       int
		text, hint string
	}{
		{"an error of the step", errors.New("no answer"), exit.Internal, `Profile 7 failed at "tools/list".`,
			"See the log: cove logs"},
		{"a refusal of the app", plan, exit.Plan, `Profile 7 failed at "tools/list".`, "Choose another."},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := notVerified(7, verify.Step{Name: "tools/list"}, c.failed)
			if code := fault.From(err).Code; code != fault.CodeNotVerified {
				t.Errorf("the code is %s", code)
			}
			if !errors.Is(err, c.failed) {
				t.Errorf("the error does not say why: %v", err)
			}
			code, text, hint := exit.Explain(err, true)
			if code != c.exit || text != c.text || hint != c.hint {
				t.Errorf("%d %q %q", code, text, hint)
			}
		})
	}
}
