package cookies

import (
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// mayWrite checks who brings data into a profile: whoever can start it, within its policy.
func (h *Handlers) mayWrite(c *call.Call, id profile.ID) error { return h.may(c, id, permit.Import) }

// mayRead checks who takes data out of a profile.
func (h *Handlers) mayRead(c *call.Call, id profile.ID) error { return h.may(c, id, permit.Export) }

func (h *Handlers) may(
	c *call.Call, id profile.ID, allowed func(*call.Call, permit.Agents, profile.Profile) error,
) error {
	if id == 0 {
		return fault.Fieldf("profileId", "The request names no profile.").
			WithHint("Send its id in the field profileId.")
	}
	if id < 0 {
		return fault.Fieldf("profileId", "%d is not a profile id.", id).
			WithHint("A profile id is a whole number such as 1; `cove profile list` shows them.")
	}
	if err := call.First(c.MayDrive, c.RequireLogin); err != nil {
		return err
	}
	p, err := h.Profiles.Get(c.Context(), id)
	if err != nil {
		return err
	}
	return allowed(c, h.Sessions, p)
}
