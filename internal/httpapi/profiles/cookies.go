package profiles

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"cove/internal/cookie"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
)

// Storage writes the data of closed profiles.
type Storage interface {
	Write(ctx context.Context, id profile.ID, data cookie.Data) error
}

// readCookies reads the cookies of a new profile, and names the field that it has read.
func readCookies(raw json.RawMessage) (data cookie.Data, fields []string, err error) {
	var in struct {
		Cookies json.RawMessage `json:"cookies"`
	}
	_ = json.Unmarshal(raw, &in) // what is no object is refused by who reads the rest
	if input.SaysNothing(in.Cookies) {
		return data, nil, nil
	}
	set, err := cookie.Read(in.Cookies, cookie.Options{Now: time.Now()})
	return cookie.Data{Cookies: set.Cookies, Origins: set.Origins}, []string{"cookies"}, err
}

// mayAddCookies refuses programs while every agent is suspended: cookies start a browser.
func (h *Handlers) mayAddCookies(c *call.Call, data cookie.Data) error {
	if len(data.Cookies)+len(data.Origins) == 0 {
		return nil
	}
	return permit.Import(c, h.Sessions, profile.Profile{})
}

// addCookies writes the cookies of a new profile. A profile that does not get them is deleted again.
func (h *Handlers) addCookies(c *call.Call, id profile.ID, data cookie.Data) error {
	if len(data.Cookies)+len(data.Origins) == 0 {
		return nil
	}
	c.AllowTime()
	if err := h.Storage.Write(c.Context(), id, data); err != nil {
		return errors.Join(err, h.Profiles.Delete(context.WithoutCancel(c.Context()), id))
	}
	return nil
}
