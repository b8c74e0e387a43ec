package logins

import (
	"slices"
	"testing"

	"cove/internal/cookie"
)

func TestAChoiceTakesWhatIsThereWhenItIsRead(t *testing.T) {
	listed := []cookie.Count{{Site: "a.test", Cookies: 1}, {Site: "b.test", Cookies: 2}, {Site: "c.test", Origins: 1}}
	now := []cookie.Cookie{{Domain: "b.test", Name: "x"}, {Domain: "www.b.test", Name: "y"}, {Domain: "new.test"}}
	for name, c := range map[string]struct {
		choice              Choice
		sites, gone, stored []string
		cookies             int
	}{
		"a site that was left has nothing to take the place of the profile's": {
			choice: Choice{Sites: []string{"a.test", "b.test"}}, sites: []string{"b.test"}, gone: []string{"a.test"},
			stored: []string{"b.test"}, cookies: 2},
		"all sites are those that were listed": {
			choice: Choice{All: true}, sites: []string{"b.test"}, gone: []string{"a.test"},
			stored: []string{"b.test", "c.test"}, cookies: 2},
		"a site without cookies brings its local storage": {
			choice: Choice{Sites: []string{"c.test"}}, stored: []string{"c.test"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := choose(c.choice, listed, now)
			if !slices.Equal(got.Sites, c.sites) || !slices.Equal(got.Gone, c.gone) || len(got.Cookies) != c.cookies {
				t.Errorf("%+v", got)
			}
			if stored := c.choice.storageSites(listed, got.Gone); !slices.Equal(stored, c.stored) {
				t.Errorf("local storage of %v", stored)
			}
		})
	}
}
