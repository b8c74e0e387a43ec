package cookie

import (
	"slices"
	"testing"
)

func TestASiteIsTheNameBelowAPublicSuffix(t *testing.T) {
	for host, want := range map[string]string{
		"www.example.com": "example.com", ".Example.COM.": "example.com", "a.b.example.co.uk": "example.co.uk",
		"ann.github.io": "ann.github.io", "github.io": "github.io", "127.0.0.1": "127.0.0.1", "[::1]": "[::1]",
		"localhost": "localhost", "a.s1.localhost": "s1.localhost",
	} {
		if got := SiteOf(host); got != want {
			t.Errorf("%s: %s", host, got)
		}
	}
	partitioned := Cookie{Domain: "widget.test", Partition: "https://shop.example"}
	if got := partitioned.Site(); got != "shop.example" {
		t.Errorf("a partitioned cookie is one of %s", got)
	}
}

func TestACookieTellsTheOriginsThatSetIt(t *testing.T) {
	for _, c := range []struct {
		cookie Cookie
		want   []string
	}{
		{Cookie{Domain: ".example.com", Source: Source{Port: 443}}, []string{"https://example.com"}},
		{Cookie{Domain: "example.com", Source: Source{Port: 80}}, []string{"http://example.com"}},
		{Cookie{Domain: "localhost", Source: Source{Port: 3000}},
			[]string{"https://localhost:3000", "http://localhost:3000"}},
		{Cookie{Domain: "example.com", Source: Source{Port: -1}}, nil},
		{Cookie{Domain: "example.com"}, nil},
		{Cookie{Domain: "widget.test", Partition: "https://shop.example", Source: Source{Port: 443}}, nil},
	} {
		if got := c.cookie.Origins(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c.cookie, got)
		}
	}
}

func TestSitesAreCounted(t *testing.T) {
	got := Sites([]Cookie{{Domain: "b.test"}, {Domain: "www.a.test"}, {Domain: ".a.test"}},
		[]string{"https://a.test", "https://c.test"})
	want := []Count{{"a.test", 2, 1}, {"b.test", 1, 0}, {"c.test", 0, 1}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
