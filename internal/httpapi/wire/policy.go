package wire

import (
	"encoding/json"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/policy"
)

// PolicyOf returns the policy that a request describes.
func PolicyOf(in api.Policy) policy.Policy {
	p := policy.Policy{Preset: policy.Preset(in.Preset), Sites: policy.Sites(in.Sites), OneDriver: in.OneDriver,
		SharedTabs: in.SharedTabs, NoScreenshots: in.NoPictures, Answerers: in.Answerers}
	for on, rights := range in.Always {
		rule := policy.Always{Site: on}
		for _, c := range rights {
			rule.Rights = append(rule.Rights, policy.Class(c))
		}
		p.Always = append(p.Always, rule)
	}
	for c, a := range in.Rights {
		if p.Rights == nil {
			p.Rights = map[policy.Class]policy.Answer{}
		}
		p.Rights[policy.Class(c)] = policy.Answer(a)
	}
	return p
}

// ShowPolicy returns a policy with the rights that follow from it.
func ShowPolicy(p policy.Policy) api.PolicyData {
	p.Preset = PresetOf(p)
	out := api.PolicyData{Data: api.Policy{Preset: string(p.Preset), Sites: api.PolicySites(p.Sites),
		OneDriver: p.OneDriver, SharedTabs: p.SharedTabs, NoPictures: p.NoScreenshots, Answerers: p.Answerers},
		Rights: map[string]string{}, Words: p.Describe()}
	for _, a := range p.Always {
		if out.Data.Always == nil {
			out.Data.Always = map[string][]string{}
		}
		for _, c := range a.Rights {
			out.Data.Always[a.Site] = append(out.Data.Always[a.Site], string(c))
		}
	}
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

// PresetOf returns the policy's preset, which is open when none was chosen.
func PresetOf(p policy.Policy) policy.Preset {
	if p.Preset == "" {
		return policy.Open
	}
	return p.Preset
}

// ReadPolicy reads a whole policy.
func ReadPolicy(raw json.RawMessage) (p policy.Policy, err error) {
	if raw == nil {
		return p, fault.Invalidf("The request contains no changes.")
	}
	var in api.StrictPolicy
	if err := input.DecodeJSON(raw, &in); err != nil {
		return p, err
	}
	return CleanPolicy(in)
}

// CleanPolicy returns a whole policy in its canonical form.
func CleanPolicy(in api.StrictPolicy) (p policy.Policy, err error) {
	if in.Preset == "" {
		return p, fault.Fieldf("preset", "A policy needs a preset.").WithHint("Choose open, guarded, read-only or off.")
	}
	p = PolicyOf(api.Policy(in))
	return p, p.Clean()
}
