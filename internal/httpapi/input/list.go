package input

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// List reads a list from a query: name=a,b, name[]=a&name[]=b, name[0]=a, or name=a&name=b. Empty items do not count.
func List(values url.Values, name string) (items []string) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if base, _, _ := strings.Cut(key, "["); base != name {
			continue
		}
		for _, text := range values[key] {
			for item := range strings.SplitSeq(text, ",") {
				if item = strings.TrimSpace(item); item != "" {
					items = append(items, item)
				}
			}
		}
	}
	return items
}

// says reports whether a query has a list that is not empty text.
func says(values url.Values, name string) bool {
	for key, texts := range values {
		if base, _, _ := strings.Cut(key, "["); base == name && strings.Join(texts, "") != "" {
			return true
		}
	}
	return false
}

// IDs reads a list of ids from a query. It refuses what is not an id, because a filter that is ignored selects all.
func IDs[T ~int32](values url.Values, name string) (ids []T, err error) {
	items := List(values, name)
	if len(items) == 0 && says(values, name) {
		return nil, fault.Unprocessablef(name, "%q names nothing.", name).WithHint("Leave it out to list everything.")
	}
	for _, item := range items {
		n, err := strconv.ParseInt(item, 10, 32)
		if err != nil || n < 0 {
			return nil, fault.Unprocessablef(name, "%q must be a list of ids.", name).
				WithHint("For example: " + name + "=1,2")
		}
		ids = append(ids, T(n))
	}
	return ids, nil
}
