// Package fingerprints answers Dolphin's calls for fingerprints with the installed browser's own values. Cove invents
// none, so what a script asks for does not matter.
package fingerprints

import (
	"context"

	"cove/api"
	"cove/internal/httpapi/call"
)

// Handlers answers the calls for fingerprints.
type Handlers struct {
	Browser Browser
}

// Browser tells what the installed browser shows to every page.
type Browser interface {
	Fingerprint(ctx context.Context) (api.Fingerprint, error)
}

// read asks the browser. The first call starts it, which takes a moment.
func (h *Handlers) read(c *call.Call) (api.Fingerprint, error) {
	if err := c.RequireLogin(); err != nil {
		return api.Fingerprint{}, err
	}
	c.AllowTime()
	return h.Browser.Fingerprint(c.Context())
}

// Fingerprint answers GET /fingerprints/fingerprint.
func (h *Handlers) Fingerprint(c *call.Call) (any, error) {
	f, err := h.read(c)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// UserAgent answers GET /fingerprints/useragent.
func (h *Handlers) UserAgent(c *call.Call) (any, error) {
	f, err := h.read(c)
	if err != nil {
		return nil, err
	}
	return api.UserAgent{Data: f.UserAgent}, nil
}

// WebGL answers GET /fingerprints/webgl.
func (h *Handlers) WebGL(c *call.Call) (any, error) {
	f, err := h.read(c)
	if err != nil {
		return nil, err
	}
	return api.WebGLInfo{UnmaskedVendor: f.WebGL.UnmaskedVendor, UnmaskedRenderer: f.WebGL.UnmaskedRenderer,
		Vendor: f.WebGL.UnmaskedVendor, Renderer: f.WebGL.UnmaskedRenderer, WebGL2Maximum: f.WebGL2Maximum}, nil
}

// WebGLList answers GET /fingerprints/webglList with the one graphics card that there is.
func (h *Handlers) WebGLList(c *call.Call) (any, error) {
	maximum, err := c.Flag("withMaximum")
	if err != nil {
		return nil, err
	}
	f, err := h.read(c)
	if err != nil {
		return nil, err
	}
	vendor, renderer := f.WebGL.UnmaskedVendor, f.WebGL.UnmaskedRenderer
	if !maximum {
		return map[string][]string{vendor: {renderer}}, nil
	}
	return map[string]any{vendor: map[string]any{renderer: map[string]any{"webgl2Maximum": f.WebGL2Maximum}}}, nil
}

// Fonts answers GET /fingerprints/font-list. A page cannot list fonts, so there are none to tell.
func (h *Handlers) Fonts(c *call.Call) (any, error) {
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	return []string{}, nil
}
