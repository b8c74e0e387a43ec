package cookie

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Change is what an import would change of one domain.
type Change struct {
	Domain    string `json:"domain"`
	Added     int    `json:"added"`
	Replaced  int    `json:"replaced"`
	Unchanged int    `json:"unchanged"`
}

// Diff compares the cookies that an import brings with those that are there. It returns the domains of the import,
// sorted.
func Diff(there, imported []Cookie) []Change {
	have := make(map[Key]Cookie, len(there))
	for _, c := range there {
		have[c.Key()] = c
	}
	domains := map[string]*Change{}
	for _, c := range imported {
		change := domains[c.Domain]
		if change == nil {
			change = &Change{Domain: c.Domain}
			domains[c.Domain] = change
		}
		switch old, found := have[c.Key()]; {
		case !found:
			change.Added++
		case Same(old, c):
			change.Unchanged++
		default:
			change.Replaced++
		}
	}
	out := make([]Change, 0, len(domains))
	for _, change := range domains {
		out = append(out, *change)
	}
	slices.SortFunc(out, func(a, b Change) int { return strings.Compare(a.Domain, b.Domain) })
	return out
}

// Same reports whether two cookies are alike but for what not every format holds: parts of a second in their expiry,
// and their source.
func Same(a, b Cookie) bool {
	if a.Session() != b.Session() || math.Abs(a.Expires-b.Expires) > 1 {
		return false
	}
	a.Expires, b.Expires = 0, 0
	if a.Source == (Source{}) || b.Source == (Source{}) {
		a.Source, b.Source = Source{}, Source{}
	}
	return a == b
}

func sortEntries(entries []Entry) {
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
}
