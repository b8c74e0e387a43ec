// Package machine answers the calls about the app and its computer: status, settings, browsers, diagnostics, logs, and
// the MCP clients.
package machine

import (
	"context"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls about the app and its computer.
type Handlers struct {
	Machine  Machine
	Clients  Clients
	Accounts account.Authority
	Profiles Profiles
	Sessions *session.Supervisor
	Access   Access
	About    api.Status // the constant part of the status
}

// Access knows whether agents are suspended.
type Access interface {
	// Panic reports whether every agent is suspended.
	Panic() bool
}

// Profiles reads profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
}

// Machine is what the app knows of itself and of this computer.
type Machine interface {
	Browsers(ctx context.Context) ([]api.Browser, error)
	Examine(ctx context.Context) []api.Finding
	Log(lines int) (api.LogLines, error)
	// ProfileLog returns the end of what the browser of a profile has written. It is empty before the first start.
	ProfileLog(id profile.ID, lines int) (api.LogLines, error)
	Settings(ctx context.Context) ([]api.Setting, error)
	// CheckSetting reports whether a value fits a setting. It accepts any value for a setting that it does not know.
	CheckSetting(key, value string) error
	SetSetting(ctx context.Context, key, value string) (api.Setting, error)
	// AdsPower returns the open port of AdsPower's API, 0 for none, and why the port of the settings is not open.
	AdsPower() (port int, problem string)
	// Stop ends the app after the answer has been sent.
	Stop()
}

// Status answers GET /status.
func (h *Handlers) Status(c *call.Call) (any, error) {
	_, owned, err := c.Credential()
	if err != nil {
		return nil, err
	}
	out := h.About
	if !owned {
		out.Bridge = nil
	}
	out.AdsPowerPort, out.AdsPowerProblem = h.Machine.AdsPower()
	out.Open, out.Panic = []api.OpenProfile{}, h.Access.Panic()
	for _, p := range h.Sessions.Running() {
		o := api.OpenProfile{ID: p.ID, State: string(p.State), Mode: string(p.Mode)}
		if known, err := h.Profiles.Get(c.Context(), p.ID); err == nil {
			o.Name = known.Name
		}
		out.Open = append(out.Open, o)
	}
	a, err := h.Accounts.Current(c.Context())
	if fault.KindOf(err) == fault.Unauthenticated {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.LoggedIn, out.Plan, out.Automation = true, string(a.Plan), a.MayAutomate() == nil
	if owned {
		out.Account = a.Email
	}
	return out, nil
}

// Settings answers GET /settings.
func (h *Handlers) Settings(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	all, err := h.Machine.Settings(c.Context())
	return api.Settings{Data: all}, err
}

// SetSetting answers PUT /settings/{name}.
func (h *Handlers) SetSetting(c *call.Call) (any, error) {
	var in api.Setting
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := h.Machine.CheckSetting(c.Name, in.Value); err != nil {
		return nil, aboutValue(err)
	}
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	// Settings decide who can drive profiles and with which browser. Only requiring a token takes nothing from the
	// person, so any owner's token can do it.
	if yes, _ := api.ParseFlag(in.Value); c.Name != "require_token" || !yes {
		if err := call.First(c.RequirePerson, c.Confirm); err != nil {
			return nil, err
		}
	}
	set, err := h.Machine.SetSetting(c.Context(), c.Name, in.Value)
	return set, aboutValue(err)
}

// aboutValue names the input that a refused setting is about.
func aboutValue(err error) error {
	if fault.KindOf(err) != fault.Invalid {
		return err
	}
	return fault.From(err).WithField("value")
}

// Browsers answers GET /browsers.
func (h *Handlers) Browsers(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	all, err := h.Machine.Browsers(c.Context())
	return api.Browsers{Data: all}, err
}

// Doctor answers GET /doctor.
func (h *Handlers) Doctor(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	return api.Findings{Data: h.Machine.Examine(c.Context())}, nil
}

// Logs answers GET /logs.
func (h *Handlers) Logs(c *call.Call) (any, error) {
	lines, err := logLines(c)
	if err != nil {
		return nil, err
	}
	return h.Machine.Log(lines)
}

// ProfileLog answers GET /browser_profiles/{id}/log: what the browser of a profile has written.
func (h *Handlers) ProfileLog(c *call.Call) (any, error) {
	lines, err := logLines(c)
	if err != nil {
		return nil, err
	}
	if _, err := h.Profiles.Get(c.Context(), c.ID); err != nil {
		return nil, err
	}
	return h.Machine.ProfileLog(c.ID, lines)
}

// logLines reads how many lines of a log the caller wants, and refuses everybody but the owner.
func logLines(c *call.Call) (int, error) {
	lines, err := c.Number("lines", 200)
	if err != nil {
		return 0, err
	}
	if lines < 1 || lines > 10000 {
		return 0, fault.Fieldf("lines", "You can read 1 to 10000 lines of the log.")
	}
	return lines, c.RequireOwner()
}

// StopApp answers POST /app/stop.
func (h *Handlers) StopApp(c *call.Call) (any, error) {
	var in api.StopApp
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	if in.Profiles {
		c.AllowTime()
		if err := h.Sessions.StopAll(c.Context()); err != nil {
			return nil, err
		}
	}
	h.Machine.Stop()
	return api.OK{Success: true}, nil
}
