package cookies

import (
	"encoding/json"
	"net/http"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Sync answers Dolphin's Sync API, which is the address / with an actionType. Without one the answer is home's, if
// there is one.
func (h *Handlers) Sync(home call.Handler) call.Handler {
	return func(c *call.Call) (any, error) {
		action := c.URL.Query().Get("actionType")
		if action == "" && home != nil {
			return home(c)
		}
		if err := refusePages(c); err != nil {
			return nil, err
		}
		switch {
		case action == "getCookies" && c.Method != http.MethodHead:
			return h.syncGet(c)
		case action == "importCookies" && c.Method == http.MethodPost:
			return h.syncImport(c)
		case action == "importCookies":
			c.W.Header().Set("Allow", http.MethodPost)
			return nil, fault.New(fault.CodeMethod, "importCookies does not support "+c.Method+".", "Use POST.")
		}
		return nil, fault.Fieldf("actionType", "There is no such actionType.").
			WithHint("Use getCookies or importCookies.")
	}
}

// refusePages refuses what a browser sends: the address / itself is open to everybody who types it.
func refusePages(c *call.Call) error {
	_, origin := c.Header["Origin"]
	_, site := c.Header["Sec-Fetch-Site"]
	if !origin && !site {
		return nil
	}
	return fault.New(fault.CodeForbiddenOrigin, "Web pages cannot make this call.",
		"Call it from a program, without the headers Origin and Sec-Fetch-Site.")
}

func (h *Handlers) syncGet(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	id, err := syncProfile(c, raw)
	if err != nil {
		return nil, err
	}
	list, err := h.dolphin(c, id)
	if err != nil {
		return nil, err
	}
	return api.CookiesData{Success: true, Data: list}, nil
}

func (h *Handlers) syncImport(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	id, err := syncProfile(c, raw)
	if err != nil {
		return nil, err
	}
	return h.importInto(c, id, raw)
}

// syncProfile reads the profile's id from the query or the body.
func syncProfile(c *call.Call, raw json.RawMessage) (profile.ID, error) {
	text := c.URL.Query().Get("browserProfileId")
	var body struct {
		ID json.RawMessage `json:"browserProfileId"`
	}
	if text == "" && json.Unmarshal(raw, &body) == nil {
		text = strings.Trim(string(body.ID), `"`)
	}
	id, err := profile.ParseID(text)
	return id, fault.In("browserProfileId", err)
}
