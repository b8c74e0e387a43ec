package folders

import (
	"reflect"

	"cove/api"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// showDefaults returns what the new profiles of a folder get, nil for nothing.
func showDefaults(d profile.Defaults) *api.FolderDefaults {
	if reflect.ValueOf(d).IsZero() {
		return nil
	}
	out := api.FolderDefaults{Tags: d.Tags, StartPages: d.StartPages, Locale: d.Locale, Timezone: d.Timezone,
		Agents: string(d.Agents)}
	if d.Proxy.Set() {
		p := api.Proxy(d.Proxy)
		out.Proxy = &p
	}
	return &out
}

// defaultsOf returns the defaults that a request describes.
func defaultsOf(in api.FolderDefaults) profile.Defaults {
	d := profile.Defaults{Tags: in.Tags, StartPages: in.StartPages, Locale: in.Locale, Timezone: in.Timezone,
		Agents: policy.Preset(in.Agents)}
	if in.Proxy != nil {
		d.Proxy = proxy.Proxy(*in.Proxy)
	}
	return d
}
