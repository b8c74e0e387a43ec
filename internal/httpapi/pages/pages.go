// Package pages serves the window's page, the API reference and the API's description.
package pages

import (
	_ "embed"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
)

// Handlers serves the files of the pages.
type Handlers struct{ Window Window }

// Window holds the files of the page that people see.
type Window interface {
	// File returns a file of the page by its name.
	File(name string) (kind string, body []byte, ok bool)
}

//go:embed docs.html
var docsPage []byte

//go:embed docs.js
var docsJS []byte

//go:embed docs.css
var docsCSS []byte

//go:embed ask.html
var requestPage []byte

//go:embed ask.js
var requestJS []byte

//go:embed ask.css
var requestCSS []byte

// Request answers GET /ask/{name} with the page of one request.
func (h *Handlers) Request(*call.Call) (any, error) {
	return call.Page{Kind: "text/html; charset=utf-8", Body: requestPage}, nil
}

// RequestScript answers GET /ask/ask.js.
func (h *Handlers) RequestScript(*call.Call) (any, error) {
	return call.Page{Kind: "text/javascript; charset=utf-8", Body: requestJS}, nil
}

// RequestStyle answers GET /ask/ask.css.
func (h *Handlers) RequestStyle(*call.Call) (any, error) {
	return call.Page{Kind: "text/css; charset=utf-8", Body: requestCSS}, nil
}

// Docs answers GET /docs with the API reference.
func (h *Handlers) Docs(*call.Call) (any, error) {
	return call.Page{Kind: "text/html; charset=utf-8", Body: docsPage}, nil
}

// DocsScript answers GET /docs/docs.js.
func (h *Handlers) DocsScript(*call.Call) (any, error) {
	return call.Page{Kind: "text/javascript; charset=utf-8", Body: docsJS}, nil
}

// DocsStyle answers GET /docs/docs.css.
func (h *Handlers) DocsStyle(*call.Call) (any, error) {
	return call.Page{Kind: "text/css; charset=utf-8", Body: docsCSS}, nil
}

// Description answers GET /openapi.json.
func (h *Handlers) Description(*call.Call) (any, error) {
	return call.Page{Kind: "application/json", Body: api.OpenAPI}, nil
}

// Home answers GET / with the window's page.
func (h *Handlers) Home(*call.Call) (any, error) { return h.file("index.html") }

// File answers GET /ui/{name} with a file of the window's page.
func (h *Handlers) File(c *call.Call) (any, error) { return h.file(c.Name) }

func (h *Handlers) file(name string) (any, error) {
	kind, body, ok := h.Window.File(name)
	if !ok {
		return nil, fault.New(fault.CodeNoRoute, "There is no such file.",
			"The window is at / on this port.")
	}
	return call.Page{Kind: kind, Body: body}, nil
}
