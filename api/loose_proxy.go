package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/proxy"
)

// LooseProxy is a proxy as clients send it: the id of a stored one, an object whose fields may have other names, or a
// string that people paste. Only null, "" and the type none mean no proxy. Anything else that Cove does not understand
// is refused, because a profile without its proxy is another identity.
type LooseProxy struct {
	// ID is the stored proxy that is meant, 0 for the one that the fields describe.
	ID ProxyID `json:"id,omitempty"`
	Proxy

	sent map[string]string // the fields beside the id
}

const proxyHint = `Send a proxy such as ` +
	`{"type":"http","host":"proxy.example","port":8080,"login":"…","password":"…"}, ` +
	`the id of a stored one such as {"id":7}, or null for none.`

// proxyFields maps the names that clients use to the fields of a proxy.
var proxyFields = map[string]string{"type": "type", "host": "host", "port": "port", "login": "login", "user": "login",
	"username": "login", "password": "password", "pass": "password", "id": "id"}

// unusedProxyFields are fields of other products that do not decide where the traffic goes.
var unusedProxyFields = []string{"name", "title", "notes", "provider", "changeIpUrl", "change_ip_url", "savedByUser",
	"lastCheck", "createdAt", "created_at", "updatedAt", "updated_at", "browser_profiles_count"}

// IgnoredOfProxy returns the names of fields that Cove does not use.
func IgnoredOfProxy(raw json.RawMessage) (names []string) {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		if r, err := proxy.Parse(text); err == nil && r.ChangeIPURL != "" {
			return []string{"changeIpUrl"}
		}
		return nil
	}
	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for name := range all {
		if isUnused(name) {
			names = append(names, name)
		}
	}
	return names
}

func isUnused(name string) bool {
	return slices.ContainsFunc(unusedProxyFields, func(other string) bool { return strings.EqualFold(other, name) })
}

// UnmarshalJSON accepts an id, an object or a string, and refuses a proxy that it does not understand.
func (p *LooseProxy) UnmarshalJSON(raw []byte) error {
	*p = LooseProxy{}
	text, isScalar := looseScalar(raw)
	switch digits := strings.TrimSpace(text); {
	case isScalar && text == "":
		return nil
	case isScalar && digits != "" && strings.Trim(digits, "0123456789") == "":
		return p.setID(digits)
	case isScalar:
		r, err := proxy.Parse(text)
		if err != nil {
			return fault.From(err).WithField("")
		}
		p.Proxy = Proxy(r.Proxy)
		return nil
	}

	var all map[string]json.RawMessage
	if json.Unmarshal(raw, &all) != nil {
		return fault.Unprocessablef("", "This is not a valid proxy.").WithHint(proxyHint)
	}
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if isUnused(name) {
			continue
		}
		field, known := proxyFields[strings.ToLower(name)]
		if !known {
			return fault.Unprocessablef(name, "Unknown proxy field %q.", name).WithHint(proxyHint)
		}
		text, ok := looseScalar(all[name])
		if !ok {
			return fault.Unprocessablef(name, "The proxy field %q must be a text or a number.", name).
				WithHint(proxyHint)
		}
		if before, twice := fields[field]; twice && before != text {
			return fault.Unprocessablef(name, "The proxy's %s is given twice.", field).WithHint(proxyHint)
		}
		if string(all[name]) != "null" {
			fields[field] = text
		}
	}
	return p.set(fields)
}

// setID reads the id of a stored proxy. 0 is not one.
func (p *LooseProxy) setID(digits string) error {
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n == 0 {
		return fault.Unprocessablef("", "There is no proxy %s.", digits).WithHint(proxyHint)
	}
	p.ID = ProxyID(n)
	return nil
}

// set fills p from the fields of a request.
func (p *LooseProxy) set(fields map[string]string) error {
	id := strings.TrimSpace(fields["id"])
	delete(fields, "id")
	if id != "" && id != "0" {
		p.sent = fields
		return fault.In("id", p.setID(id))
	}
	if strings.EqualFold(strings.TrimSpace(fields["type"]), "none") {
		return nil
	}
	port, err := strconv.Atoi(strings.TrimSpace(fields["port"]))
	if fields["port"] != "" && err != nil {
		return fault.Unprocessablef("port", "The proxy's port is not a number.").WithHint(proxyHint)
	}
	if strings.TrimSpace(fields["type"]) == "" || strings.TrimSpace(fields["host"]) == "" {
		return fault.Unprocessablef("", "The proxy needs a type and a host.").WithHint(proxyHint)
	}
	p.Proxy = Proxy{Type: fields["type"], Host: fields["host"], Port: port, Login: fields["login"],
		Password: fields["password"]}
	return nil
}

// Disagrees names the first field that was sent beside the id and that the stored proxy has otherwise. It returns ""
// when they agree.
func (p LooseProxy) Disagrees(stored Proxy) string {
	has := map[string]string{"type": stored.Type, "host": stored.Host, "port": strconv.Itoa(stored.Port),
		"login": stored.Login, "password": stored.Password}
	for _, name := range slices.Sorted(maps.Keys(p.sent)) {
		sent := p.sent[name]
		switch name {
		case "type":
			sent = proxy.TypeNamed(sent)
		case "host":
			if sent = strings.Trim(strings.TrimSpace(sent), "[]"); strings.EqualFold(sent, has[name]) {
				continue
			}
		case "port":
			sent = strings.TrimSpace(sent)
		}
		if sent != has[name] {
			return name
		}
	}
	return ""
}

// MarshalJSON writes null for no proxy, because an empty proxy would be refused.
func (p LooseProxy) MarshalJSON() ([]byte, error) {
	switch {
	case p.ID != 0:
		return json.Marshal(map[string]ProxyID{"id": p.ID})
	case p.Proxy == Proxy{}:
		return []byte("null"), nil
	}
	return json.Marshal(p.Proxy)
}
