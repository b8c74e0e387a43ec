package input

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"cove/internal/fault"
)

// Query describes the parameters that the URL of a call can hold.
type Query struct {
	Names []string
	// Filters marks a call that lists profiles. It refuses the filters of other products.
	Filters bool
}

// otherFilters are the names that clients of other products filter profiles by. A client that deletes what a list
// returns must not get all profiles instead.
var otherFilters = []string{"folders", "folderid", "statuses", "status", "statusid", "proxies", "ids", "users",
	"notequery", "mainwebsites"}

// Check refuses a parameter that is one letter off a known one, and a filter that the call does not have. Ignoring
// either would answer another question. Other unknown names do no harm.
func (q Query) Check(values url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if known := Meant(name, q.Names); known != "" {
			return fault.Fieldf(Clip(name), "This call has no parameter %q.", Clip(name)).
				WithHint("Did you mean " + known + "?")
		}
		if q.Filters && slices.Contains(otherFilters, strings.TrimSuffix(plainName(name), "[]")) &&
			strings.Join(values[name], "") != "" {
			return fault.Fieldf(Clip(name), "Profiles cannot be filtered by %q.", Clip(name)).
				WithHint("Use query, tags or folder.")
		}
	}
	return nil
}
