package policy

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/policy/site"
)

// Rules is a policy with its site patterns parsed. It never changes.
type Rules struct {
	Policy
	allow, block []site.Pattern
	granted      []site.Origin
	always       []siteRule
}

// NewRules parses the lists of p. It skips what is not a site: Clean has refused that before.
func NewRules(p Policy) *Rules {
	b := &Rules{Policy: p}
	for _, list := range []struct {
		texts []string
		sites *[]site.Pattern
	}{{p.Sites.Allow, &b.allow}, {p.Sites.Block, &b.block}} {
		for _, text := range list.texts {
			if s, err := site.Parse(text); err == nil {
				*list.sites = append(*list.sites, s)
			}
		}
	}
	for _, a := range p.Always {
		if s, err := site.Parse(a.Site); err == nil {
			b.always = append(b.always, siteRule{s, a.Rights})
		}
	}
	return b
}

// with returns a copy with one more origin that a person has approved.
func (r *Rules) with(o site.Origin) *Rules {
	c := *r
	c.granted = append(slices.Clip(r.granted), o)
	return &c
}

// HasSites reports whether there is any rule about sites.
func (r *Rules) HasSites() bool { return len(r.allow)+len(r.block) > 0 }

// Verdict is the judgment of the rules on an address.
type Verdict struct {
	// Class is the right that the step would need: "" when the rules allow it.
	Class Class
	// Blocked means that no right helps.
	Blocked bool
	// Rule says which rule decided, for people and agents.
	Rule string
}

// OK reports whether the rules allow the address.
func (v Verdict) OK() bool { return v.Class == "" && !v.Blocked }

// Permits reports whether a judged address may be opened without a person: a right that the policy gives outright
// counts as allowed. A person approves a page of this computer when it is opened, not whenever it is looked at.
func (r *Rules) Permits(v Verdict) bool {
	return !v.Blocked && (v.Class == "" || r.Right(v.Class) == Yes || (v.Class == Local && r.Right(Local) == Ask))
}

// Origin judges where a request goes.
func (r *Rules) Origin(o site.Origin) Verdict {
	matches := func(s site.Pattern) bool { return s.Matches(o) }
	if i := slices.IndexFunc(r.block, matches); i >= 0 {
		return Verdict{Blocked: true, Rule: "the profile's policy blocks " + r.block[i].String()}
	}
	if len(r.allow) > 0 && !slices.ContainsFunc(r.allow, matches) && !slices.ContainsFunc(r.granted, o.Same) {
		return Verdict{Class: OtherSite, Rule: "the profile's policy allows only " + r.allowedSites()}
	}
	return Verdict{}
}

// Expressions returns the rules for origins as regular expressions of scripts (see site.Pattern.Expression): what
// is open, and what is not. An empty allow stands for every origin, an empty block for none.
func (r *Rules) Expressions() (allow, block string) {
	join := func(list []site.Pattern) string {
		all := make([]string, len(list))
		for i, s := range list {
			all[i] = s.Expression()
		}
		return strings.Join(all, "|")
	}
	block = join(r.block)
	if len(r.allow) > 0 && r.Right(OtherSite) != Yes {
		allow = join(r.allow)
		for _, o := range r.granted {
			allow += "|" + o.Expression()
		}
	}
	return allow, block
}

// Address judges the address that a name has resolved to: a blocked address stays blocked under every name. This
// computer has many addresses and names. A rule for one of them holds for all, except for names below localhost, which
// are sites of their own. also reports further names and addresses of this computer; it may be nil.
func (r *Rules) Address(o site.Origin, ip netip.Addr, also func(host string) bool) Verdict {
	here := func(host string) bool { return isLocal(host) || (also != nil && also(host)) }
	at := ip.Unmap().WithZone("").String()
	for _, s := range r.block {
		if s.Host() == "" || (s.Host() != at && (!here(s.Host()) || !here(at))) {
			continue
		}
		if o.Host = s.Host(); s.Matches(o) {
			return Verdict{Blocked: true, Rule: "the profile's policy blocks " + s.String()}
		}
	}
	return Verdict{}
}

// isLocal reports whether a host stands for the computer that asks, whichever computer that is.
func isLocal(host string) bool {
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.IsLoopback() || ip.IsUnspecified()
	}
	return host == "localhost"
}

// allowedSites names the allowed sites, the first few of many.
func (r *Rules) allowedSites() string {
	const most = 5
	names := make([]string, 0, most+1)
	for i, s := range r.allow {
		if i == most {
			names = append(names, "…")
			break
		}
		names = append(names, s.String())
	}
	return strings.Join(names, ", ")
}

// originless are schemes whose documents have no site of their own. What these documents load is judged by itself.
var originless = []string{"about", "chrome-error", "data", "blob", "javascript", "filesystem", "mailto", "tel", ""}

// aboutPages are the about: pages that show nothing. Every other about: page is a chrome: page by another name.
var aboutPages = []string{"blank", "srcdoc"}

// IsExtension reports whether an address is of a browser extension: of its files, of what it has made itself (blob:,
// filesystem:), or of their source. The browser reads an address without its blanks and line ends, and in any case.
func IsExtension(address string) bool {
	const enough = len("view-source:filesystem:chrome-extension:")
	var begins strings.Builder
	for i := 0; i < len(address) && begins.Len() < enough; i++ {
		if address[i] > ' ' {
			begins.WriteByte(address[i])
		}
	}

	text := strings.ToLower(begins.String())
	for _, around := range [...]string{"view-source:", "blob:", "filesystem:"} {
		text = strings.TrimPrefix(text, around)
	}

	return strings.HasPrefix(text, "chrome-extension:") || strings.HasPrefix(text, "extension:") // Edge knows both
}

// URL judges an address that a page is to show. An extension has rights of its own on all sites, so no right opens its
// pages where the policy binds programs.
func (r *Rules) URL(address string) Verdict {
	if IsExtension(address) {
		if r.BindsPrograms() {
			return Verdict{Blocked: true, Rule: "an extension can do more than the profile's policy allows agents"}
		}
		return Verdict{Class: Local, Rule: "pages of extensions are closed to agents"}
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil { // the browser may understand what we do not
		return Verdict{Class: Local, Rule: "the address cannot be read"}
	}
	scheme := strings.ToLower(u.Scheme)
	if scheme == "blob" || scheme == "filesystem" { // they have the origin of whoever made them
		if within, err := url.Parse(u.Opaque); err == nil {
			if o, ok := site.OriginOf(within); ok {
				return r.Origin(o)
			}
		}
	}
	if slices.Contains(originless, scheme) &&
		(scheme != "about" || slices.Contains(aboutPages, strings.ToLower(u.Opaque))) {
		return Verdict{}
	}
	if o, ok := site.OriginOf(u); ok {
		return r.Origin(o)
	}
	return Verdict{Class: Local, Rule: scheme + ": pages are closed to agents"}
}

// Refusal returns the error for a verdict that is not OK.
func (v Verdict) Refusal(address string) *fault.Error {
	return fault.New(fault.CodePolicySite, "The address "+address+" was not opened: "+v.Rule+".",
		"Continue without it, or ask the user to change the agent permissions of this profile.").
		WithBrief(v.Brief(address))
}

// Brief returns why an address is refused, in a few words for a list of steps.
func (v Verdict) Brief(address string) string {
	site := address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		site = u.Host
	}
	switch {
	case v.Blocked && IsExtension(address):
		return v.Rule
	case v.Blocked:
		return site + " is blocked"
	case v.Class == OtherSite:
		return site + " is not on the allow list"
	}
	return v.Rule
}
