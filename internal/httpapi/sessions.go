package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/profile"
	"cove/internal/session"
)

// startInput is the body of a start. The query can say the same.
type startInput struct {
	Automation api.Flag `json:"automation"`
	Headless   api.Flag `json:"headless"`
	NoTabs     api.Flag `json:"noTabs"`
}

// startFields are the fields of startInput.
var startFields = []string{"automation", "headless", "noTabs"}

// startOptions reads how to start a profile, from the query and the body together. It returns the names that it does
// not know. more are fields of the body that another function reads.
func (c *call) startOptions(raw json.RawMessage, more ...string) (w session.Options, ignored []string, err error) {
	if err := c.query(); err != nil {
		return w, nil, err
	}
	if raw == nil {
		raw = json.RawMessage("{}")
	}
	body, err := readFields(raw, append(slices.Clone(more), startFields...))
	if err != nil {
		return w, nil, err
	}
	if ignored, err = c.checkStartFields(body, more); err != nil {
		return w, nil, err
	}
	var in startInput
	for name, field := range map[string]*api.Flag{"automation": &in.Automation, "headless": &in.Headless,
		"noTabs": &in.NoTabs} {
		if value, there := body[name]; there {
			if err := json.Unmarshal(value, field); err != nil {
				return w, nil, fault.Fieldf(name, "The value of %q is not a yes or no.", name).
					WithHint("Send true or false.")
			}
		}
		value, err := c.flag(name)
		if err != nil {
			return w, nil, err
		}
		*field = *field || api.Flag(value)
	}
	w = session.Options{Mode: session.Ordinary, Headless: bool(in.Headless), NoTabs: bool(in.NoTabs)}
	if in.Automation {
		w.Mode = session.Automation
	}
	return w, ignored, nil
}

// checkStartFields refuses fields that could change the identity of a profile that is only to be opened. It also
// refuses misspelled fields: a start for scripts must not become one for a person.
func (c *call) checkStartFields(body map[string]json.RawMessage, more []string) (ignored []string, err error) {
	named := map[string]json.RawMessage{}
	for name, values := range c.URL.Query() {
		named[name] = json.RawMessage(strconv.Quote(strings.Join(values, ",")))
	}
	for _, name := range identity {
		if value, there := named[name]; there && more != nil && !saysNothing(value) {
			if err := c.requireCredentialFor(name); err != nil {
				return nil, err
			}
			return nil, fault.Fieldf(name, "The field %q belongs in the request's body, not in its URL.",
				name).WithHint("Send it with POST as JSON.")
		}
	}
	for name, value := range body {
		if !slices.Contains(more, name) {
			named[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if slices.Contains(startFields, name) {
			continue
		}
		if _, yes := decides(name); yes && !saysNothing(named[name]) {
			if err := c.requireCredentialFor(name); err != nil {
				return nil, err
			}
			if more != nil {
				return nil, checkUnknownField(name, named[name])
			}
			return nil, fault.Fieldf(clip(name), "A start cannot change the profile's identity, so %q is not allowed.",
				clip(name)).WithHint("Change the profile first: cove profile edit " + c.id.String())
		}
		if known := meant(name, startFields); known != "" {
			return nil, fault.Fieldf(clip(name), "A start has no option %q.", clip(name)).
				WithHint("Did you mean " + known + "?")
		}
		ignored = append(ignored, name)
	}
	return ignored, nil
}

// automation returns how the caller reaches an open profile. The path opens the gate, so for a guarded profile only a
// caller with a credential gets it.
func (c *call) automation(p session.Status) *api.Automation {
	if p.Endpoint.Port == 0 {
		return nil
	}
	a := &api.Automation{Port: p.Endpoint.Port}
	if a.Hint = c.whyNoPath(p.ID); a.Hint == "" {
		a.WSEndpoint, a.WebSocketDebuggerURL = p.Endpoint.Path,
			"ws://127.0.0.1:"+strconv.Itoa(p.Endpoint.Port)+p.Endpoint.Path
	}
	return a
}

// whyNoPath says why the caller does not get the path, and returns "" when it does. The sentence does not name the
// missing fields, because scripts search the whole answer for these names.
func (c *call) whyNoPath(id profile.ID) string {
	if _, ok, err := c.credential(); err == nil && ok {
		return ""
	}
	preset := policy.Guarded
	if p, err := c.server.config.Profiles.Get(c.Context(), id); err == nil {
		if preset = presetOf(p.Policy); !p.Policy.BindsPrograms() {
			return ""
		}
	}
	why := "this call carries no credential"
	if c.wrongCredential() != "" {
		why = "the credential of this call is not one of Cove's"
	}
	return "The address of the browser's WebSocket is left out: the policy of this profile is " + string(preset) +
		", and " + why + ". " + sendCredential + "; the port takes the same header."
}

func (s *Server) start(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	w, ignored, err := c.startOptions(raw)
	if err != nil {
		return nil, err
	}
	if err := c.mayDrive(); err != nil {
		return nil, err
	}
	c.allowTime()
	status, err := s.config.Sessions.Start(c.Context(), c.id, w)
	if err != nil {
		return c.conflict(status, err)
	}
	return api.Started{Success: true, Automation: c.automation(status), Ignored: ignored}, nil
}

// conflict adds the address of the running browser to an answer that says it is running.
func (c *call) conflict(p session.Status, err error) (any, error) {
	if fault.KindOf(err) == fault.Conflict && p.State == session.Open {
		return c.automation(p), err
	}
	return nil, err
}

// allowTime lifts the server's time limits for a call that waits for a browser. It lifts the limit for reading too:
// when that passes, the server assumes that the caller is gone.
func (c *call) allowTime() {
	limits := http.NewResponseController(c.w)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Now().Add(5 * time.Minute))
}

func (s *Server) startTemporary(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	w, ignored, err := c.startOptions(raw, inputFields...)
	if err != nil {
		return nil, err
	}
	p := profile.Profile{Name: "Temporary", Temporary: true}
	if raw != nil {
		in, more, err := readInput(raw, startFields...)
		if err != nil {
			return nil, err
		}
		apply(in, &p)
		ignored = append(ignored, more...)
	}
	if err := first(p.Clean, func() error { return c.requireCredentialForProfile(p) }, c.mayDrive); err != nil {
		return nil, err
	}
	if err := c.mayMake(p); err != nil {
		return nil, err
	}
	a, err := s.config.Accounts.Current(c.Context())
	if err != nil {
		return nil, err
	}
	if w.Mode == session.Automation {
		if err := a.MayAutomate(); err != nil {
			return nil, err
		}
		if err := s.config.Sessions.AdmitsAgents(c.Context(), p); err != nil {
			return nil, err
		}
	}
	made, err := s.config.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	c.allowTime()
	status, err := s.config.Sessions.Start(c.Context(), made[0].ID, w)
	if err != nil {
		// The supervisor's hook also deletes the profile if the start got that far. The second deletion finds nothing.
		_ = s.config.Profiles.Delete(context.WithoutCancel(c.Context()), made[0].ID)
		return c.conflict(status, err)
	}
	return api.Started{Success: true, Automation: c.automation(status), Type: "temporary",
		ProfileID: int32(made[0].ID), Ignored: sorted(ignored)}, nil
}

func (s *Server) stop(c *call) (any, error) {
	if err := c.mayDrive(); err != nil {
		return nil, err
	}
	// An open profile can be stopped even if the profile itself was deleted.
	if s.config.Sessions.Get(c.id).State == session.Closed {
		if _, err := s.config.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return api.OK{Success: true}, nil
	}
	c.allowTime()
	return api.OK{Success: true}, s.config.Sessions.Stop(c.Context(), c.id)
}

func (s *Server) running(c *call) (any, error) {
	if err := c.requireLogin(); err != nil {
		return nil, err
	}
	out := map[string]api.Running{}
	for _, p := range s.config.Sessions.Running() {
		out[p.ID.String()] = api.Running{RunID: p.Endpoint.RunID, PID: p.Endpoint.PID, State: string(p.State),
			Mode:     string(p.Mode),
			Headless: p.Endpoint.Headless, Automation: c.automation(p)}
	}
	return out, nil
}

func (s *Server) active(c *call) (any, error) {
	if err := c.requireLogin(); err != nil {
		return nil, err
	}
	status := s.config.Sessions.Get(c.id)
	if status.State != session.Open {
		if _, err := s.config.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.CodeNotOpen, "Profile "+c.id.String()+" is not open.",
			"Open it with: cove start "+c.id.String()+" --automation")
	}
	return api.Started{Success: true, Automation: c.automation(status)}, nil
}

// events streams every change until the caller leaves or the app ends.
func (s *Server) events(c *call) (any, error) {
	_, owned, err := c.credential()
	if err != nil {
		return nil, err
	}
	sessions, profiles := s.config.Sessions.Subscribe(), s.config.Changes.Subscribe(256)
	defer sessions.Close()
	defer profiles.Close()
	var accesses <-chan api.Event
	if owned { // only callers with a credential see what agents do and ask for
		sub := s.config.Access.Subscribe()
		defer sub.Close()
		accesses = sub.C()
	}
	w, flush := c.w, http.NewResponseController(c.w)
	_ = flush.SetReadDeadline(time.Time{})
	_ = flush.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, p := range s.config.Sessions.Running() {
		send(w, sessionEvent(p))
	}
	if owned {
		s.sendAccess(w)
	}
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for flush.Flush() == nil {
		select {
		case p, ok := <-sessions.C():
			if !ok {
				return streamed{}, nil // the caller is too slow; it connects again and gets the present state first
			}
			send(w, sessionEvent(p))
		case e, ok := <-profiles.C():
			if !ok {
				return streamed{}, nil
			}
			send(w, api.Event{Type: "profile", Profile: &e})
		case e, ok := <-accesses:
			if !ok {
				return streamed{}, nil
			}
			send(w, e)
		case <-beat.C:
			_, _ = fmt.Fprint(w, ": alive\n\n")
		case <-c.Context().Done():
			return streamed{}, nil
		case <-s.ended:
			return streamed{}, nil
		}
	}
	return streamed{}, nil
}

// sendAccess sends the present state of agents to a new caller.
func (s *Server) sendAccess(w http.ResponseWriter) {
	send(w, api.Event{Type: "panic", Panic: &api.Panic{On: s.config.Access.Panic()}})
	for _, d := range s.config.Access.All() {
		d.Requests = slices.Clone(d.Requests)
		for i := range d.Requests {
			d.Requests[i].Picture = nil
		}
		send(w, api.Event{Type: "access", Access: &d})
	}
}

func sessionEvent(p session.Status) api.Event {
	return api.Event{Type: "session", Session: &api.SessionEvent{ID: int32(p.ID), State: string(p.State),
		Mode: string(p.Mode), End: string(p.End)}}
}

func send(w http.ResponseWriter, e api.Event) {
	raw, err := json.Marshal(e)
	if err == nil {
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.Type, raw)
	}
}
