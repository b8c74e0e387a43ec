package policy_test

import (
	"strings"
	"testing"

	"cove/internal/policy"
)

func TestTryStep(t *testing.T) {
	rules := policy.NewRules(policy.Policy{Preset: policy.Guarded,
		Sites:  policy.Sites{Allow: []string{"https://*.example.com", "bank.test"}, Block: []string{"pay.example.com"}},
		Rights: map[policy.Class]policy.Answer{policy.OtherSite: policy.Ask},
		Always: []policy.Always{{Site: "https://mail.example.com", Rights: []policy.Class{policy.Upload}}}})
	for name, c := range map[string]struct {
		address string
		class   policy.Class
		want    policy.Answer
		rule    string
	}{
		"opens an allowed page":                     {"https://www.example.com/x", "", policy.Yes, "lists of sites allow it"},
		"clicks on an allowed page":                 {"https://www.example.com/x", policy.Act, policy.Yes, "sets the permission act to yes"},
		"asks before an upload":                     {"https://www.example.com/x", policy.Upload, policy.Ask, "sets the permission upload to ask"},
		"uploads where a rule for the site says so": {"https://mail.example.com/x", policy.Upload, policy.Yes, "a rule for this site"},
		"runs no script":                            {"https://mail.example.com/x", policy.Script, policy.No, "sets the permission script to no"},
		"does nothing on a blocked page":            {"https://pay.example.com", policy.Act, policy.No, "blocks pay.example.com"},
		"asks before a page that is not listed":     {"https://other.test", policy.Act, policy.Ask, "the permission leave is set to ask"},
		"runs no script there either":               {"https://other.test", policy.Script, policy.No, "sets the permission script to no"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rules.TryStep(c.address, c.class); got.Answer != c.want || !strings.Contains(got.Rule, c.rule) {
				t.Errorf("%q: %s because %s", c.address, got.Answer, got.Rule)
			}
		})
	}
	off := policy.NewRules(policy.Policy{Preset: policy.Off})
	if got := off.TryStep("https://www.example.com", policy.Act); got.Answer != policy.No ||
		!strings.Contains(got.Rule, "not allowed in this profile") {
		t.Errorf("off: %+v", got)
	}
}
