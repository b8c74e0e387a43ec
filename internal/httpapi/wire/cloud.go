package wire

import (
	"runtime"

	"cove/api"
	"cove/internal/profile"
	"cove/internal/proxy"
	"cove/internal/session"
)

// ShowCloudProfile returns a profile in the shape of Dolphin's cloud API, as the caller may see it. stored is the
// record of its proxy.
func ShowCloudProfile(p profile.Profile, status session.Status, stored proxy.Record, owned bool) any {
	if !owned {
		return api.CloudProfileName{ID: p.ID, Name: p.Name, Tags: orEmpty(p.Tags), Running: Running(status)}
	}
	out := api.CloudProfile{
		ID: p.ID, Name: p.Name, Tags: orEmpty(p.Tags), Running: Running(status),
		Notes: api.CloudNotes{Content: p.Notes, Color: "blue", Style: "text"},
		Tabs:  orEmpty(p.StartPages), Args: orEmpty(p.Args), Status: ShowStatus(p.Status),
		Created: p.Created, Updated: p.Updated, LastStart: Moment(p.Opened),
		Platform: platform(), BrowserType: "anty",
	}
	if p.FolderID != 0 {
		folder := api.FolderID(p.FolderID)
		out.Folder = &folder
	}
	if p.ProxyID != 0 {
		out.ProxyID = &p.ProxyID
		out.Proxy = &api.CloudProxy{
			ID: p.ProxyID, Name: stored.Name, Type: p.Proxy.Type, Host: p.Proxy.Host, Port: p.Proxy.Port,
			Login: p.Proxy.Login, Password: p.Proxy.Password, ChangeIPURL: stored.ChangeIPURL,
		}
		if !stored.LastCheck.At.IsZero() {
			out.Proxy.LastCheck = ShowCheck(stored.LastCheck, stored.Proxy)
		}
	}
	return out
}

// platform is the name that Dolphin gives this operating system.
func platform() string {
	if runtime.GOOS == "darwin" {
		return "macos"
	}
	return runtime.GOOS
}
