package input

import "testing"

func TestOneOff(t *testing.T) {
	for _, pair := range [][2]string{{"automaton", "automation"}, {"automatoin", "automation"},
		{"automatiox", "automation"}, {"automations", "automation"}, {"eadless", "headless"}, {"headles", "headless"},
		{"ba", "ab"}, {"a", ""}} {
		if !oneOff(pair[0], pair[1]) || !oneOff(pair[1], pair[0]) {
			t.Errorf("%q and %q are one letter off", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"page", "page"}, {"automation", "automated"}, {"sortby", "sort"},
		{"abcd", "badc"}, {"acb", "cab2"}, {"", "ab"}, {"abc", "cab"}, {"", ""}} {
		if oneOff(pair[0], pair[1]) || oneOff(pair[1], pair[0]) {
			t.Errorf("%q and %q are not one letter off", pair[0], pair[1])
		}
	}
}
