package sqlite

import (
	"testing"

	"cove/internal/profile"
)

func TestSearchReadsTextNotJSON(t *testing.T) {
	s := open(t, t.TempDir()+"/cove.db").Profiles()
	create(t, s, profile.Profile{Name: "Über", Tags: []string{"R&D", `a\b`, `"hi"`}})
	create(t, s, profile.Profile{Name: "plain"})
	for _, word := range []string{"über", "ÜBER", "r&d", `a\b`, `"hi"`} {
		page, err := s.List(t.Context(), profile.Query{Search: word, Sort: profile.ByID, Page: 1, PerPage: 10})
		if err != nil || page.Total != 1 {
			t.Errorf("%q found %d, %v", word, page.Total, err)
		}
	}
	for _, word := range []string{"[", ",", "u0026", "null"} {
		page, err := s.List(t.Context(), profile.Query{Search: word, Sort: profile.ByID, Page: 1, PerPage: 10})
		if err != nil || page.Total != 0 {
			t.Errorf("%q found %d, %v", word, page.Total, err)
		}
	}
}
