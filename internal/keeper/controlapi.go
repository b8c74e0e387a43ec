package keeper

import (
	"context"
	"mime"
	"net/http"
	"time"

	"cove/internal/keeperclient"
	"cove/internal/page/input"
)

// controlRoutes are the calls by which a person works in a tab.
func (a *agents) controlRoutes(routes *http.ServeMux) {
	routes.HandleFunc("POST /v1/live/control", handleJSON(a.controlTab))
	routes.HandleFunc("POST /v1/live/input", handleJSON(a.sendInput))
	routes.HandleFunc("POST /v1/live/files", a.sendFiles)
	routes.HandleFunc("GET /v1/live/download", a.sendDownload)
}

func (a *agents) controlTab(ctx context.Context, in keeperclient.TabControl) (any, error) {
	b, err := a.awaitBrowser(ctx)
	if err != nil {
		return nil, err
	}
	if in.On {
		return nil, a.control.Begin(ctx, b, in.Tab)
	}
	return nil, a.control.End(in.Tab, a.server.RedactText(in.Message))
}

func (a *agents) sendInput(ctx context.Context, in keeperclient.LiveInput) (any, error) {
	events := make([]input.Event, 0, len(in.Events))
	for _, e := range in.Events {
		events = append(events, input.Event(e))
	}
	got, err := a.control.Input(ctx, in.Tab, in.Image, events)
	if err != nil {
		return nil, err
	}
	out := keeperclient.InputResult{Done: got.Done, Stale: got.Stale, Copied: got.Copied}
	for _, o := range got.Options {
		out.Options = append(out.Options, keeperclient.InputOption(o))
	}
	return out, nil
}

// sendFiles gives a page files of the person.
func (a *agents) sendFiles(w http.ResponseWriter, r *http.Request) {
	parts, err := r.MultipartReader()
	if err == nil {
		err = a.control.Files(r.Context(), r.URL.Query().Get("tab"), parts)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("{}\n"))
}

// sendDownload sends the person a file that a page has saved.
func (a *agents) sendDownload(w http.ResponseWriter, r *http.Request) {
	b, err := a.awaitBrowser(r.Context())
	if err != nil {
		refuse(w, err)
		return
	}
	f, name, err := a.control.Download(b, r.URL.Query().Get("id"))
	if err != nil {
		refuse(w, err)
		return
	}
	defer func() { _ = f.Close() }()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	http.ServeContent(w, r, "", time.Time{}, f)
}
