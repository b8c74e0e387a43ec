package adspower

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// listNames are what a list of profiles can be selected and ordered by.
var listNames = []string{"group_id", "user_id", "serial_number", "profile_id", "profile_no", "user_sort", "page",
	"page_size", "limit", "name", "name_filter", "tag_ids", "tags_filter", "sort_type", "sort_order"}

// harmless are names that some clients put into every URL.
var harmless = []string{"content-type", "accept", "_", "t", "ts", "timestamp"}

// page is one page of a list.
type page struct {
	List     any `json:"list"`
	Page     int `json:"page"`
	PageSize int `json:"page_size"`
}

func (s *Server) listV1(c *request) (answer, error) { return s.list(c, "0") }

func (s *Server) listV2(c *request) (answer, error) { return s.list(c, "") }

// list answers a page of the profiles. noProxy is the id of a profile's proxy if it has none.
func (s *Server) list(c *request, noProxy string) (answer, error) {
	if err := c.onlyFields(listNames); err != nil {
		return answer{}, err
	}
	q, err := c.query()
	if err != nil {
		return answer{}, err
	}
	found, err := s.Profiles.List(c.Context(), q)
	if err != nil {
		return answer{}, err
	}
	items, err := s.items(c, found.Profiles, noProxy)
	return answer{data: page{items, q.Page, q.PerPage}}, err
}

// onlyFields refuses a field that a list does not have. A script that deletes what a list returns must not get all
// profiles because a filter was ignored.
func (c *request) onlyFields(names []string) error {
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		if !slices.Contains(names, name) && !slices.Contains(harmless, name) && c.says(name) {
			return fault.Fieldf(input.Clip(name), "Cove cannot filter or sort this list by %q.", input.Clip(name)).
				WithHint("Use " + strings.Join(names, ", ") + ".")
		}
	}
	return nil
}

// paging reads which page of a list is asked for. The size is taken as it is or refused: a script takes a page that is
// shorter than it asked for as the last one.
func (c *request) paging(size int) (number, perPage int, err error) {
	if number, err = c.number("page", 1); err != nil {
		return 0, 0, err
	}
	for _, name := range []string{"limit", "page_size"} {
		if size, err = c.number(name, size); err != nil {
			return 0, 0, err
		}
		if size > profile.MaxPerPage {
			return 0, 0, fault.Fieldf(name, "A page of a list can hold 1 to %d items.", profile.MaxPerPage)
		}
	}
	return number, size, nil
}

// query reads which profiles are asked for: one to a page, and the newest first, unless the request says otherwise.
func (c *request) query() (q profile.Query, err error) {
	if q.Page, q.PerPage, err = c.paging(1); err != nil {
		return q, err
	}
	if q.IDs, err = c.profileIDs(); err != nil {
		return q, err
	}
	if c.says("group_id") {
		id, err := c.folderID()
		if err != nil {
			return q, err
		}
		q.Folders = []profile.FolderID{id}
	}
	if err := c.selection(&q); err != nil {
		return q, err
	}
	if q.Sort, q.Desc, err = c.order(); err != nil {
		return q, err
	}
	return q, q.Check()
}

// selection reads the filters by name and by tags, which can be turned around.
func (c *request) selection(q *profile.Query) error {
	name, err := c.word("name")
	if err != nil {
		return err
	}
	without, err := c.excludes("name_filter")
	if err != nil {
		return err
	}
	if q.Name = name; without {
		q.Name, q.WithoutName = "", name
	}

	tags, err := c.list("tag_ids", false)
	if err != nil {
		return err
	}
	if without, err = c.excludes("tags_filter"); err != nil {
		return err
	}
	if q.AnyTags = tags; without {
		q.AnyTags, q.WithoutTags = nil, tags
	}
	return nil
}

// excludes reads whether a filter selects what it does not match.
func (c *request) excludes(name string) (bool, error) {
	text, err := c.word(name)
	if err != nil {
		return false, err
	}
	switch text {
	case "", "include":
		return false, nil
	case "exclude":
		return true, nil
	}
	return false, fault.Fieldf(name, "The field %q must be include or exclude.", name)
}

// sorts are what AdsPower can sort by.
var sorts = map[string]profile.Sort{
	"serial_number": profile.ByID, "profile_no": profile.ByID, "last_open_time": profile.ByOpened,
	"created_time": profile.ByCreated,
}

// order reads the order of a list: user_sort of the first generation, or sort_type and sort_order of the second.
func (c *request) order() (sort profile.Sort, desc bool, err error) {
	by, direction := "profile_no", "desc"
	if c.says("user_sort") {
		if by, direction, err = c.userSort(); err != nil {
			return "", false, err
		}
	}
	for name, value := range map[string]*string{"sort_type": &by, "sort_order": &direction} {
		text, err := c.word(name)
		if err != nil {
			return "", false, err
		}
		if text != "" {
			*value = text
		}
	}

	sort, ok := sorts[by]
	if !ok {
		return "", false, fault.Fieldf("sort_type", "Profiles cannot be sorted by %q.", input.Clip(by)).
			WithHint("Sort by profile_no, last_open_time or created_time.")
	}
	switch strings.ToLower(direction) {
	case "asc":
		return sort, false, nil
	case "desc":
		return sort, true, nil
	}
	return "", false, fault.Fieldf("sort_order", "The order must be asc or desc.")
}

// userSort reads {"serial_number":"desc"}, which is usually sent as a JSON text.
func (c *request) userSort() (by, direction string, err error) {
	members, err := c.object("user_sort")
	if err != nil {
		return "", "", err
	}
	if len(members) != 1 {
		return "", "", fault.Fieldf("user_sort", "The field user_sort must name one order.").
			WithHint(`Send {"serial_number":"desc"}.`)
	}
	var value json.RawMessage
	for by, value = range members {
		break
	}
	direction, _ = scalar(value)
	return by, direction, nil
}
