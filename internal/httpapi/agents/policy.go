package agents

import (
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/wire"
	"cove/internal/policy"
	"cove/internal/profile"
)

// Policy answers GET /browser_profiles/{id}/policy.
func (h *Handlers) Policy(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Get(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	return showPolicy(p), nil
}

func showPolicy(p profile.Profile) api.PolicyData {
	shown := wire.ShowPolicy(p.Policy)
	if p.External.Set() {
		shown.Words = p.Policy.DescribeShared()
	}
	return shown
}

// SetPolicy answers PUT /browser_profiles/{id}/policy.
func (h *Handlers) SetPolicy(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	next, err := wire.ReadPolicy(raw)
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireOwner, c.RequireLogin); err != nil {
		return nil, err
	}
	now, err := h.Profiles.Get(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}
	granted, err := permit.Policy(c, now.Policy, next)
	if err != nil {
		return nil, err
	}
	if now.External.Set() {
		if err := permit.OpenShared(c, now.Policy, next); err != nil {
			return nil, err
		}
	}
	p, err := h.Profiles.Update(c.Context(), c.ID, func(p *profile.Profile) error {
		if err := permit.StillPolicy(granted, p.Policy, next); err != nil {
			return err
		}
		p.Policy = next
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.AllowTime()
	return showPolicy(p), h.Access.Apply(c.Context(), c.ID)
}

// TestPolicy answers POST /policy/test. It changes nothing, and asks no profile.
func (h *Handlers) TestPolicy(c *call.Call) (any, error) {
	var in api.PolicyTest
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.Policy == nil {
		return nil, fault.Fieldf("policy", "The test needs a policy.")
	}
	p, err := wire.CleanPolicy(*in.Policy)
	if err != nil {
		return nil, fault.In("policy", err)
	}
	class := policy.Class(in.Right)
	if class != "" && !slices.Contains(policy.Classes, class) {
		return nil, fault.Fieldf("right", "There is no right %q.", in.Right).
			WithHint(fault.Suggest(in.Right, policy.Classes...))
	}
	address, err := policy.ReadAddress(in.URL)
	if err != nil {
		return nil, err
	}
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}

	o := policy.NewRules(p).TryStep(address, class)
	return api.PolicyTested{Data: api.PolicyOutcome{URL: address, Answer: string(o.Answer), Rule: o.Rule}}, nil
}
