package importer

import (
	"encoding/json"
	"slices"
	"strings"

	"cove/internal/fault"
)

// adsPowerTaken are the fields of a profile that Cove takes along, and adsPowerSkipped those that mean something in
// AdsPower only.
var (
	adsPowerTaken = []string{"name", "tags", "profile_tags", "remark", "group_id", "group_name", "domain_name",
		"platform", "open_urls", "tabs", "cookie", "cookies", "user_proxy_config", "fbcc_proxy_acc_id", "proxyid"}
	adsPowerSkipped = []string{"user_id", "profile_id", "serial_number", "profile_no", "created_time",
		"last_open_time", "updated_time", "ip", "ip_country", "ip_checker", "fbcc_user_id", "user_name", "id"}
)

// adsPowerProfile reads a profile as AdsPower's API lists it, in both of its versions.
func (r *reader) adsPowerProfile(o object) (p Profile, err error) {
	p.SourceID, p.Name = o.text("user_id", "profile_id", "serial_number", "profile_no"), o.text("name")
	if p.Name == "" {
		p.Name = prefixed("Profile ", o.text("serial_number", "profile_no"))
	}
	p.Notes = exact(o["remark"])
	for _, read := range []func(object, *Profile) error{r.readTags, r.readPages, r.adsPowerGroup, r.adsPowerProxy} {
		if err := read(o, &p); err != nil {
			return p, err
		}
	}
	for _, name := range []string{"domain_name", "platform"} {
		r.sitePage(name, scalar(o[name]), &p)
	}
	if p.Cookies, err = r.readCookies(cookieText(first(o["cookie"], o["cookies"]))); err != nil {
		return p, err
	}
	return p, r.leaveRest(o, adsPowerTaken, adsPowerSkipped)
}

// sitePage makes the site of a profile a start page, if it is one.
func (r *reader) sitePage(field, site string, p *Profile) {
	switch {
	case site == "" || slices.Contains(p.StartPages, site):
	case strings.Contains(site, ".") && !strings.ContainsAny(site, " \t"):
		p.StartPages = append(p.StartPages, site)
	default:
		r.leave(field, json.RawMessage(`"x"`))
	}
}

func (r *reader) adsPowerGroup(o object, p *Profile) error {
	p.Folder = o.text("group_name")
	id := o.text("group_id")
	if p.Folder != "" || id == "" || id == "0" {
		return nil
	}
	if p.Folder = r.folders[id]; p.Folder == "" {
		r.leave("group", json.RawMessage(`"x"`))
	}
	return nil
}

// adsPowerProxy reads the proxy of a profile. A profile that does not say whether it has one is refused: older answers
// leave the proxy out.
func (r *reader) adsPowerProxy(o object, p *Profile) error {
	id := o.text("proxyid", "fbcc_proxy_acc_id")
	if isEmpty(o["user_proxy_config"]) {
		if id != "" && id != "0" {
			return r.proxyByID(id, p)
		}
		return fault.Unprocessablef("proxy", "The profile does not say which proxy it uses.").
			WithHint("Save the answer of /api/v2/browser-profile/list, which has user_proxy_config; " +
				`for a direct connection write {"proxy_soft":"no_proxy"} there.`)
	}
	var c object
	if json.Unmarshal(o["user_proxy_config"], &c) != nil {
		return fault.Unprocessablef("proxy", "The field user_proxy_config cannot be read.").
			WithHint("Save the list again.")
	}

	switch soft := strings.ToLower(c.text("proxy_soft")); {
	case soft == "no_proxy" && id != "" && id != "0":
		return twoProxies()
	case soft == "no_proxy":
		return nil
	case c.text("global_config") == "1":
		return fault.Unprocessablef("proxy", "The profile uses AdsPower's global proxy, which Cove cannot see.").
			WithHint("Give the profile a proxy of its own in AdsPower, and save the list again.")
	case soft == "other" || soft == "brightdata" || soft == "" && c.has("proxy_host", "host"):
		return r.inlineProxy(c, id, p)
	default:
		return fault.Unprocessablef("proxy", "The profile gets its proxy from %q, which Cove cannot use.", soft).
			WithHint("Write the proxy's type, host and port in AdsPower (proxy_soft other), and save the list again.")
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
