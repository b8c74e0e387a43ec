package dom

import (
	"context"
	"fmt"
	"strings"
)

// Rule is one rule of a style sheet that matches an element, or its style attribute.
type Rule struct {
	Selector     string
	Origin       string // regular, user-agent, injected, inspector
	Source       string
	From         string // the ancestor that the element inherits the rule from, if any
	Declarations []Declaration
}

// Declaration is one property of a rule.
type Declaration struct {
	Name, Value string
	Important   bool
	// Overridden reports that another rule wins.
	Overridden bool
}

type cssStyle struct {
	Properties []struct {
		Name      string `json:"name"`
		Value     string `json:"value"`
		Important bool   `json:"important"`
		Disabled  bool   `json:"disabled"`
		Text      string `json:"text"`
		Implicit  bool   `json:"implicit"`
	} `json:"cssProperties"`
}

type cssMatch struct {
	Rule struct {
		Selectors struct {
			Text string `json:"text"`
		} `json:"selectorList"`
		Origin string   `json:"origin"`
		Sheet  string   `json:"styleSheetId"`
		Style  cssStyle `json:"style"`
		Media  []struct {
			Text string `json:"text"`
		} `json:"media"`
	} `json:"rule"`
}

// matchedStyles has the members that we read of the answer to CSS.getMatchedStylesForNode.
type matchedStyles struct {
	Inline    *cssStyle  `json:"inlineStyle"`
	Attribute *cssStyle  `json:"attributesStyle"`
	Matched   []cssMatch `json:"matchedCSSRules"`
	Inherited []struct {
		Inline  *cssStyle  `json:"inlineStyle"`
		Matched []cssMatch `json:"matchedCSSRules"`
	} `json:"inherited"`
}

// Styles lists the style rules of an element, the strongest first. The rules that it inherits come after its own.
func (f *Frames) Styles(ctx context.Context, uid string) ([]Rule, error) {
	ctx, cancel, err := f.target.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer cancel()

	e, err := f.Find(ctx, uid)
	if err != nil {
		return nil, err
	}
	handle, err := f.Object(ctx, e)
	if err != nil {
		return nil, err
	}
	m, err := f.matchedStyles(ctx, e.Session, handle)
	if err != nil {
		return nil, err
	}
	return m.rules(), nil
}

// matchedStyles asks the browser for the styles of the element with the object id handle.
func (f *Frames) matchedStyles(ctx context.Context, session, handle string) (m matchedStyles, err error) {
	for _, domain := range []string{"DOM", "CSS"} {
		if err := f.target.Call(ctx, session, domain+".enable", nil, nil); err != nil {
			return m, err
		}
	}
	defer func() { // while they are enabled, the browser reports every change of the page
		for _, domain := range []string{"CSS", "DOM"} {
			f.target.Post(session, domain+".disable", nil)
		}
	}()

	if err := f.target.Call(ctx, session, "DOM.getDocument", object{"depth": 0}, nil); err != nil {
		return m, err
	}
	var node struct {
		ID int `json:"nodeId"`
	}
	if err := f.target.Call(ctx, session, "DOM.requestNode", object{"objectId": handle}, &node); err != nil {
		return m, err
	}
	return m, f.target.Call(ctx, session, "CSS.getMatchedStylesForNode", object{"nodeId": node.ID}, &m)
}

// rules lists the rules, the strongest first.
func (m matchedStyles) rules() (rules []Rule) {
	add := func(selector, origin, from string, s *cssStyle) {
		if r, ok := ruleOf(selector, origin, from, s); ok {
			rules = append(rules, r)
		}
	}
	level := func(inline *cssStyle, matched []cssMatch, from string) {
		add("element.style", "inline", from, inline)
		for i := len(matched) - 1; i >= 0; i-- {
			r := matched[i].Rule
			selector := r.Selectors.Text
			for _, media := range r.Media {
				selector = "@media " + media.Text + " " + selector
			}
			add(selector, r.Origin, from, &r.Style)
		}
	}

	level(m.Inline, m.Matched, "")
	add("attributes", "regular", "", m.Attribute)
	for i, parent := range m.Inherited {
		level(parent.Inline, parent.Matched, fmt.Sprintf("ancestor %d", i+1))
	}
	markOverridden(rules)
	return rules
}

func ruleOf(selector, origin, from string, s *cssStyle) (Rule, bool) {
	if s == nil {
		return Rule{}, false
	}

	r := Rule{Selector: selector, Origin: origin, From: from}
	for _, p := range s.Properties {
		if p.Disabled || p.Implicit || p.Value == "" ||
			(p.Text == "" && origin != "user-agent" && origin != "regular") {
			continue
		}
		if from != "" && !inherits(p.Name) {
			continue
		}
		r.Declarations = append(r.Declarations, Declaration{Name: p.Name, Value: p.Value, Important: p.Important})
	}
	return r, len(r.Declarations) > 0
}

// inherits reports whether CSS inherits a property by default.
func inherits(name string) bool {
	switch name {
	case "color", "cursor", "direction", "visibility", "quotes", "orphans", "widows", "letter-spacing", "line-height",
		"word-spacing", "white-space", "word-break", "border-collapse", "border-spacing", "caption-side", "empty-cells",
		"pointer-events":
		return true
	}
	for _, prefix := range []string{"--", "font", "text-", "list-style"} {
		if strings.HasPrefix(name, prefix) && name != "text-decoration" && name != "text-overflow" {
			return true
		}
	}
	return false
}

// markOverridden marks every declaration that a stronger one overrides. Important ones win over all that are not.
func markOverridden(rules []Rule) {
	winner := map[string]*Declaration{}
	for i := range rules {
		for j := range rules[i].Declarations {
			d := &rules[i].Declarations[j]
			best := winner[d.Name]
			switch {
			case best == nil:
				winner[d.Name] = d
			case d.Important && !best.Important:
				best.Overridden, winner[d.Name] = true, d
			default:
				d.Overridden = true
			}
		}
	}
}
