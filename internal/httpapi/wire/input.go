// Package wire turns what the API says of profiles and policies into values of the domain, and back.
package wire

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// InputFields are the fields of ProfileInput.
var InputFields = []string{"name", "tags", "notes", "folder", "status", "startPages", "window", "locale", "timezone",
	"proxy", "args", "pageTools", "browser", "policy"}

// ReadInput reads what a request says of a profile, and returns the names of fields that Cove does not know. Scripts
// written for other products send many of those, so they are reported instead of refused. others are fields that
// another function reads.
func ReadInput(raw json.RawMessage, others ...string) (in api.ProfileInput, ignored []string, err error) {
	sent, known := raw, slices.Concat(others, InputFields, Aliases)
	all, err := input.ReadFields(raw, known)
	if err != nil {
		return in, nil, err
	}
	if ignored, err = resolveAliases(all); err != nil {
		return in, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		value := all[name]
		switch {
		case slices.Contains(others, name), slices.Contains(skipped, name):
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
	return in, input.Sorted(ignored), Spelled(sent, input.DecodeJSON(raw, &in))
}

// Apply copies the fields that were sent into p.
func Apply(in api.ProfileInput, p *profile.Profile) {
	set(&p.Name, in.Name)
	set(&p.Browser, in.Browser)
	set(&p.PageTools, in.PageTools)
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
	if in.Status != nil {
		p.Status = profile.Status{ID: profile.StatusID(*in.Status)}
	}
	applyFolder(in.Folder, p)
	applyProxy(in.Proxy, p)
}

// applyFolder puts p into the folder of an id or of a name. Its own folder, in whatever spelling, changes nothing.
func applyFolder(in *api.LooseFolder, p *profile.Profile) {
	if in == nil || (in.ID == 0 && p.FolderID != 0 && strings.EqualFold(in.Name, p.Folder)) ||
		(in.ID != 0 && profile.FolderID(in.ID) == p.FolderID) {
		return
	}
	p.FolderID, p.Folder = profile.FolderID(in.ID), in.Name
}

// applyProxy gives p the stored proxy of an id, or the proxy that the fields describe. One that equals its own changes
// nothing.
func applyProxy(in *api.LooseProxy, p *profile.Profile) {
	if in == nil {
		return
	}
	sent := proxy.Proxy(in.Proxy)
	if in.ID == 0 && p.ProxyID != 0 && sent.Clean() == nil && sent == p.Proxy {
		return
	}
	p.ProxyID, p.Proxy = in.ID, proxy.Proxy(in.Proxy)
}

func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}
