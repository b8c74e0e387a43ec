// Package logins answers the calls that bring logins from a browser outside Cove into a profile.
package logins

import (
	"context"
	"time"

	"cove/api"
	"cove/internal/external"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/logins"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls. All of them are the person's alone: whoever may make them can bring every login of the
// person into a profile that agents use.
type Handlers struct {
	Imports  *logins.Imports
	Profiles interface {
		Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	}
	Sessions *session.Supervisor
}

const action = "import logins from another browser"

func may(c *call.Call) error {
	return call.First(func() error { return c.RequirePersonFor(action) }, c.RequireLogin)
}

// Sources answers GET /login_sources.
func (h *Handlers) Sources(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	out := api.LoginSources{Data: []api.LoginSource{}}
	for _, b := range external.Installed() {
		out.Data = append(out.Data, show(b))
	}
	return out, nil
}

func show(b external.Browser) api.LoginSource {
	out := api.LoginSource{Name: b.Name, DataDir: b.DataDir, Open: b.Open, Profiles: []api.LoginProfile{}}
	for _, p := range b.Profiles {
		out.Profiles = append(out.Profiles, api.LoginProfile(p))
	}
	return out
}

// Begin answers POST /login_imports.
func (h *Handlers) Begin(c *call.Call) (any, error) {
	var in api.LoginImportInput
	if err := call.First(func() error { return c.Decode(&in) }, func() error { return may(c) }); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Get(c.Context(), in.Profile)
	if err != nil {
		return nil, err
	}
	if err := p.NeedsData("import logins into it"); err != nil {
		return nil, err
	}
	if s := h.Sessions.Get(p.ID); s.State != session.Closed {
		return nil, fault.New(fault.CodeImportOpen, "Profile "+p.ID.String()+" is open.",
			"Close it first with: cove stop "+p.ID.String())
	}
	source, err := external.Choose(in.DataDir, in.Dir)
	if err != nil {
		return nil, err
	}
	return data(h.Imports.Begin(p.ID, source, func() error { return h.mayAsk(c.Context(), source) }))
}

// mayAsk refuses a browser that a profile is waiting to share, also after whoever asked for that has gone.
func (h *Handlers) mayAsk(ctx context.Context, source profile.External) error {
	for _, s := range h.Sessions.Running() {
		if s.State != session.Starting {
			continue
		}
		p, err := h.Profiles.Get(ctx, s.ID)
		if err == nil && p.External.Set() && paths.Same(p.External.DataDir, source.DataDir) {
			return logins.ErrAsked(p.ID)
		}
	}
	return nil
}

// maxWait is how long a call waits for a change.
const maxWait = 25 * time.Second

// Read answers GET /login_imports/{name}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	known, err := c.Number("known", -1)
	if err := call.First(func() error { return err }, func() error { return may(c) }); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(c.Context(), maxWait)
	defer cancel()
	return data(h.Imports.Get(ctx, c.Name, known))
}

// Choose answers POST /login_imports/{name}.
func (h *Handlers) Choose(c *call.Call) (any, error) {
	var in api.LoginChoice
	if err := call.First(func() error { return c.Decode(&in) }, func() error { return may(c) }); err != nil {
		return nil, err
	}
	if in.All == (len(in.Sites) > 0) {
		return nil, fault.Fieldf("sites", "Nothing was chosen, or everything and something.").
			WithHint(`Send {"sites":["github.com"]}, or {"all":true}.`)
	}
	return data(h.Imports.Choose(c.Name, logins.Choice(in)))
}

// Cancel answers DELETE /login_imports/{name}.
func (h *Handlers) Cancel(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	c.AllowTime() // what is being written is made whole first
	return data(h.Imports.Cancel(c.Name))
}

// List answers GET /login_imports.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := may(c); err != nil {
		return nil, err
	}
	out := api.LoginImports{Data: []api.LoginImport{}}
	for _, s := range h.Imports.List() {
		out.Data = append(out.Data, showImport(s))
	}
	return out, nil
}

func data(s logins.Status, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return api.LoginImportData{Data: showImport(s)}, nil
}

func showImport(s logins.Status) api.LoginImport {
	out := api.LoginImport{ID: s.ID, Profile: s.Profile, DataDir: s.Source.DataDir, Dir: s.Source.Dir,
		Step: string(s.Step), Sites: []api.LoginSite{}, Copy: s.Copy, Opaque: s.Opaque, Version: s.Version}
	for _, n := range s.Sites {
		out.Sites = append(out.Sites, api.LoginSite(n))
	}
	if f := s.Fault; f != nil {
		out.Failure = &api.ErrorObject{Type: f.Kind, Code: f.Code, Text: f.Text, Hint: f.Hint, Field: f.Field}
	}
	if r := s.Result; r != nil {
		out.Result = &api.LoginsTaken{Cookies: r.Cookies, Entries: r.Entries, Refused: []api.RefusedCookie{},
			RefusedOrigins: append([]string{}, r.RefusedOrigins...), Gone: append([]string{}, r.Gone...)}
		for _, k := range r.Refused {
			out.Result.Refused = append(out.Result.Refused,
				api.RefusedCookie{Domain: k.Domain, Path: k.Path, Name: k.Name, Partition: k.Partition})
		}
	}
	return out
}
