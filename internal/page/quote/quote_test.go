package quote

import "testing"

func TestShort(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "abc…(+1 characters)"}, {"éé", 2, "éé"}, {"ééé", 2, "éé…(+1 characters)"}, {"", 0,
			""}, {"\xff\xfe\xfd", 2, "\xff\xfe…(+1 characters)"},
	} {
		if got := Short(c.text, c.most); got != c.want {
			t.Errorf("Short(%q, %d) = %q", c.text, c.most, got)
		}
	}
}
