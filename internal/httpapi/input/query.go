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
	// Lists is what the call lists, such as "Profiles". Such a call refuses filters that it does not have.
	Lists string
}

// filters are the plain names that clients filter lists by. A client that deletes what a list returns must not get
// everything instead.
var filters = []string{"id", "ids", "query", "search", "q", "filter", "filters", "where", "name", "names", "title",
	"folder", "folders", "folderid", "folderids", "status", "statuses", "statusid", "statusids", "proxy", "proxies",
	"proxyid", "proxyids", "profile", "profiles", "profileid", "profileids", "browserprofileid", "browserprofileids",
	"user", "users", "userid", "userids", "teamid", "mainwebsite", "mainwebsites", "tag", "tags", "note", "notes",
	"notequery", "running", "platform", "browsertype", "type", "types", "host", "port", "login", "color", "country",
	"trash", "trashed", "deleted", "created", "createdat", "updated", "updatedat", "sort", "sortby", "order"}

// baseName is a name without the brackets of a list.
func baseName(name string) string {
	base, _, _ := strings.Cut(plainName(name), "[")
	return base
}

// unnumbered is a name of a list's item without its number: ids[0] is ids[].
func unnumbered(name string) string {
	base, number, ok := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	if !ok || strings.Trim(number, "0123456789") != "" {
		return name
	}
	return base + "[]"
}

// Check refuses a parameter that is one letter off a known one, and a filter that the call does not have. Ignoring
// either would answer another question. Other unknown names do no harm.
func (q Query) Check(values url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if known := Meant(unnumbered(name), q.Names); known != "" {
			return fault.Fieldf(Clip(name), "This call has no parameter %q.", Clip(name)).
				WithHint("Did you mean " + known + "?")
		}
		if q.Lists != "" && slices.Contains(filters, baseName(name)) && !q.has(name) &&
			strings.Join(values[name], "") != "" {
			return fault.Unprocessablef(Clip(name), "%s cannot be filtered by %q.", q.Lists, Clip(name)).
				WithHint("Use " + strings.Join(q.filters(), ", ") + ", or leave it out to list everything.")
		}
	}
	return nil
}

// has reports whether the call has a parameter.
func (q Query) has(name string) bool {
	return slices.Contains(q.Names, unnumbered(name)) || slices.Contains(q.Names, name)
}

// filters are the parameters by which the call filters.
func (q Query) filters() []string {
	return slices.DeleteFunc(slices.Clone(q.Names), func(name string) bool {
		return strings.HasSuffix(name, "[]") || !slices.Contains(filters, baseName(name)) ||
			slices.Contains([]string{"sort", "sortby", "order", "search", "tag"}, baseName(name))
	})
}

// Desc reads whether a list begins at the end of its order.
func Desc(values url.Values) (bool, error) {
	order := values.Get("order")
	switch strings.ToUpper(order) {
	case "", "ASC":
		return false, nil
	case "DESC":
		return true, nil
	}
	return false, fault.Unprocessablef("order", "The order %q is not known.", Clip(order)).WithHint("Use ASC or DESC.")
}
