package access

import (
	"context"
	"io"
	"net/http"

	"cove/api"
	"cove/internal/keeperclient"
	"cove/internal/profile"
)

// ControlTab makes a tab the person's, or gives it back to the agents.
func (a *Control) ControlTab(ctx context.Context, id profile.ID, in api.LiveControl) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.ControlTab(ctx, keeperclient.TabControl{Tab: in.Tab, On: in.On, Message: in.Note})
	})
	return err
}

// SendInput sends what the person does to a tab of theirs.
func (a *Control) SendInput(ctx context.Context, id profile.ID, in api.LiveInput) (api.LiveInputResult, error) {
	sent := keeperclient.LiveInput{Tab: in.Tab, Image: in.Pic}
	for _, e := range in.Events {
		sent.Events = append(sent.Events, keeperclient.InputEvent(e))
	}
	got, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (keeperclient.InputResult, error) {
		return c.SendInput(ctx, sent)
	})
	out := api.LiveInputResult{Done: got.Done, Stale: got.Stale, Copied: got.Copied}
	for _, o := range got.Options {
		out.Options = append(out.Options, api.LiveOption(o))
	}
	return out, err
}

// SendFiles gives a page the files that it has asked the person for.
func (a *Control) SendFiles(ctx context.Context, id profile.ID, tab, contentType string, body io.Reader) error {
	_, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) (struct{}, error) {
		return struct{}{}, c.SendFiles(ctx, tab, contentType, body)
	})
	return err
}

// ServeDownload sends the person a file that they have saved. After an error nothing was written.
func (a *Control) ServeDownload(w http.ResponseWriter, r *http.Request, id profile.ID) error {
	return keeperclient.ProxyDownload(w, r, a.home.Profile(id))
}
