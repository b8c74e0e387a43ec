package call

import (
	"strconv"

	"cove/api"
	"cove/internal/fault"
)

// The bounds of a list.
const (
	perPage    = 50
	maxPerPage = 10000
	maxPage    = 1 << 30
)

// Paging reads which page of a list is asked for, and how many items it holds.
func (c *Call) Paging() (page, limit int, err error) {
	if err := c.CheckQuery(); err != nil {
		return 0, 0, err
	}
	if page, err = c.Number("page", 1); err != nil {
		return 0, 0, err
	}
	if limit, err = c.Number("limit", perPage); err != nil {
		return 0, 0, err
	}
	switch {
	case page < 1 || page > maxPage:
		return 0, 0, fault.Fieldf("page", "The page must be 1 or more.")
	case limit < 1 || limit > maxPerPage:
		return 0, 0, fault.Fieldf("limit", "A page of a list can hold 1 to %d items.", maxPerPage)
	}
	return page, limit, nil
}

// Cut returns the items of a list that are on a page.
func Cut[T any](all []T, page, limit int) []T {
	from := min(int64(page-1)*int64(limit), int64(len(all))) // an int may have 32 bits
	return all[from:min(from+int64(limit), int64(len(all)))]
}

// PageInfo describes a page with shown of total items. Its links keep the prefix and the query of the call.
func (c *Call) PageInfo(page, limit, total, shown int) api.PageInfo {
	last := max(1, (total+limit-1)/limit)
	out := api.PageInfo{
		CurrentPage: page, PerPage: limit, LastPage: last, Total: total, Path: "http://" + c.Host + c.URL.Path,
		FirstPageURL: c.pageURL(1), LastPageURL: c.pageURL(last),
	}
	if shown > 0 {
		from := (page-1)*limit + 1
		to := from + shown - 1
		out.From, out.To = &from, &to
	}
	if page < last {
		next := c.pageURL(page + 1)
		out.NextPageURL = &next
	}
	if page > 1 {
		previous := c.pageURL(page - 1)
		out.PrevPageURL = &previous
	}
	return out
}

func (c *Call) pageURL(n int) string {
	values := c.URL.Query()
	values.Set("page", strconv.Itoa(n))
	return "http://" + c.Host + c.URL.Path + "?" + values.Encode()
}

// Cloud reports whether the call is one of Dolphin's cloud API, whose shapes differ from Cove's own.
func (c *Call) Cloud() bool { return c.Prefix != "/v1.0" }
