package policy

import (
	"fmt"
	"strings"
)

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
	lines := []string{presetTexts[p.preset()]}
	if p.Agents() {
		lines = append(lines, p.describeRights()...)
	}
	if len(p.Sites.Allow) > 0 {
		lines = append(lines, "Only these sites are loaded, whoever asks: "+strings.Join(p.Sites.Allow, ", ")+".")
	}
	if len(p.Sites.Block) > 0 {
		lines = append(lines, "Never loaded: "+strings.Join(p.Sites.Block, ", ")+".")
	}
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
			if p.Right(c) == part.answer && (c != Leave || len(p.Sites.Allow) > 0) {
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

// Outcome is the answer of a policy to one question, for people who try the policy out.
type Outcome struct {
	Question string `json:"question"`
	// Answer is yes, ask or no.
	Answer Answer `json:"answer"`
	Rule   string `json:"rule"`
}

// Try returns the outcome for an address, or for a class by its name.
func (r *Rules) Try(question string) Outcome {
	o := Outcome{Question: question, Answer: Yes}
	if !r.Agents() {
		o.Answer, o.Rule = No, "agents are not allowed in this profile"
		return o
	}
	if says, ok := Says[Class(question)]; ok {
		o.Answer, o.Rule = r.Right(Class(question)), r.ruleOf(Class(question))+": "+says
		return o
	}
	v := r.URL(question)
	switch {
	case v.OK() && r.HasSites():
		o.Rule = "the profile's lists of sites allow it"
	case v.OK():
		o.Rule = "no rule is about this site"
	case v.Blocked:
		o.Answer, o.Rule = No, v.Rule
	default:
		o.Answer, o.Rule = r.Right(v.Class), v.Rule+"; "+r.ruleOf(v.Class)
	}
	return o
}

// ruleOf names the rule that decides about a class.
func (r *Rules) ruleOf(c Class) string {
	if a, ok := r.Rights[c]; ok {
		return fmt.Sprintf("the right %s is %s", c, a)
	}
	return fmt.Sprintf("the preset %s gives the right %s: %s", r.preset(), c, r.Right(c))
}
