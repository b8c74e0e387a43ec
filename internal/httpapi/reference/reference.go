// Package reference finds what a request refers to: stored proxies, folders with their defaults, and statuses.
package reference

import (
	"context"
	"slices"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// Finder finds what requests refer to.
type Finder struct {
	Proxies  Proxies
	Folders  Folders
	Statuses Statuses
}

// Proxies reads stored proxies.
type Proxies interface {
	Get(ctx context.Context, id proxy.ID) (proxy.Record, error)
}

// Folders reads stored folders.
type Folders interface {
	Get(ctx context.Context, id profile.FolderID) (profile.Folder, error)
	Defaults(ctx context.Context, id profile.FolderID, name string) (profile.Defaults, error)
}

// Statuses reads stored statuses.
type Statuses interface {
	Get(ctx context.Context, id profile.StatusID) (profile.Status, error)
}

// Find checks every id in in, and fills in what it stands for. With digits, a folder's name of digits is an id.
func (f Finder) Find(ctx context.Context, in *api.ProfileInput, digits bool) error {
	if err := f.findProxy(ctx, in); err != nil {
		return err
	}
	if in.Folder != nil && digits {
		in.Folder.Digits()
	}
	if in.Folder != nil && in.Folder.ID != 0 {
		if _, err := f.Folders.Get(ctx, profile.FolderID(in.Folder.ID)); err != nil {
			return unusable("folder", err)
		}
	}
	if in.Status != nil && *in.Status != 0 {
		if _, err := f.Statuses.Get(ctx, profile.StatusID(*in.Status)); err != nil {
			return unusable("status", err)
		}
	}
	return nil
}

// FindForNew is Find for a new profile, which also gets the defaults of its folder. It leaves out a folder and a status
// that are not there, and returns their names: scripts send the numbers of an old account.
func (f Finder) FindForNew(ctx context.Context, in *api.ProfileInput, digits bool) (ignored []string, err error) {
	for range 3 { // one of the two at a time
		err = f.Find(ctx, in, digits)
		if err == nil {
			return ignored, f.inherit(ctx, in)
		}
		if fault.KindOf(err) != fault.Unprocessable {
			return ignored, err
		}
		field := fault.From(err).Field
		switch field {
		case "folder":
			in.Folder = nil
		case "status":
			in.Status = nil
		default:
			return nil, err
		}
		ignored = append(ignored, field)
	}
	slices.Sort(ignored)
	return ignored, err
}

// inherit gives a new profile the defaults of its folder, where in says nothing.
func (f Finder) inherit(ctx context.Context, in *api.ProfileInput) error {
	if in.Folder == nil || (in.Folder.ID == 0 && strings.TrimSpace(in.Folder.Name) == "") {
		return nil
	}
	d, err := f.Folders.Defaults(ctx, profile.FolderID(in.Folder.ID), strings.TrimSpace(in.Folder.Name))
	if err != nil {
		return err
	}

	inheritText(&in.Locale, d.Locale)
	inheritText(&in.Timezone, d.Timezone)
	inheritList(&in.Tags, d.Tags)
	inheritList(&in.StartPages, d.StartPages)
	if in.Proxy == nil && d.Proxy.Set() {
		in.Proxy = &api.LooseProxy{Proxy: api.Proxy(d.Proxy)}
	}
	if in.Policy == nil && d.Agents != "" {
		in.Policy = &api.StrictPolicy{Preset: string(d.Agents)}
	}

	return nil
}

func inheritText(field **api.LooseText, value string) {
	if text := api.LooseText(value); *field == nil && value != "" {
		*field = &text
	}
}

func inheritList(field **api.Strings, values []string) {
	if list := api.Strings(slices.Clone(values)); *field == nil && len(values) > 0 {
		*field = &list
	}
}

// findProxy replaces the id of a stored proxy by the proxy itself, and refuses what contradicts it.
func (f Finder) findProxy(ctx context.Context, in *api.ProfileInput) error {
	if in.Proxy == nil || in.Proxy.ID == 0 {
		return nil
	}
	r, err := f.Proxies.Get(ctx, in.Proxy.ID)
	if err != nil {
		return unusable("proxy", err)
	}
	if name := in.Proxy.Disagrees(api.Proxy(r.Proxy)); name != "" {
		return fault.Unprocessablef("proxy."+name, "Proxy %d has another %s than the request.", r.ID, name).
			WithHint("Send the id alone, or change the proxy first.")
	}
	in.Proxy.Proxy = api.Proxy(r.Proxy)
	return nil
}

// unusable turns "there is no such thing" into a refusal of the field that names it.
func unusable(field string, err error) error {
	f := fault.From(err)
	if f.Kind != fault.NotFound {
		return err
	}
	return fault.Unprocessablef(field, "%s", f.Text).WithHint(f.Hint)
}
