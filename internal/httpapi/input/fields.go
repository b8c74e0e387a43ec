package input

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/internal/fault"
)

// ReadFields reads an object's fields. It matches known names in any case.
func ReadFields(raw json.RawMessage, known []string) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := DecodeJSON(raw, &all); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		i := slices.IndexFunc(known, func(k string) bool { return k != name && strings.EqualFold(k, name) })
		if i < 0 || slices.Contains(known, name) {
			continue
		}
		if _, twice := all[known[i]]; twice {
			return nil, fault.Fieldf(known[i], "The field %q is sent twice.", known[i]).WithHint("Send it once.")
		}
		all[known[i]] = all[name]
		delete(all, name)
	}
	return all, nil
}

// Sorted sorts names and removes repeated ones. It returns an empty list for none, which an answer shows.
func Sorted(names []string) []string {
	if len(names) == 0 {
		return []string{}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
