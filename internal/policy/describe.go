package policy

import "strings"

// presetTexts describes each preset for people.
var presetTexts = map[Preset]string{
	Open: "Agents may work here. The rights bind the tools; " +
		"programs that speak the browser's protocol themselves work as with Chrome.",
	Guarded: "Agents may work here under rules that bind programs too; " +
		"a program needs the token, or the address from the profile's own folder.",
	ReadOnly: "Agents may look and nothing else, programs too.",
	Off:      "Agents are not allowed in this profile at all.",
}

// Describe returns the policy in plain sentences.
func (p Policy) Describe() []string {
	var sites []string
	if len(p.Sites.Allow) > 0 {
		sites = append(sites, "Only these sites are loaded, whoever asks: "+strings.Join(p.Sites.Allow, ", ")+".")
	}
	if len(p.Sites.Block) > 0 {
		sites = append(sites, "Never loaded: "+strings.Join(p.Sites.Block, ", ")+".")
	}
	return p.describe(sites)
}

// DescribeShared is Describe for a browser that its user shares. Nobody filters what its pages load.
func (p Policy) DescribeShared() []string {
	sites := []string{"Agents work only in tabs that you share, in tabs that they open, and in tabs that these open."}
	if len(p.Sites.Allow) > 0 {
		sites = append(sites, "Agents work only on "+strings.Join(p.Sites.Allow, ", ")+".")
	}
	if len(p.Sites.Block) > 0 {
		sites = append(sites, "Agents never work on "+strings.Join(p.Sites.Block, ", ")+".")
	}
	return p.describe(append(sites,
		"Site rules decide where agents go and which tabs they see, not what a page loads.",
		"Downloads go to your own folder. A click can start one, whatever the permission says.",
		"In these tabs agents act as you. A script that you allow can read what the page can."))
}

func (p Policy) describe(sites []string) []string {
	lines := []string{presetTexts[p.preset()]}
	if p.Agents() {
		lines = append(lines, p.describeRights()...)
	}
	lines = append(lines, sites...)
	for _, a := range p.Always {
		what := make([]string, 0, len(a.Rights))
		for _, c := range a.Rights {
			what = append(what, Says[c])
		}
		lines = append(lines, "Where they ask, they need not on "+a.Site+" to: "+strings.Join(what, "; ")+".")
	}
	if p.OneDriver {
		lines = append(lines, "One agent acts at a time.")
	}
	if p.SharedTabs {
		lines = append(lines, "Agents share tabs: each may act in those of the others.")
	}
	if p.NoScreenshots {
		lines = append(lines, "The journal stores no screenshots.")
	}
	if len(p.Answerers) > 0 {
		lines = append(lines, "You may answer requests inside these clients: "+strings.Join(p.Answerers, ", ")+".")
	}
	return lines
}

func (p Policy) describeRights() (lines []string) {
	for _, part := range []struct {
		answer Answer
		begins string
	}{{Yes, "They may: "}, {Ask, "They ask you before they: "}, {No, "They may not: "}} {
		var what []string
		for _, c := range Classes {
			if p.Right(c) == part.answer && (c != OtherSite || len(p.Sites.Allow) > 0) {
				what = append(what, Says[c])
			}
		}
		if len(what) > 0 {
			lines = append(lines, part.begins+strings.Join(what, "; ")+".")
		}
	}
	if p.BindsPrograms() && p.Right(Script) != No {
		lines = append(
			lines,
			"A script can read cookies and password fields, so these are not hidden from an agent "+
				"that may run scripts.",
		)
	}
	return lines
}
