// Package webui is the app's window. Its sources are in src; `make bundle` makes of them what is served, in dist.
package webui

import (
	"embed"
	"mime"
	"path"
	"strings"
)

//go:embed dist
var files embed.FS

// Page is the window's page.
type Page struct{}

// kinds are the content types of the page's files. The computer's own table may say anything.
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// File returns a file of the page by its name.
func (Page) File(name string) (kind string, body []byte, ok bool) {
	if strings.ContainsAny(name, `/\`) {
		return "", nil, false
	}
	body, err := files.ReadFile("dist/" + name)
	if err != nil {
		return "", nil, false
	}
	if kind = kinds[path.Ext(name)]; kind == "" {
		kind = mime.TypeByExtension(path.Ext(name))
	}
	return kind, body, true
}
