package command

import (
	"net/url"
	"strconv"
)

// perPage is how many items are read at once.
const perPage = 1000

// AllPages reads a list to its end. read returns one page of it, and whether another one follows.
func AllPages[T any](query url.Values, read func(query url.Values) (items []T, more bool, err error)) ([]T, error) {
	all := []T{}
	query.Set("limit", strconv.Itoa(perPage))
	for page := 1; ; page++ {
		query.Set("page", strconv.Itoa(page))
		items, more, err := read(query)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
		if !more {
			return all, nil
		}
	}
}
