package widgets

import (
	"math"
	"strconv"
	"strings"
)

// set gives a slider, a number field or a rating its value.
func (a *Agent) set(g Goal) error {
	find := func(t *Tree) *Node { return t.find(g.Label, "slider", "spinbutton", "textbox") }
	n := a.until(find)
	if n == nil { // a rating is a row of radio buttons
		return a.rate(g)
	}
	if a.fill(n, g.Value) {
		if n := find(a.see()); n != nil && number(n, g.Value) || n != nil && same(n.Value, g.Value) {
			return nil
		}
	}
	return a.setByKeys(g, find)
}

func (a *Agent) rate(g Goal) error {
	n := a.until(func(t *Tree) *Node {
		return t.first(actable, role("radio", "button", "image"), func(n *Node) bool {
			return strings.HasPrefix(fold(n.Name), g.Value+" ") || same(n.Name, g.Value)
		})
	})
	if n == nil {
		return lost("there is no slider %q and no rating", g.Label)
	}
	if !a.click(n) && !a.fill(n, "true") {
		return lost("%q cannot be clicked: %s", n.Name, a.said)
	}
	if n := a.now(n); n != nil && n.is("radio") && !n.has("checked") {
		return lost("%q is not checked", n.Name)
	}
	return nil
}

// setByKeys moves a slider with the arrows, once it has learned how far one goes.
func (a *Agent) setByKeys(g Goal, find func(*Tree) *Node) error {
	want, err := strconv.ParseFloat(g.Value, 64)
	if err != nil {
		return lost("%q is no number", g.Value)
	}
	n := find(a.see())
	if n == nil || !n.has("focused") && !a.click(n) {
		return lost("%q cannot be focused: %s", g.Label, a.said)
	}
	for range 12 {
		now, ok := value(find(a.see()))
		if !ok {
			return lost("%q has no value", g.Label)
		}
		if now == want {
			return nil
		}
		key := "ArrowRight"
		if now > want {
			key = "ArrowLeft"
		}
		if !a.key(key) {
			return lost("the key was refused: %s", a.said)
		}
		next, _ := value(find(a.see()))
		step := math.Abs(next - now)
		if step == 0 {
			return lost("the key does not move %q", g.Label)
		}
		for range int(math.Abs(want-next)/step) - 1 {
			a.keyBlind(key)
		}
		if int(math.Abs(want-next)/step) > 0 {
			a.key(key)
		}
	}
	return lost("%q does not reach %s", g.Label, g.Value)
}

func value(n *Node) (float64, bool) {
	if n == nil {
		return 0, false
	}
	for _, s := range []string{n.Value, n.Flags["valuenow"], n.Flags["valuetext"]} {
		if v, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			return v, true
		}
	}
	return 0, false
}
