package pages

import (
	"strings"
	"testing"
)

func TestBrief(t *testing.T) {
	const page = `uid=a1 RootWebArea "Shop snapshot=7" url="https://shop.example/" snapshot=3`
	const elsewhere = ` uid=a2 link "Pay" url="https://pay.example/"`
	const nothing = `Nothing on this page matches "a": try fewer words.`
	for name, tc := range map[string]struct {
		text string
		told bool
		want string
	}{
		"the page's own line":               {page, false, strings.TrimSuffix(page, " snapshot=3")},
		"the page is known":                 {page + "\n" + ` uid=a2 button "A"`, true, ` uid=a2 button "A"`},
		"only the page itself is left out":  {` uid=a2 button " RootWebArea "`, true, ` uid=a2 button " RootWebArea "`},
		"a link of the same site":           {` uid=a2 link "Home" url="/home" focused`, false, ` uid=a2 link "Home" focused`},
		"a changed link":                    {` ~ uid=a2 link "Home" url="/home"`, false, ` ~ uid=a2 link "Home"`},
		"a link elsewhere":                  {elsewhere, false, elsewhere},
		"a link without a name":             {` uid=a2 link url="/home"`, false, ` uid=a2 link url="/home"`},
		"a name that looks like an address": {` uid=a2 link "a\" url=\"/b"`, false, ` uid=a2 link "a\" url=\"/b"`},
		"a text that looks like a link":     {` "link \"A\" url=\"/b\""`, false, ` "link \"A\" url=\"/b\""`},
		"a heading":                         {` heading "News" level="2"`, false, ` heading "News"`},
		"what is below":                     {"1 match for \"a\":\nin: main", true, "in: main"},
		"what is not there":                 {nothing, true, nothing},
		"changes":                           {"Since snapshot 12: + 2 added.", true, "+ 2 added."},
		"changes after a wait":              {"Since snapshot 12: + 2 added. This is snapshot 13.", true, "+ 2 added."},
	} {
		t.Run(name, func(t *testing.T) {
			if got := brief(tc.text, tc.told); got != tc.want {
				t.Errorf("%q, not %q", got, tc.want)
			}
		})
	}
}
