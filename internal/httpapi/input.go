package httpapi

import (
	"encoding/json"
	"slices"

	"cove/api"
	"cove/internal/profile"
)

// inputFields are the names that ProfileInput knows.
var inputFields = []string{"name", "tags", "notes", "folder", "startPages", "window", "locale", "timezone", "proxy", "args", "browser", "policy"}

// readInput reads what a request says of a profile, and the names of fields that Cove does not know: scripts written for other
// products send many, and are told so instead of being refused.
func readInput(raw json.RawMessage) (in api.ProfileInput, ignored []string, err error) {
	var all map[string]json.RawMessage
	if err := decodeJSON(raw, &all); err != nil {
		return in, nil, err
	}
	for name, value := range all {
		switch {
		case !slices.Contains(inputFields, name):
			ignored = append(ignored, name)
		case string(value) == "null": // emptied, not left out
			all[name] = json.RawMessage(`""`)
			switch name {
			case "window":
				all[name] = json.RawMessage(`{}`)
			case "policy": // as if it were left out: null must not mean that agents may do everything
				delete(all, name)
			}
		}
	}
	slices.Sort(ignored)
	if raw, err = json.Marshal(all); err != nil {
		return in, nil, err
	}
	return in, ignored, decodeJSON(raw, &in)
}

// apply puts the fields that were sent into p.
func apply(in api.ProfileInput, p *profile.Profile) {
	set(&p.Name, in.Name)
	set(&p.Folder, in.Folder)
	set(&p.Browser, in.Browser)
	set(&p.Notes, (*string)(in.Notes))
	set(&p.Locale, (*string)(in.Locale))
	set(&p.Timezone, (*string)(in.Timezone))
	set(&p.Tags, (*[]string)(in.Tags))
	set(&p.StartPages, (*[]string)(in.StartPages))
	set(&p.Args, (*[]string)(in.Args))
	if in.Window != nil {
		p.Window = profile.Size(*in.Window)
	}
	if in.Policy != nil {
		p.Policy = policyOf(api.Policy(*in.Policy))
	}
	if in.Proxy != nil {
		p.Proxy = profile.Proxy{Type: in.Proxy.Type, Host: in.Proxy.Host, Port: in.Proxy.Port, Login: in.Proxy.Login, Password: in.Proxy.Password}
	}
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
