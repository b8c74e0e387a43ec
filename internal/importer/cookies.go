package importer

import (
	"encoding/json"
	"path/filepath"
	"strings"

	"cove/internal/cookie"
	"cove/internal/fault"
)

// cookieFile is a file with the cookies of one profile, which has the file's name.
type cookieFile struct {
	place Place
	text  string
}

// isCookies reports whether the items of a list are cookies.
func isCookies(list []json.RawMessage) bool {
	var o object
	return len(list) > 0 && json.Unmarshal(list[0], &o) == nil && o["domain"] != nil && o["value"] != nil
}

// isNetscape reports whether a text is a Netscape cookie file.
func isNetscape(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	if strings.HasPrefix(line, "# Netscape") || strings.HasPrefix(line, "# HTTP Cookie File") {
		return true
	}
	parts := strings.Split(strings.TrimRight(line, "\r"), "\t")
	return len(parts) == 7 && isBoolean(parts[1]) && isBoolean(parts[3])
}

func isBoolean(s string) bool { return strings.EqualFold(s, "TRUE") || strings.EqualFold(s, "FALSE") }

// cookieText returns the cookies of a member as the text of a cookie file.
func cookieText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}

// readCookies reads a cookie file, and refuses it if one cookie is bad.
func (r *reader) readCookies(text string) (c Cookies, err error) {
	switch strings.TrimSpace(text) {
	case "", "[]", "null", "{}":
		return c, nil
	}
	if raw, err := json.Marshal(text); err != nil || len(raw) > cookie.MaxBytes {
		return c, fault.Invalidf("The cookies are larger than %d MiB.", cookie.MaxBytes>>20).
			WithHint("Import them in parts with: cove cookies import")
	}
	set, err := cookie.Read([]byte(text), cookie.Options{Now: r.now})
	if err != nil {
		return c, err
	}
	return Cookies{Text: text, Count: len(set.Cookies), Expired: set.Expired}, nil
}

// attachCookies gives the cookie files to the profiles whose name or id the files have.
func (r *reader) attachCookies() {
	for _, f := range r.cookies {
		r.place = f.place
		if err := r.attach(f); err != nil {
			r.fail(err)
		}
	}
}

func (r *reader) attach(f cookieFile) error {
	base := filepath.Base(f.place.File)
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	var found, named []*Profile
	for i := range r.plan.Profiles {
		switch p := &r.plan.Profiles[i]; stem {
		case p.SourceID:
			found = append(found, p)
		case p.Name:
			named = append(named, p)
		}
	}
	if len(found) == 0 { // an id wins over a name
		found = named
	}
	const hint = "Name the file after the profile's name or id, such as Work.json, and give both in one command."
	switch {
	case len(found) == 0:
		return fault.Invalidf("These are cookies, and no profile in the files is named %q.", stem).WithHint(hint)
	case len(found) > 1:
		return fault.Invalidf("These are cookies, and %d profiles in the files are named %q.", len(found), stem).
			WithHint("Name the file after the profile's id.")
	case found[0].Cookies.Text != "":
		return fault.Invalidf("The profile %q has cookies from another place already.", found[0].Name).
			WithHint("Give its cookies once.")
	}

	c, err := r.readCookies(f.text)
	found[0].Cookies = c
	return err
}
