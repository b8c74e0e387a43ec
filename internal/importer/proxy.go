package importer

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/proxy"
)

// proxyNames are the fields that decide where traffic goes, and quietOfProxy those that mean nothing here.
var (
	proxyNames = map[string][]string{
		"type": {"type", "proxy_type"}, "host": {"host", "proxy_host"}, "port": {"port", "proxy_port"},
		"login":    {"login", "user", "username", "proxy_user", "proxy_username"},
		"password": {"password", "pass", "proxy_password"},
		"link":     {"changeIpUrl", "change_ip_url", "proxy_url"}, "name": {"name", "remark"},
	}
	quietOfProxy = []string{"id", "proxy_id", "savedByUser", "lastCheck", "createdAt", "created_at", "updatedAt",
		"updated_at", "deleted_at", "browser_profiles_count", "profile_count", "related_profile_no", "userId",
		"user_id", "teamId", "team_id", "proxy_soft", "proxy_partner", "global_config", "latest_ip", "last_ip", "ip",
		"country", "ip_country", "ip_checker", "status"}
)

// fieldsOfProxy reads the fields of a proxy, whatever their names are. One that is there twice must be the same.
func (r *reader) fieldsOfProxy(o object) (map[string]string, error) {
	out := map[string]string{}
	known := slices.Clone(quietOfProxy)
	for field, names := range proxyNames {
		known = append(known, names...)
		for _, name := range names {
			value := exact(o[name])
			if value == "" {
				continue
			}
			if before := out[field]; before != "" && before != value {
				return nil, fault.Unprocessablef("proxy", "The proxy's %s is given twice.", field).
					WithHint("Remove one of them.")
			}
			out[field] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(known, name) {
			r.leave("proxy."+name, o[name])
		}
	}
	return out, nil
}

// exact is scalar without trimming: a password may begin with a space.
func exact(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return scalar(raw)
}

// storedProxy reads an item of a list of proxies. It names a proxy.
func (r *reader) storedProxy(o object) (proxy.Record, error) {
	fields, err := r.fieldsOfProxy(o)
	if err != nil {
		return proxy.Record{}, err
	}
	return recordOf(fields)
}

// recordOf makes a proxy of its fields, and refuses one that lacks a part.
func recordOf(fields map[string]string) (p proxy.Record, err error) {
	port, err := strconv.Atoi(strings.TrimSpace(fields["port"]))
	if err != nil || strings.TrimSpace(fields["host"]) == "" || strings.TrimSpace(fields["type"]) == "" {
		return p, fault.Unprocessablef("proxy", "The proxy needs a type, a host and a port.").
			WithHint("Complete it, or say that the profile has none. Nothing was imported.")
	}
	p = proxy.Record{
		Name: fields["name"], ChangeIPURL: fields["link"], Saved: true, Proxy: proxy.Proxy{Type: fields["type"],
			Host: fields["host"], Port: port, Login: fields["login"], Password: fields["password"]},
	}
	return p, p.Clean()
}

// dolphinProxy reads the proxy of a profile: the proxy itself, the id of one in another file, a text, or none.
func (r *reader) dolphinProxy(o object, p *Profile) error {
	id, err := proxyRef(o)
	if err != nil {
		return err
	}
	raw := bytes.TrimSpace(o["proxy"])
	var inner object
	switch text := scalar(raw); {
	case len(raw) == 0 || string(raw) == "null" || string(raw) == `""`:
	case text != "" && strings.Trim(text, "0123456789") == "":
		if id != "" && id != text {
			return twoProxies()
		}
		if id = text; id == "0" {
			return fault.Unprocessablef("proxy", "There is no proxy 0.").
				WithHint("Write null if the profile has no proxy.")
		}
	case text != "":
		stored, err := proxy.Parse(text)
		if err != nil {
			return err
		}
		return r.use(stored, p)
	case json.Unmarshal(raw, &inner) != nil || len(inner) == 0:
		return fault.Unprocessablef("proxy", "The proxy cannot be read.").
			WithHint("Correct it, or write null if the profile has none.")
	default:
		own := inner.text("id")
		if own != "" && id != "" && own != id {
			return twoProxies()
		}
		if id == "" {
			id = own
		}
	}
	if inner != nil && !onlyID(inner) {
		return r.inlineProxy(inner, id, p)
	}
	return r.proxyByID(id, p)
}

// proxyRef returns the id of a profile's proxy. A profile that says nothing about a proxy is refused: the answer may
// lack the proxies, or the item may be no profile.
func proxyRef(o object) (id string, err error) {
	said := o["proxy"] != nil
	for _, name := range []string{"proxyId", "proxy_id"} {
		raw := o[name]
		said = said || raw != nil
		text := scalar(raw)
		switch {
		case text == "0" || raw == nil || string(raw) == "null" || string(raw) == `""`:
		case text == "":
			return "", fault.Unprocessablef("proxy", "The field %s cannot be read.", name).
				WithHint("Write a number, or null if the profile has no proxy.")
		case id != "" && id != text:
			return "", twoProxies()
		default:
			id = text
		}
	}
	if !said {
		return "", fault.Unprocessablef("proxy", "The profile does not say which proxy it uses.").
			WithHint(`Save the list again, with your token; for a direct connection write "proxy":null into the item.`)
	}
	return id, nil
}

func twoProxies() error {
	return fault.Unprocessablef("proxy", "The profile names two proxies.").WithHint("Remove one of them.")
}

// onlyID reports whether an object refers to a proxy without describing it.
func onlyID(o object) bool {
	for field, names := range proxyNames {
		if field != "name" && o.has(names...) {
			return false
		}
	}
	return o.has("id")
}

// inlineProxy gives p the proxy that an object describes, which must agree with the list of proxies.
func (r *reader) inlineProxy(o object, id string, p *Profile) error {
	fields, err := r.fieldsOfProxy(o)
	if err != nil {
		return err
	}
	if strings.EqualFold(strings.TrimSpace(fields["type"]), "none") && !describes(fields) {
		if id != "" && id != "0" {
			return twoProxies()
		}
		return nil
	}
	stored, err := recordOf(fields)
	if err != nil {
		return err
	}
	if err := r.asListed(id, stored); err != nil {
		return err
	}
	return r.use(stored, p)
}

// asListed refuses a proxy that is another one in the list of proxies.
func (r *reader) asListed(id string, stored proxy.Record) error {
	if listed, known := r.proxies[id]; known && listed.Proxy != stored.Proxy {
		return fault.Unprocessablef("proxy", "Proxy %s is another one in the list of proxies.", id).
			WithHint("Save both lists again.")
	}
	return nil
}

// describes reports whether the fields of a proxy say where it is, or how to log in.
func describes(fields map[string]string) bool {
	return fields["host"]+fields["login"]+fields["password"] != "" || fields["port"] != "" && fields["port"] != "0"
}

// proxyByID gives p a proxy of a list in the same command. A proxy that is not there is never left out.
func (r *reader) proxyByID(id string, p *Profile) error {
	if id == "" || id == "0" {
		return nil
	}
	stored, known := r.proxies[id]
	if !known {
		return fault.Unprocessablef("proxy", "The profile uses proxy %s, which is not in the files.", id).
			WithHint("Save the list of proxies to a file, and give both files in one command.")
	}
	return r.use(stored, p)
}

// use gives p a proxy, and keeps its name and link.
func (r *reader) use(stored proxy.Record, p *Profile) error {
	p.Proxy = stored.Proxy
	if stored.Name != "" || stored.ChangeIPURL != "" {
		stored.Saved = true
		r.addProxy(stored)
	}
	return nil
}
