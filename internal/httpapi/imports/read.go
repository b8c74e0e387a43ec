package imports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// request is api.ImportInput before its items are decoded.
type request struct {
	Profiles []json.RawMessage `json:"profiles"`
	Proxies  []json.RawMessage `json:"proxies"`
	DryRun   bool              `json:"dryRun"`
}

// read reads a request. It refuses what it does not understand, because a profile without a part is another identity.
func read(raw json.RawMessage) (b profile.Batch, dry bool, err error) {
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	var in request
	if err := decode(raw, &in); err != nil {
		return b, false, err
	}
	if len(in.Profiles) > api.MaxImport || len(in.Proxies) > api.MaxImport {
		return b, false, fault.Fieldf("profiles", "You can import at most %d profiles at a time.", api.MaxImport).
			WithHint("Split the list.")
	}

	for i, raw := range in.Profiles {
		p, err := readProfile(raw)
		if err != nil {
			return b, false, ofMany("profiles", "Profile", i, len(in.Profiles), err)
		}
		b.Profiles = append(b.Profiles, p)
	}
	for i, raw := range in.Proxies {
		r, err := readProxy(raw)
		if err != nil {
			return b, false, ofMany("proxies", "Proxy", i, len(in.Proxies), err)
		}
		b.Proxies = append(b.Proxies, r)
	}
	return b, in.DryRun, nil
}

// ofMany says which item of a list an error is about.
func ofMany(list, what string, i, n int, err error) error {
	f := fault.From(err)
	text := fmt.Sprintf("%s %d of %d: %s", what, i+1, n, f.Text)
	return fault.In(list+"."+strconv.Itoa(i), fault.New(f.Code, text, f.Hint).WithField(f.Field))
}

func readProfile(raw json.RawMessage) (p profile.Profile, err error) {
	var in api.ImportProfile
	if err := decode(raw, &in); err != nil {
		return p, err
	}
	p = profile.Profile{
		Name: in.Name, Tags: in.Tags, Notes: in.Notes, Folder: in.Folder, StartPages: in.StartPages, Locale: in.Locale,
		Timezone: in.Timezone, Args: in.Args,
	}
	if in.Proxy != nil {
		p.Proxy = proxy.Proxy(*in.Proxy)
		if !p.Proxy.Set() {
			return p, fault.Unprocessablef("proxy", "The proxy needs a type, a host and a port.").
				WithHint("Leave it out for a direct connection.")
		}
	}
	if in.Status != nil {
		p.Status = profile.Status{Name: in.Status.Name, Color: in.Status.Color}
		if err := p.Status.Clean(); err != nil {
			return p, fault.In("status", err)
		}
	}
	return p, p.Clean()
}

func readProxy(raw json.RawMessage) (r proxy.Record, err error) {
	var in api.ImportProxy
	if err := decode(raw, &in); err != nil {
		return r, err
	}
	r = proxy.Record{Name: in.Name, ChangeIPURL: in.ChangeIPURL, Saved: true, Proxy: proxy.Proxy{Type: in.Type,
		Host: in.Host, Port: in.Port, Login: in.Login, Password: in.Password}}
	return r, r.Clean()
}

// decode reads an object into v, and refuses fields that v does not have.
func decode(raw json.RawMessage, v any) error {
	if err := input.DecodeJSON(raw, v); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	if err == nil {
		return nil
	}
	quoted, ok := strings.CutPrefix(err.Error(), "json: unknown field ")
	if !ok {
		return err
	}
	name, _ := strconv.Unquote(quoted)
	return fault.Fieldf(name, "Unknown field %q.", input.Clip(name)).WithHint("See the API reference at /docs.")
}
