package cookies

import (
	"encoding/json"
	"strconv"

	"cove/api"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
)

// read checks who asks, and reads the data of a profile.
func (h *Handlers) read(c *call.Call, id profile.ID, q cookie.Query) (cookie.Data, error) {
	if err := h.mayRead(c, id); err != nil {
		return cookie.Data{}, err
	}
	c.AllowTime()
	data, err := h.Storage.Read(c.Context(), id, q)
	if q.Cookies && !q.Silent {
		sayOmitted(c, api.HeaderOpaque, data.Opaque)
	}
	return data, err
}

// sayOmitted counts cookies that an export leaves out, in a header of its answer.
func sayOmitted(c *call.Call, header string, n int) {
	if n > 0 {
		c.W.Header().Set(header, strconv.Itoa(n))
	}
}

// dolphin returns the cookies of a profile in Dolphin's form.
func (h *Handlers) dolphin(c *call.Call, id profile.ID) (json.RawMessage, error) {
	data, err := h.read(c, id, cookie.Query{Cookies: true})
	if err != nil {
		return nil, err
	}
	return cookie.Write(cookie.Dolphin, data.Cookies, nil)
}

// Export answers POST /export-cookies. It writes no file, whatever doNotSave says.
func (h *Handlers) Export(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	id, err := exportedProfile(raw)
	if err != nil {
		return nil, err
	}
	list, err := h.dolphin(c, id)
	if err != nil {
		return nil, err
	}
	return api.ExportedCookies{Success: true, Cookies: list}, nil
}

// exportedProfile reads the one profile of an export.
func exportedProfile(raw json.RawMessage) (profile.ID, error) {
	var in struct {
		Profiles  json.RawMessage `json:"browserProfiles"`
		DoNotSave api.Flag        `json:"doNotSave"`
	}
	if err := decode(raw, &in); err != nil {
		return 0, err
	}
	var list []json.RawMessage
	if json.Unmarshal(in.Profiles, &list) != nil || len(list) != 1 || list[0][0] != '{' {
		return 0, errOneProfile()
	}
	var p api.CookieExportProfile
	if err := input.DecodeJSON(list[0], &p); err != nil {
		return 0, fault.In("browserProfiles.0", err)
	}
	if p.ID <= 0 {
		return 0, fault.Fieldf("browserProfiles.0.id", "The request names no profile.").
			WithHint("Send browserProfiles:[{\"id\":1}].")
	}
	return p.ID, nil
}

func errOneProfile() error {
	return fault.Unprocessablef("browserProfiles", "The data of one profile is exported at a time.").
		WithHint("Send one profile in browserProfiles, and make one call for each.")
}

// Get answers GET /browser_profiles/{id}/cookies with the file of a format.
func (h *Handlers) Get(c *call.Call) (any, error) {
	format, err := cookie.ParseFormat(c.URL.Query().Get("format"))
	if err != nil {
		return nil, err
	}
	data, err := h.read(c, c.ID, cookie.Query{Cookies: true, Local: format == cookie.StorageState})
	if err != nil {
		return nil, err
	}
	body, err := cookie.Write(format, data.Cookies, data.Origins)
	if err != nil {
		return nil, err
	}
	sayOmitted(c, api.HeaderPartitioned, format.Omitted(data.Cookies))
	return call.Page{Kind: format.Media(), Body: body}, nil
}

// ExportLocal answers GET and POST /local-storage/export/{id}.
func (h *Handlers) ExportLocal(c *call.Call) (any, error) {
	if _, err := c.JSON(); err != nil {
		return nil, err
	}
	return h.local(c, c.ID)
}

// ExportLocalOf answers GET /local-storage/export, whose query names the profile as the body of Export does: as JSON,
// or as a form. It writes no file.
func (h *Handlers) ExportLocalOf(c *call.Call) (any, error) {
	raw, err := input.URLEncoded([]byte(c.URL.RawQuery))
	if err != nil {
		return nil, err
	}
	var in struct {
		Profiles string `json:"browserProfiles"`
	}
	if json.Unmarshal(raw, &in) == nil { // a text, and not a form
		if !json.Valid([]byte(in.Profiles)) {
			return nil, errOneProfile()
		}
		if raw, err = json.Marshal(map[string]any{"browserProfiles": json.RawMessage(in.Profiles)}); err != nil {
			return nil, err
		}
	}
	id, err := exportedProfile(raw)
	if err != nil {
		return nil, err
	}
	return h.local(c, id)
}

// local returns the local storage of a profile.
func (h *Handlers) local(c *call.Call, id profile.ID) (any, error) {
	data, err := h.read(c, id, cookie.Query{Local: true})
	if err != nil {
		return nil, err
	}
	out := api.ExportedLocalStorage{Success: true, LocalStorage: []api.LocalStorageItem{}}
	for _, item := range cookie.DomainData(data.Origins) {
		out.LocalStorage = append(out.LocalStorage, api.LocalStorageItem(item))
	}
	return out, nil
}

// ImportLocal answers POST /local-storage/import.
func (h *Handlers) ImportLocal(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	var in api.LocalStorageImport
	if err := decode(raw, &in); err != nil {
		return nil, err
	}
	origins, ignored, err := cookie.ReadStorage(in.LocalStorage)
	if err != nil {
		return nil, err
	}
	if err := h.mayWrite(c, in.ProfileID); err != nil {
		return nil, err
	}
	c.AllowTime()
	if err := h.Storage.Write(c.Context(), in.ProfileID, cookie.Data{Origins: origins}); err != nil {
		return nil, err
	}
	return api.LocalStorageImported{Success: true, Imported: entries(origins), Ignored: ignored}, nil
}
