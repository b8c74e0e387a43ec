package keeper

import (
	"net/url"
	"strings"

	"cove/internal/page"
	"cove/internal/policy"
	"cove/internal/relay"
)

// sites is what the profile's policy means for its pages.
type sites struct{ *keeper }

var _ page.Rules = sites{}

// Closed answers why agents may not see what is at an address.
func (s sites) Closed(address string) error {
	if err := s.files.CheckURL(address); err != nil {
		return err
	}
	book := s.enforcer.Rules()
	if v := book.URL(address); !book.Permits(v) {
		return v.Refusal(siteOf(address))
	}
	if rule := s.relay.Blocks(book, address); rule != "" { // by another name of the same address
		return policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return nil
}

// Protected tells whether an address is of a file that no agent may see: a page of this computer could show it in a frame.
func (s sites) Protected(address string) bool { return s.files.CheckURL(address) != nil }

// Stopped asks the relay, which knows what addresses the names of sites have led to.
func (s sites) Stopped(address string) (failure string, refused error) {
	rule, failure := s.relay.Why(address)
	if rule != "" {
		return "", policy.Verdict{Rule: rule}.Refusal(siteOf(address))
	}
	return failure, nil
}

func (s sites) Notice(headers map[string]string) bool {
	return headers[strings.ToLower(relay.NoticeHeader)] == s.relay.Notice
}

// siteOf is what an error names: the rest of an address may be a page's words.
func siteOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "(unreadable)"
	}
	if o, ok := policy.OriginOf(u); ok {
		return o.String()
	}
	return u.Scheme + ":"
}

// holdSites puts the rules for sites into force for pages that are open.
func (k *keeper) holdSites(b *page.Browser) {
	k.enforcer.OnRulesChange(func() {
		if k.enforcer.Rules().HasSites() {
			b.Enforce()
		}
	})
}
