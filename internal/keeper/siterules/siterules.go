// Package siterules applies the policy of a profile to what its pages show.
package siterules

import (
	"net/url"
	"strings"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/protect"
	"cove/internal/relay"
)

// Rules are the rules of one profile for the content of its pages: its policy, the files that no agent sees, and what
// the relay knows of the addresses of sites.
type Rules struct {
	enforcer *policy.Enforcer
	files    *protect.Files
	relay    *relay.Relay // nil for a browser that a person shares: nobody filters what its pages load
}

var _ page.Rules = Rules{}

// New returns the rules of a profile.
func New(e *policy.Enforcer, f *protect.Files, r *relay.Relay) Rules { return Rules{e, f, r} }

// Closed says why agents may not see what is at an address; nil when they may.
func (s Rules) Closed(address string) error {
	if err := s.files.CheckURL(address); err != nil {
		return err
	}
	rules := s.enforcer.Rules()
	if v := rules.URL(address); !rules.Permits(v) {
		return v.Refusal(siteOf(address))
	}
	if s.relay == nil {
		return nil
	}
	if rule := s.relay.Blocks(rules, address); rule != "" { // under another name of the same address
		return policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return nil
}

// Protected reports whether an address is that of a file that no agent may see. A page of this computer could show it
// in a frame.
func (s Rules) Protected(address string) bool { return s.files.CheckURL(address) != nil }

// Stopped asks the relay why a page did not load: it knows the addresses of the sites' names.
func (s Rules) Stopped(address string) (failure string, refused error) {
	if s.relay == nil {
		return "", nil
	}
	rule, failure := s.relay.LastFailure(address)
	if rule != "" {
		return "", policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return failure, nil
}

// Notice reports whether the answer of a request is the relay's own page about a refused site.
func (s Rules) Notice(headers map[string]string) bool {
	return s.relay != nil && headers[strings.ToLower(relay.NoticeHeader)] == s.relay.Notice()
}

// Empties reports whether pages of refused sites are emptied: not in a browser that a person shares, where they may
// have been opened by the person.
func (s Rules) Empties() bool { return s.relay != nil }

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

// EnforceOn puts the rules into force in the pages that are open, now and whenever they change.
func (s Rules) EnforceOn(b *page.Browser) {
	s.enforcer.OnRulesChange(func() {
		if s.enforcer.Rules().HasSites() {
			b.Enforce()
		}
	})
}
