package scope

import (
	"encoding/json"
	"strings"

	"cove/internal/cdp"
)

// What a site has stored belongs to the tab that shows it: cookies, local storage and databases of other sites are
// closed, although the browser would give them to any page.

// checkCookieAddresses allows the cookies of the tab's own host. A command without addresses gets that of the tab,
// because the browser would return the cookies of all frames.
func checkCookieAddresses(_ *Browser, _ *session, t *tab, c command) verdict {
	var addresses []string
	if c.has("urls") && json.Unmarshal(c.params["urls"], &addresses) != nil {
		return refuse("The addresses cannot be read.")
	}
	host := hostOf(t.URL)
	for _, address := range addresses {
		if host == "" || hostOf(address) != host {
			return refuse("Agents read only the cookies of the tab's own site in a browser that a person shares.")
		}
	}
	switch {
	case host == "":
		return result(object{"cookies": []any{}})
	case len(addresses) == 0:
		addresses = []string{t.URL}
	}
	return pass().with(c, "urls", addresses)
}

// within reports whether a cookie with these fields is one of the tab's own host.
func within(t *tab, fields map[string]json.RawMessage) bool {
	c := command{params: fields}
	host, domain := hostOf(t.URL), strings.ToLower(strings.TrimPrefix(c.text("domain"), "."))
	if host == "" || c.has("url") && hostOf(c.text("url")) != host {
		return false
	}
	if domain == "" {
		return c.has("url") || !c.has("domain")
	}
	return host == domain || strings.HasSuffix(host, "."+domain)
}

const otherSite = "Agents change only cookies of the tab's own site in a browser that a person shares."

func checkCookie(_ *Browser, _ *session, t *tab, c command) verdict {
	if !within(t, c.params) {
		return refuse(otherSite)
	}
	return pass()
}

func checkCookies(_ *Browser, _ *session, t *tab, c command) verdict {
	var list []json.RawMessage
	if json.Unmarshal(c.params["cookies"], &list) != nil {
		return refuse("The cookies cannot be read.")
	}
	for _, one := range list {
		fields, err := cdp.Fields(one)
		if err != nil || !within(t, fields) {
			return refuse(otherSite)
		}
	}
	return pass()
}

// ownOrigin reports whether every origin that the fields name is the tab's own.
func ownOrigin(t *tab, fields map[string]json.RawMessage) bool {
	u, err := parse(t.URL)
	if err != nil || u.Host == "" {
		return false
	}
	own, c := u.Scheme+"://"+u.Host, command{params: fields}
	named := false
	for _, name := range []string{"origin", "securityOrigin", "storageKey"} {
		if !c.has(name) {
			continue
		}
		named = true
		if strings.TrimSuffix(c.text(name), "/") != own {
			return false
		}
	}
	return named && !c.has("storageBucket")
}

const otherStorage = "Agents reach only what the tab's own site has stored in a browser that a person shares."

func checkOrigin(_ *Browser, _ *session, t *tab, c command) verdict {
	if !ownOrigin(t, c.params) {
		return refuse(otherStorage)
	}
	return pass()
}

func checkStorageID(_ *Browser, _ *session, t *tab, c command) verdict {
	fields, err := cdp.Fields(c.params["storageId"])
	if err != nil || !ownOrigin(t, fields) {
		return refuse(otherStorage)
	}
	return pass()
}
