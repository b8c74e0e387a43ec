package widgets

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Farm serves the pages from this computer. They ask no other.
type Farm struct {
	*httptest.Server
	dir string
}

// Plant bundles the pages of the folder that this package is in into another, and serves them.
func Plant(ctx context.Context, dir, into string) (*Farm, error) {
	into, err := filepath.Abs(into)
	if err != nil {
		return nil, err
	}
	f := &Farm{dir: into}
	cmd := exec.CommandContext(ctx, "node", "build.mjs", into)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("bundle the widgets: %w: %s", err, out)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /built/", http.StripPrefix("/built/", http.FileServer(http.Dir(f.dir))))
	mux.HandleFunc("GET /countries", countries)
	mux.HandleFunc("POST /upload", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "1")
	})
	mux.HandleFunc("GET /favicon.ico",
		func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("GET /{page}", f.page)
	f.Server = httptest.NewServer(mux)
	return f, nil
}

// page is what stands around a widget: an ordinary page of an ordinary application.
func (f *Farm) page(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("page")
	if _, err := os.Stat(filepath.Join(f.dir, filepath.Base(name)+".js")); err != nil {
		http.NotFound(w, r)
		return
	}
	style := ""
	if _, err := os.Stat(filepath.Join(f.dir, filepath.Base(name)+".css")); err == nil {
		style = fmt.Sprintf(`<link rel="stylesheet" href="/built/%s.css">`, html.EscapeString(name))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = fmt.Fprintf(w, shell, html.EscapeString(name), style, html.EscapeString(name))
}

const shell = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour office: %s</title>%s
<meta name="viewport" content="width=device-width"><style>body { font: 15px sans-serif; margin: 0 24px } nav a { margin-right: 12px }</style></head>
<body><header><nav aria-label="Main"><a href="/home">Overview</a><a href="/ships">Ships</a><a href="/crew">Crew</a><a href="/cargo">Cargo</a><a href="/papers">Papers</a></nav></header>
<main><h1>Voyage plan</h1><p>Fill in what is missing. Changes are kept at once.</p><div id="root"></div></main>
<footer><a href="/help">Help</a> <a href="/terms">Terms</a></footer>
<script type="module" src="/built/%s.js"></script></body></html>`

// countries answers what an autocomplete asks.
func countries(w http.ResponseWriter, r *http.Request) {
	found := []string{}
	for _, c := range []string{"Panama", "Peru", "Philippines", "Poland", "Portugal", "Romania", "Senegal", "Serbia",
		"Spain"} {
		if strings.HasPrefix(strings.ToLower(c), strings.ToLower(r.URL.Query().Get("q"))) {
			found = append(found, c)
		}
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(found)
}
