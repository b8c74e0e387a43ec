// Package sessions answers the calls that open and close profiles.
package sessions

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/reference"
	"cove/internal/httpapi/wire"
	"cove/internal/policy"
	"cove/internal/process"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls about open profiles.
type Handlers struct {
	Accounts account.Authority
	Browsers permit.Browsers
	Profiles Profiles
	Sessions *session.Supervisor
	// References finds what requests refer to by id.
	References reference.Finder
	// Meter reads what browsers use.
	Meter *process.Meter
}

// Profiles stores profiles, those that end with their session included.
type Profiles interface {
	Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error)
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
	Delete(ctx context.Context, ids ...profile.ID) error
}

// Automation returns how the caller reaches an open profile. The path opens the gate, so for a guarded profile only a
// caller with a credential gets it.
func (h *Handlers) Automation(c *call.Call, p session.Status) *api.Automation {
	if p.Endpoint.Port == 0 {
		return nil
	}
	a := &api.Automation{Port: p.Endpoint.Port}
	if a.Hint = h.whyNoPath(c, p.ID); a.Hint == "" {
		a.WSEndpoint, a.WebSocketDebuggerURL = p.Endpoint.Path,
			"ws://127.0.0.1:"+strconv.Itoa(p.Endpoint.Port)+p.Endpoint.Path
	}
	return a
}

// whyNoPath says why the caller does not get the path, and returns "" when it does. The sentence does not name the
// missing fields, because scripts search the whole answer for these names.
func (h *Handlers) whyNoPath(c *call.Call, id profile.ID) string {
	if _, ok, err := c.Credential(); err == nil && ok {
		return ""
	}
	preset := policy.Guarded
	if p, err := h.Profiles.Get(c.Context(), id); err == nil {
		if preset = wire.PresetOf(p.Policy); !p.Policy.BindsPrograms() {
			return ""
		}
	}
	why := "this call has no credential"
	if c.WrongCredential() != "" {
		why = "this call's credential is not valid"
	}
	return "The browser's WebSocket address is omitted: this profile's policy is " + string(preset) +
		", and " + why + ". " + call.SendCredential + "; the port accepts the same header."
}

// Start answers GET /browser_profiles/{id}/start and POST /browser_profiles/{id}/start.
func (h *Handlers) Start(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	w, ignored, err := startOptions(c, raw)
	if err != nil {
		return nil, err
	}
	if err := c.MayDrive(); err != nil {
		return nil, err
	}
	c.LiftLimits() // a start that is joined may wait for a person
	status, err := h.Sessions.Start(c.Context(), c.ID, w)
	if err != nil {
		return h.conflict(c, status, err)
	}
	return api.Started{Success: true, Automation: h.Automation(c, status), Ignored: input.Sorted(ignored)}, nil
}

// Started returns the answer for a person's browser that is shared.
func (h *Handlers) Started(c *call.Call, status session.Status) any {
	return api.Started{Success: true, Automation: h.Automation(c, status), ProfileID: status.ID, Ignored: []string{}}
}

// conflict adds the address of the running browser to an answer that says it is running.
func (h *Handlers) conflict(c *call.Call, p session.Status, err error) (any, error) {
	if fault.KindOf(err) == fault.Conflict && p.State == session.Open {
		return h.Automation(c, p), err
	}
	return nil, err
}

// readTemporary reads the profile of a start without one, and checks the caller.
func (h *Handlers) readTemporary(c *call.Call, raw json.RawMessage) (p profile.Profile, ignored []string, err error) {
	p = profile.Profile{Name: "Temporary", Temporary: true}
	var in api.ProfileInput
	if raw != nil {
		if in, ignored, err = wire.ReadInput(raw, StartFields...); err != nil {
			return p, nil, err
		}
	}
	wire.Apply(in, &p)
	if err := call.First(p.Clean, func() error { return permit.RequireCredential(c, p) }, c.MayDrive); err != nil {
		return p, nil, err
	}
	more, err := h.References.FindForNew(c.Context(), &in, c.Cloud())
	if err != nil {
		return p, nil, wire.Spelled(raw, err)
	}
	p = profile.Profile{Name: "Temporary", Temporary: true}
	wire.Apply(in, &p)
	if p.Proxy.Set() { // its folder's: one that the request names was checked above
		if err := c.RequireCredentialFor("folder"); err != nil {
			return p, nil, err
		}
	}
	return p, append(ignored, wire.Spellings(raw, more...)...), p.Clean()
}

// StartTemporary answers POST /browser_profiles/start.
func (h *Handlers) StartTemporary(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	w, ignored, err := startOptions(c, raw, slices.Concat(wire.InputFields, wire.Aliases)...)
	if err != nil {
		return nil, err
	}
	p, more, err := h.readTemporary(c, raw)
	if err != nil {
		return nil, err
	}
	ignored = append(ignored, more...)
	if err := permit.Create(c, h.Browsers, p); err != nil {
		return nil, err
	}
	a, err := h.Accounts.Current(c.Context())
	if err != nil {
		return nil, err
	}
	if w.Mode == session.Automation {
		if err := a.MayAutomate(); err != nil {
			return nil, err
		}
		if err := h.Sessions.AdmitsAgents(c.Context(), p); err != nil {
			return nil, err
		}
	}
	made, err := h.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	c.AllowTime()
	status, err := h.Sessions.Start(c.Context(), made[0].ID, w)
	if err != nil {
		// The supervisor's hook also deletes the profile if the start got that far. The second deletion finds nothing.
		_ = h.Profiles.Delete(context.WithoutCancel(c.Context()), made[0].ID)
		return h.conflict(c, status, err)
	}
	return api.Started{Success: true, Automation: h.Automation(c, status), Type: "temporary",
		ProfileID: made[0].ID, Ignored: input.Sorted(ignored)}, nil
}

// Stop answers GET /browser_profiles/{id}/stop and POST /browser_profiles/{id}/stop.
func (h *Handlers) Stop(c *call.Call) (any, error) {
	if err := c.MayDrive(); err != nil {
		return nil, err
	}
	// An open profile can be stopped even if the profile itself was deleted.
	if h.Sessions.Get(c.ID).State == session.Closed {
		if _, err := h.Profiles.Get(c.Context(), c.ID); err != nil {
			return nil, err
		}
		return api.OK{Success: true}, nil
	}
	c.AllowTime()
	return api.OK{Success: true}, h.Sessions.Stop(c.Context(), c.ID)
}

// Running answers GET /browser_profiles/running.
func (h *Handlers) Running(c *call.Call) (any, error) {
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	out := map[string]api.Running{}
	for _, p := range h.Sessions.Running() {
		out[p.ID.String()] = api.Running{RunID: p.Endpoint.RunID, PID: p.Endpoint.PID, State: string(p.State),
			Mode:     string(p.Mode),
			Headless: p.Endpoint.Headless, Automation: h.Automation(c, p)}
	}
	return out, nil
}

// Usage answers GET /browser_profiles/usage.
func (h *Handlers) Usage(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	out := api.Usages{Data: []api.Usage{}}
	open := h.Sessions.Running()
	open = slices.DeleteFunc(open, func(p session.Status) bool { return p.Endpoint.PID == 0 })
	if len(open) == 0 {
		return out, nil
	}
	pids := make([]int, len(open))
	for i, p := range open {
		pids[i] = p.Endpoint.PID
	}
	loads, err := h.Meter.Read(pids...)
	if err != nil {
		return nil, err
	}
	for _, p := range open {
		if load, there := loads[p.Endpoint.PID]; there {
			out.Data = append(out.Data, api.Usage{Profile: p.ID, Memory: load.Memory,
				CPU: math.Round(load.CPU*10) / 10, Processes: load.Processes})
		}
	}
	return out, nil
}

// Active answers GET /browser_profiles/{id}/active.
func (h *Handlers) Active(c *call.Call) (any, error) {
	if err := c.RequireLogin(); err != nil {
		return nil, err
	}
	status := h.Sessions.Get(c.ID).Shown()
	if status.State != session.Open {
		p, err := h.Profiles.Get(c.Context(), c.ID)
		if err != nil {
			return nil, err
		}
		return nil, fault.New(fault.CodeNotOpen, "Profile "+c.ID.String()+" is not open.", p.OpenHint())
	}
	return api.Started{Success: true, Automation: h.Automation(c, status)}, nil
}
