// Package stream answers the calls that last: events, the live view and MCP over HTTP.
package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"cove/api"
	"cove/internal/event"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/jobs"
	"cove/internal/httpapi/wire"
	"cove/internal/job"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls that last.
type Handlers struct {
	Access   Access
	Agents   Agents
	Profiles Profiles
	Sessions *session.Supervisor
	Changes  *event.Feed[api.ProfileEvent]
	Jobs     *job.Jobs
	Ended    <-chan struct{} // closed when the app ends
}

// Access knows what agents do in the open profiles.
type Access interface {
	All() []api.Access
	Requests() api.Requests
	// Subscribe returns a feed of every change of access and of the panic switch.
	Subscribe() *event.Sub[api.Event]
	// Panic reports whether every agent is suspended.
	Panic() bool
}

// Profiles reads profiles.
type Profiles interface {
	Get(ctx context.Context, id profile.ID) (profile.Profile, error)
}

// Events answers GET /events. It streams every change until the caller leaves or the app ends.
func (h *Handlers) Events(c *call.Call) (any, error) {
	_, owned, err := c.Credential()
	if err != nil {
		return nil, err
	}
	f := h.subscribe(owned)
	defer f.close()
	c.LiftLimits()
	c.W.Header().Set("Content-Type", "text/event-stream")
	c.W.WriteHeader(http.StatusOK)
	for _, p := range h.Sessions.Running() {
		send(c.W, sessionEvent(p, owned))
	}
	if owned {
		h.sendAccess(c.W)
	}
	h.sendChanges(c, f)
	return call.Streamed{}, nil
}

// feeds are what one caller of Events follows.
type feeds struct {
	owned    bool // the caller has a credential
	sessions *event.Sub[session.Status]
	profiles *event.Sub[api.ProfileEvent]
	// Only callers with a credential see what agents do and ask for, and the jobs. Both are nil for others.
	accesses *event.Sub[api.Event]
	jobs     *event.Sub[job.Status]
}

func (h *Handlers) subscribe(owned bool) *feeds {
	f := &feeds{owned: owned, sessions: h.Sessions.Subscribe(), profiles: h.Changes.Subscribe(256)}
	if owned {
		f.accesses, f.jobs = h.Access.Subscribe(), h.Jobs.Subscribe()
	}
	return f
}

func (f *feeds) close() {
	f.sessions.Close()
	f.profiles.Close()
	if f.owned {
		f.accesses.Close()
		f.jobs.Close()
	}
}

// sendChanges sends what the feeds bring until the caller leaves or the app ends. A feed that has closed means that the
// caller is too slow; it connects again and gets the present state first.
func (h *Handlers) sendChanges(c *call.Call, f *feeds) {
	var accesses <-chan api.Event
	var jobStates <-chan job.Status
	if f.owned {
		accesses, jobStates = f.accesses.C(), f.jobs.C()
	}
	alive := time.NewTicker(15 * time.Second)
	defer alive.Stop()
	flush := http.NewResponseController(c.W)
	for flush.Flush() == nil {
		ok := true
		select {
		case p, open := <-f.sessions.C():
			if ok = open; ok && p.Mode != session.Maintenance { // to others the profile is closed
				send(c.W, sessionEvent(p, f.owned))
			}
		case e, open := <-f.profiles.C():
			if ok = open; ok {
				send(c.W, api.Event{Type: "profile", Profile: &e})
			}
		case e, open := <-accesses:
			if ok = open; ok {
				send(c.W, e)
			}
		case s, open := <-jobStates:
			if ok = open; ok {
				send(c.W, jobEvent(s))
			}
		case <-alive.C:
			_, _ = fmt.Fprint(c.W, ": alive\n\n")
		case <-c.Context().Done():
			return
		case <-h.Ended:
			return
		}
		if !ok {
			return
		}
	}
}

// sendAccess sends the present state of agents to a new caller.
func (h *Handlers) sendAccess(w http.ResponseWriter) {
	send(w, api.Event{Type: "panic", Panic: &api.Panic{On: h.Access.Panic()}})
	for _, d := range h.Access.All() {
		d.Requests = slices.Clone(d.Requests)
		for i := range d.Requests {
			d.Requests[i].Picture = nil
		}
		send(w, api.Event{Type: "access", Access: &d})
	}
	for _, one := range h.Access.Requests().Data {
		one.Picture = nil
		send(w, api.Event{Type: "request", Request: &one})
	}
	for _, s := range h.Jobs.List() {
		if !s.State.Ended() {
			send(w, jobEvent(s))
		}
	}
}

func jobEvent(s job.Status) api.Event {
	shown := jobs.Show(s)
	return api.Event{Type: "job", Job: &shown}
}

func sessionEvent(p session.Status, owned bool) api.Event {
	e := api.SessionEvent{ID: p.ID, State: string(p.State), Mode: string(p.Mode), Step: p.Step, End: string(p.End)}
	if owned {
		e.StartFailure = wire.ShowStartFailure(p.Failed)
	}
	return api.Event{Type: "session", Session: &e}
}

func send(w http.ResponseWriter, e api.Event) {
	raw, err := json.Marshal(e)
	if err == nil {
		_, _ = fmt.Fprintf(w, "event: %s\ndata: %s\n\n", e.Type, raw)
	}
}
