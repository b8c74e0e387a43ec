package call

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
)

// ListNames are the parameters that ReadList reads.
var ListNames = []string{"page", "limit", "query", "ids", "ids[]", "sortBy", "order"}

// maxSearch limits the words that a list is searched for.
const maxSearch = 200

// List says which items of a list a call asks for.
type List[ID ~int32] struct {
	Page, Limit int
	Search      string
	IDs         []ID
	Sort        string // "id", "name", or "" for the list's own order
	Desc        bool
}

// ReadList reads which items of a list are asked for.
func ReadList[ID ~int32](c *Call) (q List[ID], err error) {
	if q.Page, q.Limit, err = c.Paging(); err != nil {
		return q, err
	}
	values := c.URL.Query()
	if q.Search = strings.TrimSpace(values.Get("query")); utf8.RuneCountInString(q.Search) > maxSearch {
		return q, fault.Fieldf("query", "The search is longer than %d characters.", maxSearch)
	}
	if q.IDs, err = input.IDs[ID](values, "ids"); err != nil {
		return q, err
	}
	switch by := values.Get("sortBy"); by {
	case "", "id", "name":
		q.Sort = by
	case "created_at": // ids are given in the order of creation
		q.Sort = "id"
	default:
		return q, fault.Unprocessablef("sortBy", "This list cannot be sorted by %q.", input.Clip(by)).
			WithHint("Sort by id, name or created_at.")
	}
	q.Desc, err = input.Desc(values)
	return q, err
}

// Choose returns the items that are asked for, of all in the list's own order. With a search, an item of exactly this
// name comes first.
func Choose[T any, ID ~int32](c *Call, q List[ID], all []T, describe func(T) (ID, string)) ([]T, api.PageInfo) {
	found := slices.DeleteFunc(slices.Clone(all), func(item T) bool {
		id, name := describe(item)
		return len(q.IDs) > 0 && !slices.Contains(q.IDs, id) || !matches(name, q.Search)
	})
	slices.SortStableFunc(found, func(a, b T) int {
		idA, nameA := describe(a)
		idB, nameB := describe(b)
		switch q.Sort {
		case "id":
			return cmp.Compare(idA, idB)
		case "name":
			return cmp.Or(strings.Compare(strings.ToLower(nameA), strings.ToLower(nameB)), cmp.Compare(idA, idB))
		}
		return 0
	})
	if q.Desc {
		slices.Reverse(found)
	}
	if q.Search != "" && q.Sort == "" {
		exact, other := []T{}, []T{}
		for _, item := range found {
			if _, name := describe(item); strings.EqualFold(name, q.Search) {
				exact = append(exact, item)
			} else {
				other = append(other, item)
			}
		}
		found = slices.Concat(exact, other)
	}
	shown := Cut(found, q.Page, q.Limit)
	return shown, c.PageInfo(q.Page, q.Limit, len(found), len(shown))
}

// matches reports whether a name has every word of a search.
func matches(name, search string) bool {
	for _, word := range strings.Fields(strings.ToLower(search)) {
		if !strings.Contains(strings.ToLower(name), word) {
			return false
		}
	}
	return true
}
