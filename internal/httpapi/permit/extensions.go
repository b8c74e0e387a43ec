package permit

import (
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Extensions refuses a change of the extensions of profiles that have rules, unless the person makes it: an extension
// runs code in the profile, and could bypass the rules.
func Extensions(c *call.Call, ps []profile.Profile) error {
	for _, p := range ps {
		if p.Policy.Binds() {
			return c.RequirePersonFor("change the extensions of a profile that has rules (profile " + p.ID.String() +
				")")
		}
	}
	return nil
}
