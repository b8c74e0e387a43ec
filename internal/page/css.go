package page

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
	From         string // the ancestor that it is inherited from
	Declarations []Declaration
}

// Declaration is one property of a rule.
type Declaration struct {
	Name, Value string
	Important   bool
	// Overridden tells that another rule wins.
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

// Styles lists the rules of an element, the strongest first, with what is inherited after it.
func (t *Tab) Styles(ctx context.Context, uid string) ([]Rule, error) {
	if err := t.refuseDialog(); err != nil {
		return nil, err
	}
	ctx, cancel := t.attend(ctx)
	defer cancel()
	e, err := t.find(ctx, uid)
	if err != nil {
		return nil, err
	}
	handle, err := t.object(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, domain := range []string{"DOM", "CSS"} {
		if err := t.call(ctx, e.session, domain+".enable", nil, nil); err != nil {
			return nil, err
		}
	}
	defer func() { // they make the browser tell every change of the page
		for _, domain := range []string{"CSS", "DOM"} {
			t.forget(t.b.conn.Start(e.session, domain+".disable", nil))
		}
	}()
	if err := t.call(ctx, e.session, "DOM.getDocument", object{"depth": 0}, nil); err != nil {
		return nil, err
	}
	var node struct {
		ID int `json:"nodeId"`
	}
	if err := t.call(ctx, e.session, "DOM.requestNode", object{"objectId": handle}, &node); err != nil {
		return nil, err
	}
	var m struct {
		Inline    *cssStyle  `json:"inlineStyle"`
		Attribute *cssStyle  `json:"attributesStyle"`
		Matched   []cssMatch `json:"matchedCSSRules"`
		Inherited []struct {
			Inline  *cssStyle  `json:"inlineStyle"`
			Matched []cssMatch `json:"matchedCSSRules"`
		} `json:"inherited"`
	}
	if err := t.call(ctx, e.session, "CSS.getMatchedStylesForNode", object{"nodeId": node.ID}, &m); err != nil {
		return nil, err
	}
	var rules []Rule
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
	return rules, nil
}

func ruleOf(selector, origin, from string, s *cssStyle) (Rule, bool) {
	if s == nil {
		return Rule{}, false
	}
	r := Rule{Selector: selector, Origin: origin, From: from}
	for _, p := range s.Properties {
		if p.Disabled || p.Implicit || p.Value == "" || (p.Text == "" && origin != "user-agent" && origin != "regular") {
			continue
		}
		if from != "" && !inherits(p.Name) {
			continue
		}
		r.Declarations = append(r.Declarations, Declaration{Name: p.Name, Value: p.Value, Important: p.Important})
	}
	return r, len(r.Declarations) > 0
}

// inherits tells whether a property passes on to children by itself.
func inherits(name string) bool {
	switch name {
	case "color", "cursor", "direction", "visibility", "quotes", "orphans", "widows", "letter-spacing", "line-height", "word-spacing", "white-space", "word-break", "border-collapse", "border-spacing", "caption-side", "empty-cells", "pointer-events":
		return true
	}
	for _, prefix := range []string{"--", "font", "text-", "list-style"} {
		if strings.HasPrefix(name, prefix) && name != "text-decoration" && name != "text-overflow" {
			return true
		}
	}
	return false
}

// markOverridden marks every declaration that a stronger one hides; important ones win over all that are not.
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
