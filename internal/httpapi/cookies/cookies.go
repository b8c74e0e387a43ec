// Package cookies answers the calls that bring cookies and local storage into a profile and out of it.
package cookies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"cove/api"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/profile"
	"cove/internal/session"
)

// MaxBody limits the body of a call that brings cookies or storage.
const MaxBody = cookie.MaxBytes

// Handlers answers the calls about cookies and local storage.
type Handlers struct {
	Storage  Storage
	Profiles Profiles
	Sessions *session.Supervisor
}

// Storage reads and writes the data of profiles, open or closed.
type Storage interface {
	Read(ctx context.Context, id profile.ID, q cookie.Query) (cookie.Data, error)
	Write(ctx context.Context, id profile.ID, data cookie.Data) error
}

// Profiles reads stored profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
}

// Import answers POST /cookies/import.
func (h *Handlers) Import(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	var in api.CookieImport
	if err := decode(raw, &in); err != nil {
		return nil, err
	}
	if len(in.Cookies) == 0 {
		return nil, fault.Unprocessablef(cookie.Field, "The request has no cookies.").
			WithHint("Send them in the field cookies.")
	}
	return h.importInto(c, in.ProfileID, in.Cookies)
}

// decode reads a body, which must be an object. A profile's password is refused: Cove has none to check.
func decode(raw json.RawMessage, v any) error {
	fields := map[string]json.RawMessage{}
	if raw == nil || json.Unmarshal(raw, &fields) != nil {
		return fault.Invalidf("The request's body must be an object.").WithHint("See the API reference at /docs.")
	}
	if password, sent := fields["browserProfilePassword"]; sent && !input.SaysNothing(password) {
		return fault.Unprocessablef("browserProfilePassword", "Profiles of Cove have no password of their own.").
			WithHint("Leave the field out.")
	}
	return input.DecodeJSON(raw, v)
}

// importInto reads cookies of any format, checks who asks, and writes them.
func (h *Handlers) importInto(c *call.Call, id profile.ID, raw []byte) (any, error) {
	set, err := cookie.Read(raw, cookie.Options{Now: time.Now()})
	if err != nil {
		return nil, err
	}
	if err := h.mayWrite(c, id); err != nil {
		return nil, err
	}
	c.AllowTime()
	if err := h.Storage.Write(c.Context(), id, cookie.Data{Cookies: set.Cookies, Origins: set.Origins}); err != nil {
		return nil, err
	}
	return api.CookiesImported{
		Success: true, Imported: len(set.Cookies), Skipped: set.Expired, Repeated: set.Repeated,
		LocalStorage: entries(set.Origins), Ignored: set.Ignored,
	}, nil
}

func entries(origins []cookie.Origin) (n int) {
	for _, o := range origins {
		n += len(o.Items)
	}
	return n
}

// Put answers POST /browser_profiles/{id}/cookies: the body is cookies in any format, as they are in a file.
func (h *Handlers) Put(c *call.Call) (any, error) {
	dry, err := c.Flag("dryRun")
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(c.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, call.ErrTooLarge(large.Limit)
		}
		return nil, fault.Invalidf("The request's body could not be read.").Because(err)
	}
	var also struct {
		DryRun api.Flag `json:"dryRun"`
	}
	if text := bytes.TrimSpace(raw); len(text) > 0 && text[0] == '{' {
		if json.Unmarshal(text, &also) != nil {
			return nil, fault.Fieldf("dryRun", "%q must be true or false.", "dryRun").WithHint("Send true or false.")
		}
	}
	if !dry && !bool(also.DryRun) {
		return h.importInto(c, c.ID, raw)
	}
	return h.dryRun(c, raw)
}

// dryRun says what an import would change. It reads the profile's cookies, so it needs what an export needs.
func (h *Handlers) dryRun(c *call.Call, raw []byte) (any, error) {
	set, err := cookie.Read(raw, cookie.Options{Now: time.Now()})
	if err != nil {
		return nil, err
	}
	there, err := h.read(c, c.ID, cookie.Query{Cookies: true, Silent: true})
	if err != nil {
		return nil, err
	}
	out := api.CookieChanges{
		Success: true, DryRun: true, Skipped: set.Expired, Repeated: set.Repeated,
		LocalStorage: entries(set.Origins), Ignored: set.Ignored, Domains: []api.CookieChange{},
	}
	for _, change := range cookie.Diff(there.Cookies, set.Cookies) {
		out.Domains = append(out.Domains, api.CookieChange(change))
	}
	return out, nil
}
