package permit

import (
	"context"

	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Agents says why programs may not use a profile now; *session.Supervisor does.
type Agents interface {
	AdmitsAgents(ctx context.Context, p profile.Profile) error
}

// Import refuses a caller that may not bring cookies and storage into a profile. Where a policy binds programs, a
// credential is needed. While there is a panic, only the person may.
func Import(c *call.Call, agents Agents, p profile.Profile) error {
	if p.Policy.BindsPrograms() {
		if err := c.RequireCredential(); err != nil {
			return err
		}
	}
	return unlessPanic(c, agents, p.ID)
}

// Export refuses a caller that may not take cookies and storage out of a profile. Where a policy binds programs, only
// the person may: a program could use the cookies somewhere else, where the policy does not hold.
func Export(c *call.Call, agents Agents, p profile.Profile) error {
	if p.Policy.BindsPrograms() {
		return c.RequirePersonFor("export the data of a profile whose policy applies to programs")
	}
	return unlessPanic(c, agents, p.ID)
}

// unlessPanic refuses programs while all of them are blocked. It does not ask for a credential.
func unlessPanic(c *call.Call, agents Agents, id profile.ID) error {
	if _, known, err := c.Credential(); err == nil && known && c.RequirePerson() == nil {
		return nil
	}
	return agents.AdmitsAgents(c.Context(), profile.Profile{ID: id})
}
