package keeper

import (
	"net/url"
	"strings"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/protect"
	"cove/internal/relay"
)

// siteRules applies the profile's policy to the content of its pages.
type siteRules struct {
	enforcer *policy.Enforcer
	files    *protect.Files
	relay    *relay.Relay
}

var _ page.Rules = siteRules{}

// Closed says why agents may not see what is at an address; nil when they may.
func (s siteRules) Closed(address string) error {
	if err := s.files.CheckURL(address); err != nil {
		return err
	}
	rules := s.enforcer.Rules()
	if v := rules.URL(address); !rules.Permits(v) {
		return v.Refusal(siteOf(address))
	}
	if rule := s.relay.Blocks(rules, address); rule != "" { // under another name of the same address
		return policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return nil
}

// Protected reports whether an address is that of a file that no agent may see. A page of this computer could show it
// in a frame.
func (s siteRules) Protected(address string) bool { return s.files.CheckURL(address) != nil }

// Stopped asks the relay why a page did not load: it knows the addresses of the sites' names.
func (s siteRules) Stopped(address string) (failure string, refused error) {
	rule, failure := s.relay.LastFailure(address)
	if rule != "" {
		return "", policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return failure, nil
}

// Notice reports whether the answer of a request is the relay's own page about a refused site.
func (s siteRules) Notice(headers map[string]string) bool {
	return headers[strings.ToLower(relay.NoticeHeader)] == s.relay.Notice()
}

// siteOf returns the part of an address that an error may name. The rest may be text of a page.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable)"
	}
	if o, ok := site.OriginOf(u); ok {
		return o.String()
	}
	return u.Scheme + ":"
}

// enforceOn puts the rules into force in the pages that are open, now and whenever they change.
func (s siteRules) enforceOn(b *page.Browser) {
	s.enforcer.OnRulesChange(func() {
		if s.enforcer.Rules().HasSites() {
			b.Enforce()
		}
	})
}
