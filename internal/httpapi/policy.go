package httpapi

import (
	"encoding/json"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/profile"
)

func policyOf(in api.Policy) policy.Policy {
	p := policy.Policy{Preset: policy.Preset(in.Preset), Sites: policy.Sites(in.Sites), OneDriver: in.OneDriver, NoPictures: in.NoPictures, Answerers: in.Answerers}
	for c, a := range in.Rights {
		if p.Rights == nil {
			p.Rights = map[policy.Class]policy.Answer{}
		}
		p.Rights[policy.Class(c)] = policy.Answer(a)
	}
	return p
}

func showPolicy(p policy.Policy) api.PolicyData {
	p.Preset = presetOf(p)
	out := api.PolicyData{Data: api.Policy{Preset: string(p.Preset), Sites: api.PolicySites(p.Sites), OneDriver: p.OneDriver, NoPictures: p.NoPictures, Answerers: p.Answerers},
		Rights: map[string]string{}, Words: p.Describe()}
	for c, a := range p.Rights {
		if out.Data.Rights == nil {
			out.Data.Rights = map[string]string{}
		}
		out.Data.Rights[string(c)] = string(a)
	}
	for _, c := range policy.Classes {
		out.Rights[string(c)] = string(p.Right(c))
	}
	return out
}

// presetOf is the preset, open when none was ever chosen.
func presetOf(p policy.Policy) policy.Preset {
	if p.Preset == "" {
		return policy.Open
	}
	return p.Preset
}

func (s *Server) policy(c *call) (any, error) {
	if err := first(c.requireCredential, c.mustLogIn); err != nil {
		return nil, err
	}
	p, err := s.Profiles.Get(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	return showPolicy(p.Policy), nil
}

// readPolicy reads a whole policy.
func readPolicy(raw json.RawMessage) (p policy.Policy, err error) {
	if raw == nil {
		return p, fault.Invalidf("The request says nothing to change.")
	}
	var in api.StrictPolicy
	if err := decodeJSON(raw, &in); err != nil {
		return p, err
	}
	if in.Preset == "" {
		return p, fault.Invalidf("A policy needs a preset.").WithHint("Choose open, guarded, read-only or off.")
	}
	p = policyOf(api.Policy(in))
	return p, p.Clean()
}

func (s *Server) setPolicy(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	next, err := readPolicy(raw)
	if err != nil {
		return nil, err
	}
	if err := first(c.requireOwner, c.mustLogIn); err != nil {
		return nil, err
	}
	now, err := s.Profiles.Get(c.Context(), c.id)
	if err != nil {
		return nil, err
	}
	if next.Loosens(now.Policy) {
		if err := first(c.requirePerson, c.confirm); err != nil {
			return nil, err
		}
	}
	p, err := s.Profiles.Update(c.Context(), c.id, func(p *profile.Profile) error {
		if next.Loosens(p.Policy) && !next.Loosens(now.Policy) {
			return fault.New(fault.Conflict, "E_POLICY_CHANGED", "Somebody else has changed the policy meanwhile.", "Look at it and try again.")
		}
		p.Policy = next
		return nil
	})
	if err != nil {
		return nil, err
	}
	c.patient()
	return showPolicy(p.Policy), s.Access.Apply(c.Context(), c.id)
}
