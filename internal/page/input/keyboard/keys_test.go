package keyboard

import (
	"fmt"
	"strings"
	"testing"
)

func TestParseKeys(t *testing.T) {
	show := func(all []Stroke) string {
		var words []string
		for _, s := range all {
			sign := "-"
			if s.Down {
				sign = "+"
			}
			words = append(
				words,
				fmt.Sprintf("%s%s/%d/%s", sign, s.Key.Name, s.Modifiers, strings.ReplaceAll(s.Text, "\r", "CR")),
			)
		}
		return strings.Join(words, " ")
	}
	for _, c := range []struct{ keys, want string }{
		{"a", "+a/0/a -a/0/"},
		{"A", "+Shift/8/ +A/8/A -A/8/ -Shift/0/"},
		{"Enter", "+Enter/0/CR -Enter/0/"},
		{"Return", "+Enter/0/CR -Enter/0/"},
		{"Esc", "+Escape/0/ -Escape/0/"},
		{"Control+A", "+Control/2/ +a/2/ -a/2/ -Control/0/"},
		{"Ctrl+a", "+Control/2/ +a/2/ -a/2/ -Control/0/"},
		{"Shift+a", "+Shift/8/ +A/8/A -A/8/ -Shift/0/"},
		{"Control+Shift+R", "+Control/2/ +Shift/10/ +R/10/ -R/10/ -Shift/2/ -Control/0/"},
		{"Control+Shift+r", "+Control/2/ +Shift/10/ +R/10/ -R/10/ -Shift/2/ -Control/0/"},
		{"Shift+Enter", "+Shift/8/ +Enter/8/CR -Enter/8/ -Shift/0/"},
		{"+", "+Shift/8/ ++/8/+ -+/8/ -Shift/0/"},
		{"Control++", "+Control/2/ ++/2/ -+/2/ -Control/0/"},
		{"Shift", "+Shift/8/ -Shift/0/"},
		{"F12", "+F12/0/ -F12/0/"},
		{"Space", "+ /0/  - /0/"},
		{"é", ""}, {"", ""}, {"Nonsense", ""}, {"a+b", ""}, {"Control+", ""}, {"+a", ""}, {"Enter+Control", ""},
	} {
		strokes, err := Parse(c.keys)
		if (err != nil) != (c.want == "") || show(strokes) != c.want {
			t.Errorf("%q: %s (%v), want %s", c.keys, show(strokes), err, c.want)
		}
	}
}

func TestCombinationsThatUseTheClipboard(t *testing.T) {
	for _, keys := range []string{"Control+V", "control+v", "Ctrl+Shift+V", "Control+KeyV", "Meta+V", "Cmd+c",
		"Control+X",
		"Shift+Insert", "Control+Insert", "Shift+Delete", "Shift+Del", "Meta+Alt+Shift+v"} {
		if !UsesClipboard(keys) {
			t.Errorf("%s does", keys)
		}
	}
	for _, keys := range []string{"v", "V", "Shift+V", "Control+A", "Delete", "Insert", "Enter", "Alt+c", "",
		"Control+",
		"nothing"} {
		if UsesClipboard(keys) {
			t.Errorf("%s does not", keys)
		}
	}
}
