// Package wire turns what the API says of profiles and policies into values of the domain, and back.
package wire

import (
	"encoding/json"
	"maps"
	"slices"

	"cove/api"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// InputFields are the fields of ProfileInput.
var InputFields = []string{"name", "tags", "notes", "folder", "startPages", "window", "locale", "timezone", "proxy",
	"args", "browser", "policy"}

// ReadInput reads what a request says of a profile, and returns the names of fields that Cove does not know. Scripts
// written for other products send many of those, so they are reported instead of refused. others are fields that
// another function reads.
func ReadInput(raw json.RawMessage, others ...string) (in api.ProfileInput, ignored []string, err error) {
	all, err := input.ReadFields(raw, append(slices.Clone(others), InputFields...))
	if err != nil {
		return in, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		switch {
		case slices.Contains(others, name):
			delete(all, name)
		case !slices.Contains(InputFields, name):
			if err := input.CheckUnknownField(name, value); err != nil {
				return in, nil, err
			}
			delete(all, name)
			ignored = append(ignored, name)
		case string(value) == "null": // it empties the field, as opposed to leaving it out
			all[name] = json.RawMessage(`""`)
			switch name {
			case "window":
				all[name] = json.RawMessage(`{}`)
			case "policy": // null must not mean that agents may do everything, so it counts as left out
				delete(all, name)
			}
		}
	}
	for _, name := range api.IgnoredOfProxy(all["proxy"]) {
		ignored = append(ignored, "proxy."+name)
	}
	if raw, err = json.Marshal(all); err != nil {
		return in, nil, err
	}
	return in, input.Sorted(ignored), input.DecodeJSON(raw, &in)
}

// Apply copies the fields that were sent into p.
func Apply(in api.ProfileInput, p *profile.Profile) {
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
		p.Policy = PolicyOf(api.Policy(*in.Policy))
	}
	if in.Proxy != nil {
		p.Proxy = profile.Proxy{Type: in.Proxy.Type, Host: in.Proxy.Host, Port: in.Proxy.Port, Login: in.Proxy.Login,
			Password: in.Proxy.Password}
	}
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
