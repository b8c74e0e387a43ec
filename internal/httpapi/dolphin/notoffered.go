// Package dolphin answers the calls of Dolphin's cloud API that Cove has no call of its own for.
package dolphin

import (
	"net/http"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
)

// Absent is a call of Dolphin's that Cove knows and does not offer.
type Absent struct {
	Method, Path string
	// Text says what Cove does not do, and Hint what to use instead.
	Text, Hint string
}

const (
	noHomepages = "Cove has no list of home pages for all profiles."
	noBookmarks = "Cove keeps no bookmarks outside the profiles."
	noSharing   = "Cove shares no profiles with other users: they stay on this computer."
	noTeam      = "Cove has no teams."
	noMAC       = "Cove does not change the MAC address."
	noRobot     = "Cove visits no sites to collect cookies."
	noStore     = "Cove does not download extensions from a store."

	useStartPages = `Set the start pages of each profile: PATCH /browser_profiles/ID {"startPages":["https://…"]}.`
	useBrowser    = "Keep bookmarks in the browser of the profile."
	useExport     = "Export its cookies with POST /v1.0/export-cookies, and import them at the other computer."
	useAccounts   = "Add accounts with: cove account add"
	useNone       = "Leave the call out: sites cannot see the MAC address."
	useImport     = "Import cookies with POST /v1.0/cookies/import, or open the sites in the profile."
	useZip        = "Send the extension as a file to POST /extensions/upload-zipped, or use: cove extension add"
)

// NotOffered lists the calls of Dolphin's that Cove refuses with 501. {rest} stands for one or more parts of a path.
func NotOffered() []Absent {
	const get, post, put, patch, del = http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete
	list := []Absent{
		{post, "/browser_profiles/transfer", noSharing, useExport},
		{post, "/browser_profiles/access", noSharing, useExport},
		{post, "/browser_profiles/{id}/access", noSharing, useExport},
		{patch, "/browser_profiles/{id}/access", noSharing, useExport},
		{get, "/browser_profiles/generate-mac", noMAC, useNone},
		{post, "/import/cookies/{id}/robot", noRobot, useImport},
		{get, "/import/cookies/{id}/robot-stop", noRobot, useImport},
		{post, "/extensions", noStore, useZip},
	}
	for _, method := range []string{post, put, patch, del} {
		list = append(list, Absent{method, "/homepages", noHomepages, useStartPages},
			Absent{method, "/bookmarks", noBookmarks, useBrowser})
	}
	for _, method := range []string{get, post, put, patch, del} {
		list = append(list, Absent{method, "/homepages/{rest}", noHomepages, useStartPages},
			Absent{method, "/bookmarks/{rest}", noBookmarks, useBrowser},
			Absent{method, "/team/{rest}", noTeam, useAccounts})
	}
	return list
}

// Refuse answers a call that Cove does not offer.
func (a Absent) Refuse(*call.Call) (any, error) {
	return nil, fault.New(fault.CodeNotOffered, a.Text, a.Hint)
}

// emptyPage is a page of a list that has no entries.
type emptyPage struct {
	Data []any `json:"data"`
	api.PageInfo
}

// Empty answers the list of something that Cove keeps none of.
func Empty(c *call.Call) (any, error) {
	page, limit, err := c.Paging()
	if err != nil {
		return nil, err
	}
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	return emptyPage{[]any{}, c.PageInfo(page, limit, 0, 0)}, nil
}
