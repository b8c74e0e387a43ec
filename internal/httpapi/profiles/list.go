package profiles

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// List answers GET /browser_profiles.
func (h *Handlers) List(c *call.Call) (any, error) {
	q, err := listQuery(c)
	if err != nil {
		return nil, err
	}
	_, owned, err := c.Credential()
	if err != nil {
		return nil, err
	}
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	if q.Public = !owned; q.Public && revealing(q) {
		return nil, c.RequireCredential()
	}

	found, err := h.Profiles.List(c.Context(), q)
	if err != nil {
		return nil, err
	}
	own, cloud, err := h.show(c, owned, found.Profiles...)
	if err != nil {
		return nil, err
	}
	info := c.PageInfo(q.Page, q.PerPage, found.Total, len(found.Profiles))
	if c.Cloud() {
		return api.CloudProfileList{Data: cloud, PageInfo: info}, nil
	}
	return api.ProfileList{Data: own, PageInfo: info}, nil
}

// revealing reports whether the answer to a query tells more than names and tags.
func revealing(q profile.Query) bool {
	return q.Folder != "" || q.Notes != "" || q.Trashed || len(q.Folders)+len(q.Statuses)+len(q.Proxies) > 0 ||
		(q.Sort != profile.ByID && q.Sort != profile.ByName)
}

// listQuery reads which profiles are asked for.
func listQuery(c *call.Call) (profile.Query, error) {
	if err := c.CheckQuery(); err != nil {
		return profile.Query{}, err
	}
	values := c.URL.Query()
	q := profile.Query{
		Search: firstOf(values, "query", "search"), Notes: values.Get("noteQuery"),
		Tags: append(input.List(values, "tags"), input.List(values, "tag")...), Sort: profile.ByID,
	}
	var err error
	if q.Page, q.PerPage, err = c.Paging(); err != nil {
		return q, err
	}
	if q.Trashed, err = c.Flag("trashed"); err != nil {
		return q, err
	}
	if err := readIDs(values, &q); err != nil {
		return q, err
	}
	readFolder(c, &q)
	sorted, err := readSort(values, &q)
	if err != nil {
		return q, err
	}
	q.ExactFirst = !sorted
	return q, spelledAs(values, q.Check())
}

// readIDs reads the filters that select by id. An id that nothing has selects nothing.
func readIDs(values url.Values, q *profile.Query) (err error) {
	if q.IDs, err = input.IDs[profile.ID](values, "ids"); err != nil {
		return err
	}
	if q.Folders, err = input.IDs[profile.FolderID](values, "folders"); err != nil {
		return err
	}
	if q.Statuses, err = input.IDs[profile.StatusID](values, "statuses"); err != nil {
		return err
	}
	q.Proxies, err = input.IDs[proxy.ID](values, "proxies")
	return err
}

// readFolder reads the folder: Cove's own calls name it, and those of Dolphin's cloud know it by its id.
func readFolder(c *call.Call, q *profile.Query) {
	text := c.URL.Query().Get("folder")
	id, err := strconv.ParseInt(text, 10, 32)
	if !c.Cloud() || err != nil || len(q.Folders) > 0 {
		q.Folder = text
		return
	}
	q.Folders = []profile.FolderID{profile.FolderID(id)}
}

// sortNames are what other products call the columns that a list can be ordered by.
var sortNames = map[string]profile.Sort{
	"name": profile.ByName, "created_at": profile.ByCreated, "updated_at": profile.ByUpdated,
	"launched": profile.ByOpened, "proxyId": profile.ByProxy, "status": profile.ByStatus, "idProfile": profile.ByID,
	"id": profile.ByID,
}

// readSort reads the order: sort=-name, or sortBy=name&order=DESC. It reports whether there is one.
func readSort(values url.Values, q *profile.Query) (sorted bool, err error) {
	if name := values.Get("sort"); name != "" {
		name, q.Desc = strings.CutPrefix(name, "-")
		q.Sort, sorted = profile.Sort(name), true
	}
	if name := values.Get("sortBy"); name != "" {
		by, known := sortNames[name]
		if !known {
			return false, fault.Unprocessablef("sortBy", "Profiles cannot be sorted by %q.", input.Clip(name)).
				WithHint("Sort by name, created_at, updated_at, launched, proxyId, status or idProfile.")
		}
		q.Sort, sorted = by, true
	}
	desc, err := input.Desc(values)
	q.Desc = q.Desc || desc
	return sorted, err
}

// spelledAs names the input of a list as the request spells it, because some inputs have several names.
func spelledAs(values url.Values, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return err
	}
	for _, names := range [][]string{{"query", "search"}, {"tags", "tags[]", "tag"}} {
		i := slices.IndexFunc(names, values.Has)
		if f.Field == names[0] && i > 0 {
			return f.WithField(names[i])
		}
	}
	return err
}

func firstOf(values url.Values, names ...string) string {
	for _, name := range names {
		if v := values.Get(name); v != "" {
			return v
		}
	}
	return ""
}
