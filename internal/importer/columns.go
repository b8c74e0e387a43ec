package importer

import (
	"slices"
	"strings"

	"cove/internal/fault"
)

// column is what a column of a table holds.
type column int

const (
	left  column = iota // something that cannot be taken along
	quiet               // something that means nothing here
	oldID
	name
	tags
	remark
	folder
	status
	statusColor
	pages
	site // a start page, or a word that is none
	cookies
	locale
	timezone
	proxyText
	proxyType
	proxyHost
	proxyPort
	proxyLogin
	proxyPassword
	proxyLink
	proxyID
	proxyName // means nothing beside a proxy
)

// titles are the names of columns, without case and punctuation. Those of AdsPower's export are among them.
var titles = map[column][]string{
	oldID:  {"id", "accid", "profileid", "userid", "serialnumber", "profileno", "no", "serial", "number"},
	name:   {"name", "title", "profilename", "profile", "profiletitle"},
	tags:   {"tags", "tag", "labels", "label"},
	remark: {"notes", "note", "remark", "remarks", "comment", "comments", "description"},
	folder: {"folder", "foldername", "group", "groupname"}, status: {"status", "statusname"},
	statusColor: {"statuscolor", "color"},
	pages: {"startpage", "startpages", "starturl", "starturls", "url", "urls", "tab", "tabs", "openurls", "domain",
		"domainname", "website", "homepage", "homepages"},
	site: {"site", "platform", "mainwebsite"}, cookies: {"cookie", "cookies"}, locale: {"locale"},
	timezone:  {"timezone"},
	proxyText: {"proxy", "proxystring", "proxyurl", "proxyline"},
	proxyType: {"proxytype", "proxyprotocol", "proxyscheme"},
	proxyHost: {"proxyhost", "proxyaddress", "proxyserver", "proxyip"}, proxyPort: {"proxyport"},
	proxyLogin:    {"proxylogin", "proxyuser", "proxyusername"},
	proxyPassword: {"proxypassword", "proxypass"},
	proxyLink: {"changeipurl", "changeiplink", "proxychangeipurl", "proxychangeiplink", "proxyrefreshurl",
		"rotationurl"},
	proxyID: {"proxyid", "fbccproxyaccid"}, proxyName: {"proxyname"},
	quiet: {"createdat", "createdtime", "updatedat", "lastopentime", "laststarttime", "running", "groupid",
		"ipchecker", "proxycountry", "proxystatus", "proxychecker", "proxycheck"},
}

// bare are the names of a proxy's parts in a table that has the columns host and port.
var bare = map[string]column{"type": proxyType, "protocol": proxyType, "host": proxyHost, "port": proxyPort,
	"login": proxyLogin, "user": proxyLogin, "username": proxyLogin, "password": proxyPassword, "pass": proxyPassword}

// readHeader finds what each column holds.
func (r *reader) readHeader(header []string) ([]column, error) {
	columns := make([]column, len(header))
	plain := make([]string, len(header))
	for i, title := range header {
		plain[i] = normal(title)
		columns[i] = columnOf(plain[i])
		if r.product == AdsPower && plain[i] == "proxyurl" {
			columns[i] = proxyLink
		}
	}
	if slices.Contains(plain, "host") && slices.Contains(plain, "port") && !slices.Contains(columns, proxyHost) {
		for i := range columns {
			if c, ok := bare[plain[i]]; ok {
				columns[i] = c
			}
		}
	}
	if !slices.Contains(columns, name) && !slices.Contains(columns, oldID) {
		return nil, fault.Invalidf("The first line has no column for the name of the profiles.").
			WithHint("Begin the table with a header such as: name,proxy,tags,notes,folder,cookies")
	}
	return columns, nil
}

func columnOf(plain string) column {
	for c, names := range titles {
		if slices.Contains(names, plain) {
			return c
		}
	}
	return left
}

// isProxyName reports whether a title is about a proxy.
func isProxyName(title string) bool {
	return strings.Contains(normal(title), "proxy")
}
