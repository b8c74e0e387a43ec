package storage

import (
	"testing"

	"cove/internal/cookie"
)

func TestOnlyCookiesOfTheSiteCount(t *testing.T) {
	s := site{host: "shop.example.com"}
	for name, one := range map[string]struct {
		c    cookie.Cookie
		want bool
	}{
		"its own":                        {cookie.Cookie{Domain: "shop.example.com", HostOnly: true}, true},
		"of the domain above":            {cookie.Cookie{Domain: "example.com"}, true},
		"only of the host above":         {cookie.Cookie{Domain: "example.com", HostOnly: true}, false},
		"of a host below":                {cookie.Cookie{Domain: "a.shop.example.com"}, false},
		"of a name that ends like it":    {cookie.Cookie{Domain: "op.example.com"}, false},
		"of another site":                {cookie.Cookie{Domain: "example.org"}, false},
		"in its own partition":           {cookie.Cookie{Domain: "example.com", Partition: "https://example.com"}, true},
		"in the partition of a stranger": {cookie.Cookie{Domain: "example.com", Partition: "https://example.org"}, false},
	} {
		if got := s.gets(one.c); got != one.want {
			t.Errorf("a cookie %s: %v", name, got)
		}
	}
}

func TestFlagsSayWhatABrowserDoesWithACookie(t *testing.T) {
	got := flagsOf(cookie.Cookie{Domain: "a.test", Path: "/p", Secure: true, HTTPOnly: true, SameSite: cookie.None,
		Expires: 1_800_000_000, Partition: "https://b.test", Value: "hidden"})
	want := " domain=.a.test path=/p expires=2027-01-15T08:00:00Z httpOnly secure sameSite=None partition=https://b.test"
	if got != want {
		t.Errorf("%q", got)
	}
}
