// Package reference finds what a request refers to by id: stored proxies, folders and statuses.
package reference

import (
	"context"
	"slices"

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

// FindForNew is Find for a new profile. It leaves out a folder and a status that are not there, and returns their
// names: scripts send the numbers of an old account.
func (f Finder) FindForNew(ctx context.Context, in *api.ProfileInput, digits bool) (ignored []string, err error) {
	for range 3 { // one of the two at a time
		err = f.Find(ctx, in, digits)
		if err == nil || fault.KindOf(err) != fault.Unprocessable {
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
