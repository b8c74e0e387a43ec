package profiles

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
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
	if q.Public = !owned; q.Public && (q.Folder != "" || q.Trashed ||
		(q.Sort != profile.ByID && q.Sort != profile.ByName)) {
		return nil, c.RequireCredential()
	}
	found, err := h.Profiles.List(c.Context(), q)
	if err != nil {
		return nil, err
	}
	out := api.ProfileList{Data: make([]api.Profile, 0, len(found.Profiles)), CurrentPage: q.Page, PerPage: q.PerPage,
		Total:    found.Total,
		LastPage: max(1, (found.Total+q.PerPage-1)/q.PerPage), Path: address(c.Host, "/v1.0/browser_profiles")}
	for _, p := range found.Profiles {
		out.Data = append(out.Data, h.show(p, owned))
	}
	if n := len(out.Data); n > 0 {
		out.From = (q.Page-1)*q.PerPage + 1
		out.To = out.From + n - 1
	}
	if q.Page < out.LastPage {
		out.NextPageURL = pageURL(c, q.Page+1)
	}
	if q.Page > 1 {
		out.PrevPageURL = pageURL(c, q.Page-1)
	}
	return out, nil
}

func pageURL(c *call.Call, n int) *string {
	values := c.URL.Query()
	values.Set("page", strconv.Itoa(n))
	u := address(c.Host, "/v1.0/browser_profiles?"+values.Encode())
	return &u
}

// listQuery reads which profiles are asked for.
func listQuery(c *call.Call) (profile.Query, error) {
	if err := c.CheckQuery(); err != nil {
		return profile.Query{}, err
	}
	values := c.URL.Query()
	q := profile.Query{Search: firstOf(values, "query", "search"), Folder: values.Get("folder"), Sort: profile.ByID}
	for _, name := range []string{"tags[]", "tags", "tag"} {
		for _, text := range values[name] {
			for tag := range strings.SplitSeq(text, ",") {
				if tag = strings.TrimSpace(tag); tag != "" {
					q.Tags = append(q.Tags, tag)
				}
			}
		}
	}
	var err error
	if q.Page, err = c.Number("page", 1); err != nil {
		return q, err
	}
	if q.PerPage, err = c.Number("limit", 50); err != nil {
		return q, err
	}
	if q.Trashed, err = c.Flag("trashed"); err != nil {
		return q, err
	}
	if name := values.Get("sort"); name != "" {
		name, q.Desc = strings.CutPrefix(name, "-")
		q.Sort = profile.Sort(name)
	}
	return q, spelledAs(values, q.Check())
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

func address(host, path string) string { return fmt.Sprintf("http://%s%s", host, path) }
