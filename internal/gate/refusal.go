package gate

import (
	"strings"

	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/wording"
)

// refused returns the fault for a command that the policy does not allow.
func refused(text, hint string) *fault.Error { return fault.New(fault.CodePolicy, text, hint) }

// closedTo returns why the policy closes a page to programs; nil if the page is open.
func closedTo(rules *policy.Rules, address string) error {
	v := rules.URL(address)
	if v.OK() || strings.HasPrefix(address, "chrome-error:") {
		return nil
	}
	if !rules.BindsPrograms() && (v.Class != policy.Local || strings.HasPrefix(address, "file:")) {
		return nil // the relay enforces the rules for sites; only what could change the relay is closed
	}
	if !v.Blocked && rules.Right(v.Class) != policy.No {
		return nil
	}

	return fault.New(fault.CodePolicySite, "The page "+wording.Shorten(address, 200)+" is closed to agents: "+v.Rule+
		".",
		"Navigate to another page, or ask the user to change the agent permissions of this profile.").
		WithBrief(v.Brief(address))
}
