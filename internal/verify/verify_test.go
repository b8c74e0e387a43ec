package verify

import (
	"strings"
	"testing"
)

func TestTabsThatAreShown(t *testing.T) {
	const list = "## Pages\n1: https://a.example/x?y=1 [selected]\n2: chrome-error://chromewebdata/\n" +
		"3: http://b.example/\n"
	for name, c := range map[string]struct {
		tabs []string // addresses that a tab has had, the last one now, apart by blanks
		want string
	}{
		"all":                    {[]string{"https://a.example/x?y=1", "http://b.example/"}, ""},
		"one too many":           {[]string{"http://down.example/", "https://z.example/"}, "https://z.example/"},
		"an error page":          {[]string{"http://down.example/"}, ""},
		"one that moves":         {[]string{"http://c.example/1 http://c.example/2"}, ""},
		"one with another query": {[]string{"https://a.example/x?z=2"}, ""},
		"another page of its site": {[]string{"http://down.example/", "https://a.example/other"},
			"https://a.example/other"},
		"the start of another address": {[]string{"http://down.example/", "http://b.exam/"}, "http://b.exam/"},
		"more moving ones than are listed": {
			[]string{"http://c/1 http://c/2", "http://d/1 http://d/2", "http://e/1 http://e/2",
				"http://f/1 http://f/2"},
			"http://d/2",
		},
	} {
		var tabs []tab
		seen := map[string][]string{}
		for i, had := range c.tabs {
			id := string(rune('a' + i))
			seen[id] = strings.Fields(had)
			tabs = append(tabs, tab{ID: id, Type: "page", URL: seen[id][len(seen[id])-1]})
		}
		if got := missing(list, tabs, seen); got != c.want {
			t.Errorf("%s: missing is %q, not %q", name, got, c.want)
		}
	}
}
