package policy

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/policy/site"
)

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

// TryStep returns the outcome for a step that needs a right, on a page at an address. The page has to be opened first:
// the stricter of both answers counts. Without a class, only the page is tried.
func (r *Rules) TryStep(address string, c Class) Outcome {
	page := r.Try(address)
	if c == "" || page.Answer == No {
		return page
	}
	step := Outcome{Question: address, Answer: r.RightOn(c, address), Rule: r.ruleOf(c) + ": " + Says[c]}
	if step.Answer != r.Right(c) {
		step.Rule = "a rule for this site says yes: " + Says[c]
	}
	if page.Answer == Ask && step.Answer == Yes {
		return page
	}

	return step
}

// ReadQuestion reads what is tried: an address as people write it, or the name of a class.
func ReadQuestion(text string) (string, error) {
	if _, ok := Says[Class(text)]; ok {
		return text, nil
	}
	if address, ok := asAddress(text); ok {
		return address, nil
	}
	names := make([]string, len(Classes))
	for i, c := range Classes {
		names[i] = string(c)
	}

	return "", fault.Invalidf("%q is neither a URL nor a permission.", text).
		WithHint(fault.Suggest(text, Classes...) +
			"Use a URL such as https://example.com, or one of " + strings.Join(names, ", ") + ".")
}

// ReadAddress reads the address of a page as people write it.
func ReadAddress(text string) (string, error) {
	if address, ok := asAddress(strings.TrimSpace(text)); ok {
		return address, nil
	}
	return "", fault.Fieldf("url", "%q is not a URL.", text).WithHint("Use a URL such as https://example.com.")
}

// asAddress turns a site as people write it into a URL. A URL stays as it is.
func asAddress(text string) (string, bool) {
	if u, err := url.Parse(text); err == nil && u.Scheme != "" &&
		(u.Host != "" || u.Opaque == "" || !isPort(u.Opaque)) {
		return text, true
	}
	host, _, _ := strings.Cut(text, "/")
	name, _, _ := strings.Cut(host, ":")
	if _, err := site.Parse(host); err != nil ||
		(!strings.Contains(name, ".") && name != "localhost" && !strings.HasPrefix(host, "[")) {
		return "", false
	}

	return "https://" + text, true
}

// isPort tells localhost:3000 from about:blank: to a parser, both have a scheme.
func isPort(text string) bool {
	port, _, _ := strings.Cut(text, "/")
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

// ruleOf names the rule that decides about a class.
func (r *Rules) ruleOf(c Class) string {
	if a, ok := r.Rights[c]; ok {
		return fmt.Sprintf("the permission %s is set to %s", c, a)
	}
	return fmt.Sprintf("the preset %s sets the permission %s to %s", r.preset(), c, r.Right(c))
}
