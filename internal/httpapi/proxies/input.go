package proxies

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/proxy"
)

// inputNames maps the names that clients use to those of api.StoredProxyInput.
var inputNames = map[string]string{
	"type": "type", "host": "host", "port": "port", "login": "login", "user": "login", "username": "login",
	"password": "password", "pass": "password", "name": "name", "title": "name", "changeipurl": "changeIpUrl",
	"change_ip_url": "changeIpUrl", "proxy": "proxy",
}

// facts are what Cove itself says of a proxy. Scripts send whole proxies back.
var facts = []string{"id", "lastcheck", "createdat", "created_at", "updatedat", "updated_at", "savedbyuser",
	"browser_profiles_count", "teamid", "userid", "user_id", "team_id"}

// fields is a request that describes a stored proxy.
type fields struct{ api.StoredProxyInput }

// readInput reads a proxy that is created or changed. Unknown fields are refused: they may decide where traffic goes.
func readInput(c *call.Call) (in fields, ignored []string, err error) {
	raw, err := c.JSON()
	if err != nil {
		return in, nil, err
	}
	if raw == nil {
		return in, nil, fault.Invalidf("The request describes no proxy.").
			WithHint(`Send {"type":"http","host":"proxy.example","port":8080,"login":"…","password":"…"}.`)
	}
	var all map[string]json.RawMessage
	if err := input.DecodeJSON(raw, &all); err != nil {
		return in, nil, err
	}
	return readFields(all)
}

func readFields(all map[string]json.RawMessage) (in fields, ignored []string, err error) {
	known := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		field, ok := inputNames[strings.ToLower(name)]
		switch {
		case slices.Contains(facts, strings.ToLower(name)):
			continue
		case strings.EqualFold(name, "notes"), strings.EqualFold(name, "provider"), strings.EqualFold(name, "tags"):
			ignored = append(ignored, name)
			continue
		case !ok:
			return in, nil, fault.Unprocessablef(name, "Unknown proxy field %q.", input.Clip(name)).
				WithHint("Send type, host, port, login, password, name and changeIpUrl.")
		}
		if before, twice := known[field]; twice && string(before) != string(all[name]) {
			return in, nil, fault.Unprocessablef(name, "The proxy's %s is given twice.", field).
				WithHint("Send it once.")
		}
		known[field] = all[name]
	}
	joined, err := json.Marshal(known)
	if err != nil {
		return in, nil, err
	}
	return in, ignored, input.DecodeJSON(joined, &in.StoredProxyInput)
}

// apply changes r as the request says, and says what is wrong with the result.
func (in fields) apply(r *proxy.Record) error {
	if in.Proxy != nil {
		if in.Type != nil || in.Host != nil || in.Port != nil || in.Login != nil || in.Password != nil {
			return fault.Unprocessablef("proxy", "The proxy is given twice: as a text and as fields.").
				WithHint("Send one of them.")
		}
		parsed, err := proxy.Parse(*in.Proxy)
		if err != nil {
			return err
		}
		r.Proxy = parsed.Proxy
		if parsed.ChangeIPURL != "" {
			r.ChangeIPURL = parsed.ChangeIPURL
		}
	}
	for _, f := range []struct{ from, to *string }{{in.Type, &r.Type}, {in.Host, &r.Host}, {in.Login, &r.Login},
		{in.Password, &r.Password}, {in.Name, &r.Name}, {in.ChangeIPURL, &r.ChangeIPURL}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	if in.Port != nil {
		r.Port = int(*in.Port)
	}
	return r.Clean()
}
