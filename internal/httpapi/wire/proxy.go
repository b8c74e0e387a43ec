package wire

import (
	"cove/api"
	"cove/internal/proxy"
)

// ShowProxy returns a stored proxy, with its password, for an answer to a caller with a credential.
func ShowProxy(r proxy.Record) api.StoredProxy {
	out := api.StoredProxy{
		ID: r.ID, Name: r.Name, Type: r.Type, Host: r.Host, Port: r.Port, Login: r.Login, Password: r.Password,
		ChangeIPURL: r.ChangeIPURL, SavedByUser: r.Saved, Profiles: r.Profiles, Created: r.Created, Updated: r.Updated,
	}
	if !r.LastCheck.At.IsZero() {
		c := ShowCheck(r.LastCheck, r.Proxy)
		out.LastCheck = &c
	}
	return out
}
