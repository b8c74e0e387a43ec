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

// startInput is a start's body; the query says the same with fewer words.
type startInput struct {
	Automation api.Flag `json:"automation"`
	Headless   api.Flag `json:"headless"`
	NoTabs     api.Flag `json:"noTabs"`
}

// startFields are its names.
var startFields = []string{"automation", "headless", "noTabs"}

// want reads how a profile is to be started, from the query and the body together. It answers the names that it does not know; more are names of
// the body that another reads.
func (c *call) want(raw json.RawMessage, more ...string) (w session.Options, ignored []string, err error) {
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
	if ignored, err = c.mustUnderstandStart(body, more); err != nil {
		return w, nil, err
	}
	var in startInput
	for name, field := range map[string]*api.Flag{"automation": &in.Automation, "headless": &in.Headless, "noTabs": &in.NoTabs} {
		if value, there := body[name]; there {
			if err := json.Unmarshal(value, field); err != nil {
				return w, nil, fault.Invalidf("The value of %q is not a yes or no.", name).WithHint("Send true or false.")
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

// mustUnderstandStart refuses what could change the identity of a profile that is only to be opened, and a slip of the pen: a start for scripts
// must not become one for a person.
func (c *call) mustUnderstandStart(body map[string]json.RawMessage, more []string) (ignored []string, err error) {
	named := map[string]json.RawMessage{}
	for name, values := range c.URL.Query() {
		named[name] = json.RawMessage(strconv.Quote(strings.Join(values, ",")))
	}
	for _, name := range identity {
		if value, there := named[name]; there && more != nil && !saysNothing(value) {
			if err := c.mustOwnFor(name); err != nil {
				return nil, err
			}
			return nil, fault.Invalidf("The field %q belongs into the body of the request, not into its address.", name).WithHint("Send it with POST as JSON.")
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
			if err := c.mustOwnFor(name); err != nil {
				return nil, err
			}
			if more != nil {
				return nil, mustUnderstand(name, named[name])
			}
			return nil, fault.Invalidf("A start does not change who the profile is, so it takes no %q.", clip(name)).WithHint("Change the profile first: cove profile edit " + c.id.String())
		}
		if known := meant(name, startFields); known != "" {
			return nil, fault.Invalidf("A start knows no %q.", clip(name)).WithHint("Did you mean " + known + "?")
		}
		ignored = append(ignored, name)
	}
	return ignored, nil
}

// automation is how the caller reaches an open profile. Of a guarded one only a caller with a credential is told the path, which opens
// the gate.
func (c *call) automation(p session.Status) *api.Automation {
	if p.Endpoint.Port == 0 {
		return nil
	}
	a := &api.Automation{Port: p.Endpoint.Port}
	if a.Hint = c.whyNoPath(p.ID); a.Hint == "" {
		a.WSEndpoint, a.WebSocketDebuggerURL = p.Endpoint.Path, "ws://127.0.0.1:"+strconv.Itoa(p.Endpoint.Port)+p.Endpoint.Path
	}
	return a
}

// whyNoPath says why the caller is not told the path, "" when it is. It does not name the fields that are missing: scripts look for their names in
// the whole answer.
func (c *call) whyNoPath(id profile.ID) string {
	if _, ok, err := c.credential(); err == nil && ok {
		return ""
	}
	preset := policy.Guarded
	if p, err := c.server.Profiles.Get(c.Context(), id); err == nil {
		if preset = presetOf(p.Policy); !p.Policy.BindsPrograms() {
			return ""
		}
	}
	why := "this call carries no credential"
	if c.wrongCredential() != "" {
		why = "the credential of this call is not one of Cove's"
	}
	return "The address of the browser's WebSocket is left out: the policy of this profile is " + string(preset) + ", and " + why + ". " + sendCredential + "; the port takes the same header."
}

func (s *Server) start(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	w, ignored, err := c.want(raw)
	if err != nil {
		return nil, err
	}
	if err := c.mayDrive(); err != nil {
		return nil, err
	}
	c.patient()
	picture, err := s.Sessions.Start(c.Context(), c.id, w)
	if err != nil {
		return c.conflict(picture, err)
	}
	return api.Started{Success: true, Automation: c.automation(picture), Ignored: ignored}, nil
}

// conflict adds the running browser to an answer that says it is running.
func (c *call) conflict(p session.Status, err error) (any, error) {
	if fault.KindOf(err) == fault.Conflict && p.State == session.Open {
		return c.automation(p), err
	}
	return nil, err
}

// patient lifts the server's time limits for a call that waits for a browser. The one for reading too: when it passes, the
// server takes the caller for gone.
func (c *call) patient() {
	limits := http.NewResponseController(c.w)
	_ = limits.SetReadDeadline(time.Time{})
	_ = limits.SetWriteDeadline(time.Now().Add(5 * time.Minute))
}

func (s *Server) startTemporary(c *call) (any, error) {
	raw, err := c.body()
	if err != nil {
		return nil, err
	}
	w, ignored, err := c.want(raw, inputFields...)
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
	if err := first(p.Clean, func() error { return c.mustOwnForWhat(p) }, c.mayDrive); err != nil {
		return nil, err
	}
	if err := c.mayMake(p); err != nil {
		return nil, err
	}
	a, err := s.Accounts.Current(c.Context())
	if err != nil {
		return nil, err
	}
	if w.Mode == session.Automation {
		if err := a.MayAutomate(); err != nil {
			return nil, err
		}
		if err := s.Sessions.Access.Agents(c.Context(), p); err != nil {
			return nil, err
		}
	}
	made, err := s.Profiles.Create(c.Context(), p)
	if err != nil {
		return nil, err
	}
	c.patient()
	picture, err := s.Sessions.Start(c.Context(), made[0].ID, w)
	if err != nil {
		// The supervisor's hook deletes it too when the start got so far; whoever is second finds nothing.
		_ = s.Profiles.Delete(context.WithoutCancel(c.Context()), made[0].ID)
		return c.conflict(picture, err)
	}
	return api.Started{Success: true, Automation: c.automation(picture), Type: "temporary", ProfileID: int32(made[0].ID), Ignored: sorted(ignored)}, nil
}

func (s *Server) stop(c *call) (any, error) {
	if err := c.mayDrive(); err != nil {
		return nil, err
	}
	// One that is open may be stopped whatever has become of its profile.
	if s.Sessions.Get(c.id).State == session.Closed {
		if _, err := s.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return api.OK{Success: true}, nil
	}
	c.patient()
	return api.OK{Success: true}, s.Sessions.Stop(c.Context(), c.id)
}

func (s *Server) running(c *call) (any, error) {
	if err := c.mustLogIn(); err != nil {
		return nil, err
	}
	out := map[string]api.Running{}
	for _, p := range s.Sessions.Running() {
		out[p.ID.String()] = api.Running{RunID: p.Endpoint.RunID, PID: p.Endpoint.PID, State: string(p.State), Mode: string(p.Mode),
			Headless: p.Endpoint.Headless, Automation: c.automation(p)}
	}
	return out, nil
}

func (s *Server) active(c *call) (any, error) {
	if err := c.mustLogIn(); err != nil {
		return nil, err
	}
	picture := s.Sessions.Get(c.id)
	if picture.State != session.Open {
		if _, err := s.Profiles.Get(c.Context(), c.id); err != nil {
			return nil, err
		}
		return nil, fault.New(fault.NotFound, "E_NOT_OPEN", "Profile "+c.id.String()+" is not open.", "Open it with: cove start "+c.id.String()+" --automation")
	}
	return api.Started{Success: true, Automation: c.automation(picture)}, nil
}

// events streams every change until the caller goes or the app ends.
func (s *Server) events(c *call) (any, error) {
	_, owned, err := c.credential()
	if err != nil {
		return nil, err
	}
	sessions, profiles := s.Sessions.Subscribe(), s.Changes.Subscribe(256)
	defer sessions.Close()
	defer profiles.Close()
	var accesses <-chan api.Event
	if owned { // what agents do and ask for is not for everybody
		sub := s.Access.Subscribe()
		defer sub.Close()
		accesses = sub.C()
	}
	w, flush := c.w, http.NewResponseController(c.w)
	_ = flush.SetReadDeadline(time.Time{})
	_ = flush.SetWriteDeadline(time.Time{})
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, p := range s.Sessions.Running() {
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
				return streamed{}, nil // too slow: it asks again and gets the present state first
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

// sendDesks tells what a caller that has just come should know of agents.
func (s *Server) sendAccess(w http.ResponseWriter) {
	send(w, api.Event{Type: "panic", Panic: &api.Panic{On: s.Access.Panic()}})
	for _, d := range s.Access.All() {
		d.Requests = slices.Clone(d.Requests)
		for i := range d.Requests {
			d.Requests[i].Picture = nil
		}
		send(w, api.Event{Type: "access", Access: &d})
	}
}

func sessionEvent(p session.Status) api.Event {
	return api.Event{Type: "session", Session: &api.SessionEvent{ID: int32(p.ID), State: string(p.State), Mode: string(p.Mode), End: string(p.End)}}
}

func send(w http.ResponseWriter, e api.Event) {
	raw, err := json.Marshal(e)
	if err == nil {
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.Type, raw)
	}
}
