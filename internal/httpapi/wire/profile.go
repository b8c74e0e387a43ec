package wire

import (
	"cmp"
	"time"

	"cove/api"
	"cove/internal/profile"
	"cove/internal/session"
)

// ShowProfile returns a profile as the caller may see it.
func ShowProfile(p profile.Profile, status session.Status, owned bool) api.Profile {
	out := api.Profile{
		ID: p.ID, Name: p.Name, Tags: orEmpty(p.Tags), State: string(status.State), Running: Running(status),
	}
	if !owned {
		return out
	}
	pages, args := orEmpty(p.StartPages), orEmpty(p.Args)
	out.Mode, out.Agents = string(status.Mode), string(PresetOf(p.Policy))
	out.Folder, out.Notes, out.Locale, out.Timezone, out.Browser = &p.Folder, &p.Notes, &p.Locale, &p.Timezone,
		&p.Browser
	tools := cmp.Or(p.PageTools, profile.PageToolsOn)
	out.StartPages, out.Args, out.PageTools = &pages, &args, &tools
	if p.Window != (profile.Size{}) {
		out.Window = &api.Size{Width: p.Window.Width, Height: p.Window.Height}
	}
	if p.Proxy.Set() {
		shown := api.Proxy(p.Proxy)
		out.Proxy = &shown
	}
	if p.External.Set() {
		shown := api.External(p.External)
		out.External, out.Step, out.End = &shown, status.Step, string(status.End)
	}
	out.ProxyID, out.Status = p.ProxyID, ShowStatus(p.Status)
	out.CreatedAt, out.UpdatedAt, out.OpenedAt, out.DeletedAt = Moment(p.Created), Moment(p.Updated), Moment(p.Opened),
		Moment(p.Trashed)
	out.StartFailure = ShowStartFailure(status.Failed)
	return out
}

// ShowStartFailure returns a failed start for an answer, and nil for none.
func ShowStartFailure(f *session.StartFailure) *api.StartFailure {
	if f == nil {
		return nil
	}
	return &api.StartFailure{Code: f.Err.Code, Text: f.Err.Text, Hint: f.Err.Hint, Mode: string(f.Mode),
		At: f.At}
}

// Running reports whether a profile is not closed.
func Running(status session.Status) bool { return status.State != session.Closed }

// ShowStatus returns a status for an answer, and nil for none.
func ShowStatus(s profile.Status) *api.ProfileStatus {
	if s.ID == 0 {
		return nil
	}
	return &api.ProfileStatus{ID: api.StatusID(s.ID), Name: s.Name, Color: s.Color}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// Moment returns a time for an answer, and nil for none.
func Moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
