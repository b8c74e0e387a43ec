package imports

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/importer"
	"cove/internal/profile"
	"cove/internal/wording"
)

// report is what an import does, or has done.
type report struct {
	DryRun bool `json:"dryRun"`
	// Created is what the app created, or would create.
	Created  api.Imported    `json:"created"`
	Profiles []shownItem     `json:"profiles"`
	Omitted  []importer.Left `json:"left,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	// Cookies were imported into CookieProfiles, and Failed are the profiles that wait for theirs.
	Cookies        int          `json:"cookies"`
	CookieProfiles int          `json:"cookieProfiles"`
	Failed         []failedItem `json:"failed,omitempty"`

	items []item
}

// shownItem is one profile of the files.
type shownItem struct {
	Name    string     `json:"name"`
	ID      profile.ID `json:"id,omitempty"`
	State   state      `json:"state"`
	From    string     `json:"from"`
	OldID   string     `json:"oldId,omitempty"`
	Proxy   string     `json:"proxy,omitempty"`
	Folder  string     `json:"folder,omitempty"`
	Status  string     `json:"status,omitempty"`
	Cookies int        `json:"cookies,omitempty"`
}

// failedItem is a profile whose cookies were not imported.
type failedItem struct {
	ID    profile.ID `json:"id"`
	Name  string     `json:"name"`
	Error string     `json:"error"`
	// Imported means that the cookies are there, and that only MissingTag could not be removed.
	Imported bool `json:"imported,omitempty"`
}

// shown returns the report with its profiles, for JSON. It has no password and no cookie.
func (r *report) shown() report {
	out := *r
	out.Profiles = make([]shownItem, 0, len(r.items))
	for _, it := range r.items {
		out.Profiles = append(out.Profiles, shownItem{
			Name: it.Name, ID: it.id, State: it.state, From: it.Place.String(), OldID: it.SourceID,
			Proxy: it.Proxy.Shown(), Folder: it.Folder, Status: it.Status.Name, Cookies: it.Cookies.Count,
		})
	}
	return out
}

// shownRows is how many profiles are shown before the question; a dry run shows all.
const shownRows = 20

// writePlan shows what an import would do.
func (r *report) writePlan(w io.Writer) {
	rows := r.items
	if !r.DryRun && len(rows) > shownRows {
		rows = rows[:shownRows]
	}
	if len(rows) > 0 {
		t := command.Table(w, "PROFILE", "PROXY", "FOLDER", "STATUS", "TAGS", "COOKIES", "FROM", "ACTION")
		for _, it := range rows {
			via, cookies := it.Proxy.Shown(), ""
			if via == "" {
				via = "direct"
			}
			if it.Cookies.Count > 0 {
				cookies = strconv.Itoa(it.Cookies.Count)
			}
			command.Row(t, cell(it.Name), cell(via), cell(it.Folder), cell(it.Status.Name),
				cell(strings.Join(it.Tags, ", ")), cookies, it.Place.String(), string(it.state))
		}
		_ = t.Flush()
		if n := len(r.items) - len(rows); n > 0 {
			fmt.Fprintf(w, "… and %d more; --dry-run shows all\n", n)
		}
		fmt.Fprintln(w)
	}
	r.writeSummary(w)
}

// cell shortens a text for a table.
func cell(s string) string { return wording.Shorten(strings.Join(strings.Fields(s), " "), 40) }

// counts says how many things of each kind the app created, or would create.
func (r *report) counts() string {
	c := r.Created
	return strings.Join([]string{
		wording.Count(c.Profiles, "profile"), wording.Count(c.Proxies, "proxy"),
		wording.Count(c.Folders, "folder"), wording.Count(c.Statuses, "status"),
	}, ", ")
}

// writeSummary counts what an import would do, and lists what cannot be taken along.
func (r *report) writeSummary(w io.Writer) {
	fmt.Fprintf(w, "To create: %s.\n", r.counts())
	old, cookies, of, expired := 0, 0, 0, 0
	for _, it := range r.items {
		if it.state != create {
			old++
		}
		if it.state != there && it.Cookies.Count > 0 {
			cookies, of = cookies+it.Cookies.Count, of+1
		}
		expired += it.Cookies.Expired
	}
	if old > 0 {
		fmt.Fprintf(w, "Already there (same name and proxy): %s.\n", wording.Count(old, "profile"))
	}
	if of > 0 {
		fmt.Fprintf(w, "To import: %s for %s.\n", wording.Count(cookies, "cookie"), wording.Count(of, "profile"))
	}
	for _, warning := range r.Warnings {
		fmt.Fprintln(w, "Note: "+warning)
	}
	if len(r.Created.Ignored) > 0 {
		fmt.Fprintln(w, "Note: a stored proxy keeps its link that changes the IP address.")
	}
	if len(r.Omitted) == 0 && expired == 0 {
		return
	}

	fmt.Fprintln(w, "\nCannot be taken along:")
	if expired > 0 {
		fmt.Fprintf(w, "  Expired cookies (%d)\n", expired)
	}
	for _, l := range r.Omitted {
		fmt.Fprintln(w, strings.TrimRight("  "+l.What+" ("+fields(l.Fields)+"). "+l.Hint, " "))
	}
}

// fields lists names, at most eight.
func fields(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}

// warnOfCookies says which profiles do not get the cookies of the files.
func (r *report) warnOfCookies() {
	var names []string
	for _, it := range r.items {
		if it.skipsCookies() {
			names = append(names, cell(it.Name))
		}
	}
	if len(names) == 0 {
		return
	}
	are := "they are"
	if len(names) == 1 {
		are = "it is"
	}
	r.Warnings = append(r.Warnings, fmt.Sprintf("The cookies of %s are not imported, because %s already there: %s. "+
		"Add --update-cookies to import them, too.", wording.Count(len(names), "profile"), are, fields(names)))
}

// nothingToDo reports whether everything is there already.
func (r *report) nothingToDo() bool {
	for _, it := range r.items {
		if it.state == create || it.state == resume {
			return false
		}
	}
	return r.Created.Proxies == 0
}

// question asks for what the person decides.
func (r *report) question() string {
	waiting := len(r.waiting())
	switch {
	case r.Created.Profiles > 0:
		return "Create " + wording.Count(r.Created.Profiles, "profile") + "?"
	case waiting > 0:
		return "Import cookies into " + wording.Count(waiting, "profile") + "?"
	}
	return "Import?"
}

// writeDone says what was done.
func (r *report) writeDone(w io.Writer) {
	fmt.Fprintf(w, "Created %s.\n", r.counts())
	if r.CookieProfiles > 0 {
		fmt.Fprintf(w, "Imported %s into %s.\n",
			wording.Count(r.Cookies, "cookie"), wording.Count(r.CookieProfiles, "profile"))
	}
}
