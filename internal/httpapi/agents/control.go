package agents

import (
	"context"
	"io"
	"net/http"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// TabControl lets a person work in a tab of an open profile.
type TabControl interface {
	ControlTab(ctx context.Context, id profile.ID, in api.LiveControl) error
	SendInput(ctx context.Context, id profile.ID, in api.LiveInput) (api.LiveInputResult, error)
	SendFiles(ctx context.Context, id profile.ID, tab, contentType string, body io.Reader) error
	// ServeDownload writes a file that the person has saved. After an error nothing was written.
	ServeDownload(w http.ResponseWriter, r *http.Request, id profile.ID) error
}

const (
	// maxNote is the longest note to the agents, in characters.
	maxNote = 1000
	// maxEvents is how many events a batch of input can have.
	maxEvents = 500
	// MaxFiles bounds the files that a person gives a page at once, in bytes.
	MaxFiles = 512 << 20
)

// ControlTab answers POST /browser_profiles/{id}/live/control. Only the person can, and handing back needs the PIN:
// agents go on then.
func (h *Handlers) ControlTab(c *call.Call) (any, error) {
	var in api.LiveControl
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if in.Tab == "" {
		return nil, fault.Fieldf("tab", "The request does not name a tab.")
	}
	if len([]rune(in.Note)) > maxNote {
		return nil, fault.Fieldf("note", "A note can have %d characters at most.", maxNote)
	}
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	if !in.On {
		if err := c.Confirm(); err != nil {
			return nil, err
		}
	}
	c.AllowTime()
	return api.OK{Success: true}, h.Access.ControlTab(c.Context(), c.ID, in)
}

// SendInput answers POST /browser_profiles/{id}/live/input.
func (h *Handlers) SendInput(c *call.Call) (any, error) {
	var in api.LiveInput
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if len(in.Events) > maxEvents {
		return nil, fault.Fieldf("events", "A batch can have %d events at most.", maxEvents)
	}
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	c.AllowTime()
	return h.Access.SendInput(c.Context(), c.ID, in)
}

// SendFiles answers POST /browser_profiles/{id}/live/files.
func (h *Handlers) SendFiles(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	c.AllowTime()
	tab, kind := c.URL.Query().Get("tab"), c.Header.Get("Content-Type")
	return api.OK{Success: true}, h.Access.SendFiles(c.Context(), c.ID, tab, kind, c.Body)
}

// Download answers GET /browser_profiles/{id}/live/download.
func (h *Handlers) Download(c *call.Call) (any, error) {
	if err := call.First(c.RequirePerson, c.RequireLogin); err != nil {
		return nil, err
	}
	c.LiftLimits()
	return call.Streamed{}, h.Access.ServeDownload(c.W, c.Request, c.ID)
}
