package importer

import (
	"encoding/json"
	"slices"
	"strings"
)

// Left is something that cannot be taken along.
type Left struct {
	// What names it for people, and Hint says what to do about it.
	What string `json:"what"`
	Hint string `json:"hint,omitempty"`
	// Fields are its names in the files, sorted.
	Fields []string `json:"fields"`
	// Times counts the values.
	Times int `json:"times"`
}

// The groups of what cannot be taken along, in the order in which people read them.
const (
	fingerprints = "Fingerprint settings"
	logins       = "Logins of sites"
	extensions   = "Extensions"
	locks        = "Profile passwords"
	labels       = "Folders and statuses"
	others       = "Other fields"
)

var groups = []string{labels, logins, extensions, locks, fingerprints, others}

var hints = map[string]string{
	fingerprints: "Cove shows sites your browser as it is.",
	logins:       "Cove stores no accounts of sites. Agents can use: cove secret set NAME --profile ID --site ORIGIN",
	extensions:   "Add them from a file with: cove extension add FILE PROFILE",
	locks:        "Cove has no password for a single profile.",
	labels:       "The files have only their numbers. Save the lists of folders and statuses, and give them, too.",
}

// groupOf maps the names of fields, without case and punctuation, to their group.
var groupOf = map[string][]string{
	labels: {"folder", "status", "group"},
	logins: {"login", "password", "username", "userpassword", "fakey", "2fa", "twofa", "twofactor", "email",
		"emailpassword", "accounts", "account"},
	extensions: {"extensions", "extension", "extensionids", "sysappcateid", "categoryid", "appcategory"},
	locks:      {"browserprofilepassword"},
	fingerprints: {"useragent", "ua", "canvas", "webgl", "webglinfo", "webgl2maximum", "webgpu", "webrtc",
		"clientrect", "audio", "fonts", "screen", "mediadevices", "ports", "donottrack", "macaddress", "devicename",
		"cpu", "memory", "geolocation", "platform", "platformname", "platformversion", "osversion", "os",
		"browsertype", "browserversion", "browser", "resolution", "fingerprint", "fingerprintconfig", "kernelversion",
		"browserkernelconfig", "connection", "connectiondownlink", "connectioneffectivetype", "connectionrtt",
		"connectionsavedata", "cpuarchitecture", "uafullversion", "vendor", "vendorsub", "product", "productsub",
		"appcodename", "speechvoices", "ipchecker", "country", "countrycode", "region", "regioncode", "city",
		"citycode", "ip", "doh", "maclanguage", "language"},
}

// leave notes a value that cannot be taken along. Values themselves are never kept: they may be passwords.
func (r *reader) leave(field string, raw json.RawMessage) {
	if isEmpty(raw) {
		return
	}
	what := group(field)
	l := r.left[what]
	if l == nil {
		l = &Left{What: what, Hint: hints[what]}
		r.left[what] = l
	}
	l.Times++
	if !slices.Contains(l.Fields, field) {
		l.Fields = append(l.Fields, field)
		slices.Sort(l.Fields)
	}
}

// group returns the group of a field.
func group(field string) string {
	plain := normal(field)
	for _, what := range groups {
		if slices.Contains(groupOf[what], plain) {
			return what
		}
	}
	return others
}

// normal returns a name in lower case, without anything but letters and digits.
func normal(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c > 127 {
			return c
		}
		return -1
	}, strings.ToLower(name))
}

// leftOut returns what cannot be taken along, in the order of the groups.
func (r *reader) leftOut() (all []Left) {
	for _, what := range groups {
		if l := r.left[what]; l != nil {
			all = append(all, *l)
		}
	}
	return all
}
