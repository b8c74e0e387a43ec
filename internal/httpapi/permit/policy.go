package permit

import (
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/policy"
)

// Policy refuses a policy that allows more than the one before, unless the person sets it. granted reports whether the
// person did.
func Policy(c *call.Call, before, after policy.Policy) (granted bool, err error) {
	if !after.Loosens(before) {
		return false, nil
	}
	err = call.First(c.RequirePerson, c.Confirm)
	return err == nil, err
}

// OpenShared refuses the preset open for a browser that its user shares, unless a PIN is set and given with this call:
// every program that runs as the user could set it otherwise, and then work as the user on every site.
func OpenShared(c *call.Call, before, after policy.Policy) error {
	if after.BindsPrograms() || !before.BindsPrograms() {
		return nil
	}
	return c.RequirePIN("The preset open gives programs everything that you are logged in to in that browser.")
}

// StillPolicy refuses a change that Policy let through if the stored policy, before, has changed since and the change
// now allows more than it.
func StillPolicy(granted bool, before, after policy.Policy) error {
	if granted || !after.Loosens(before) {
		return nil
	}
	return fault.New(fault.CodePolicyChanged, "The policy was changed in the meantime.", "Review it and try again.")
}
