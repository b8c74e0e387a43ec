package httpapi

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// inputFields are the fields of ProfileInput.
var inputFields = []string{"name", "tags", "notes", "folder", "startPages", "window", "locale", "timezone", "proxy",
	"args", "browser", "policy"}

// readInput reads what a request says of a profile, and returns the names of fields that Cove does not know. Scripts
// written for other products send many of those, so they are reported instead of refused. others are fields that
// another function reads.
func readInput(raw json.RawMessage, others ...string) (in api.ProfileInput, ignored []string, err error) {
	all, err := readFields(raw, append(slices.Clone(others), inputFields...))
	if err != nil {
		return in, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		switch {
		case slices.Contains(others, name):
			delete(all, name)
		case !slices.Contains(inputFields, name):
			if err := checkUnknownField(name, value); err != nil {
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
	return in, sorted(ignored), decodeJSON(raw, &in)
}

// readFields reads an object's fields. It matches known names in any case.
func readFields(raw json.RawMessage, known []string) (map[string]json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := decodeJSON(raw, &all); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		i := slices.IndexFunc(known, func(k string) bool { return k != name && strings.EqualFold(k, name) })
		if i < 0 || slices.Contains(known, name) {
			continue
		}
		if _, twice := all[known[i]]; twice {
			return nil, fault.Fieldf(known[i], "The field %q is sent twice.", known[i]).WithHint("Send it once.")
		}
		all[known[i]] = all[name]
		delete(all, name)
	}
	return all, nil
}

// sorted sorts names and removes repeated ones.
func sorted(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// apply copies the fields that were sent into p.
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
		p.Proxy = profile.Proxy{Type: in.Proxy.Type, Host: in.Proxy.Host, Port: in.Proxy.Port, Login: in.Proxy.Login,
			Password: in.Proxy.Password}
	}
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
