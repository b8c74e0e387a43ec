package policy

import (
	"net/url"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/policy/site"
)

// Always is a rule that a person has made of an answer: on a site, agents need not ask for some rights. It turns an ask
// into a yes, never a no.
type Always struct {
	Site   string  `json:"site"`
	Rights []Class `json:"rights"`
}

// siteRights are the classes that a rule for a site can allow. The others are not about a site, or have a list of
// their own.
var siteRights = []Class{Act, Submit, Upload, Download, Script, Storage, Clipboard}

const maxAlways = 200

// cleanAlways puts the rules for sites into their canonical form.
func (p *Policy) cleanAlways() error {
	if len(p.Always) > maxAlways {
		return fault.Fieldf("always", "A policy holds at most %d rules for sites.", maxAlways)
	}
	var clean []Always
	for _, a := range p.Always {
		pattern, err := site.Parse(a.Site)
		if err != nil {
			f := fault.From(err)
			return fault.Fieldf("always", "In the rules for sites: %s", f.Text).WithHint(f.Hint)
		}
		if len(a.Rights) == 0 {
			return fault.Fieldf("always", "The rule for %s names no right.", pattern)
		}
		for _, c := range a.Rights {
			if !slices.Contains(siteRights, c) {
				return fault.Fieldf("always", "The right %q cannot be allowed on a site.", c).
					WithHint("The rights are act, submit, upload, download, script, storage and clipboard.")
			}
			clean = addAlways(clean, pattern.String(), c)
		}
	}
	slices.SortFunc(clean, func(a, b Always) int { return strings.Compare(a.Site, b.Site) })
	p.Always = clean
	return nil
}

// addAlways adds a right to the rule for a site.
func addAlways(all []Always, on string, c Class) []Always {
	i := slices.IndexFunc(all, func(a Always) bool { return a.Site == on })
	if i < 0 {
		return append(slices.Clone(all), Always{Site: on, Rights: []Class{c}})
	}
	all = slices.Clone(all)
	if !slices.Contains(all[i].Rights, c) {
		all[i].Rights = append(slices.Clone(all[i].Rights), c)
	}
	return all
}

// AllowOn returns the policy with a rule more: agents need not ask for a right on a site.
func (p Policy) AllowOn(on string, c Class) Policy {
	if c == OtherSite {
		if !slices.Contains(p.Sites.Allow, on) {
			p.Sites.Allow = append(slices.Clone(p.Sites.Allow), on)
		}
		return p
	}
	p.Always = addAlways(p.Always, on, c)
	return p
}

// sameAlways reports whether every rule of now is also one of before.
func sameAlways(now, before []Always) bool {
	for _, a := range now {
		i := slices.IndexFunc(before, func(b Always) bool { return b.Site == a.Site })
		if i < 0 || slices.ContainsFunc(a.Rights, func(c Class) bool { return !slices.Contains(before[i].Rights, c) }) {
			return false
		}
	}
	return true
}

// RightOn returns what the policy says to a class at the given addresses: where it asks, a rule for a site can say yes,
// if it covers all of them.
func (r *Rules) RightOn(c Class, addresses ...string) Answer {
	right := r.Right(c)
	if right != Ask || len(r.always) == 0 || len(addresses) == 0 {
		return right
	}
	for _, address := range addresses {
		o, ok := originOf(address)
		if !ok || !slices.ContainsFunc(r.always, func(rule siteRule) bool {
			return slices.Contains(rule.rights, c) && rule.site.Matches(o)
		}) {
			return right
		}
	}
	return Yes
}

// siteRule is an Always with its pattern parsed.
type siteRule struct {
	site   site.Pattern
	rights []Class
}

func originOf(address string) (site.Origin, bool) {
	u, err := url.Parse(address)
	if err != nil {
		return site.Origin{}, false
	}
	return site.OriginOf(u)
}

// siteRule returns the site for which a request can be made a rule, and what the rule says; "" for none.
func (r *Rules) siteRule(q Request) (on, words string) {
	o, ok := originOf(q.Page)
	if q.Class == OtherSite && len(q.Frames) > 0 { // where it goes to
		o, ok = originOf(q.Frames[0])
	}
	if !ok {
		return "", ""
	}
	pattern, err := site.Parse(o.String())
	switch {
	case err != nil:
		return "", ""
	case q.Class == OtherSite:
		return pattern.String(), "Agents may always go to " + pattern.String() + "."
	case !slices.Contains(siteRights, q.Class):
		return "", ""
	}
	for _, frame := range q.Frames { // such a rule would not cover it
		if other, ok := originOf(frame); !ok || !o.Same(other) {
			return "", ""
		}
	}
	return pattern.String(), "Agents may always " + Says[q.Class] + " on " + pattern.String() + "."
}
