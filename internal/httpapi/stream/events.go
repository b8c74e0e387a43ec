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
	sessions, profiles := h.Sessions.Subscribe(), h.Changes.Subscribe(256)
	defer sessions.Close()
	defer profiles.Close()
	var accesses <-chan api.Event
	var working <-chan job.Status
	if owned { // only callers with a credential see what agents do and ask for, and the jobs
		sub := h.Access.Subscribe()
		defer sub.Close()
		accesses = sub.C()
		following := h.Jobs.Subscribe()
		defer following.Close()
		working = following.C()
	}
	w, flush := c.W, http.NewResponseController(c.W)
	c.LiftLimits()
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, p := range h.Sessions.Running() {
		send(w, sessionEvent(p, owned))
	}
	if owned {
		h.sendAccess(w)
	}
	beat := time.NewTicker(15 * time.Second)
	defer beat.Stop()
	for flush.Flush() == nil {
		select {
		case p, ok := <-sessions.C():
			if !ok {
				// The caller is too slow; it connects again and gets the present state first.
				return call.Streamed{}, nil
			}
			if p.Mode != session.Maintenance { // to others the profile is closed
				send(w, sessionEvent(p, owned))
			}
		case e, ok := <-profiles.C():
			if !ok {
				return call.Streamed{}, nil
			}
			send(w, api.Event{Type: "profile", Profile: &e})
		case e, ok := <-accesses:
			if !ok {
				return call.Streamed{}, nil
			}
			send(w, e)
		case s, ok := <-working:
			if !ok {
				return call.Streamed{}, nil
			}
			send(w, jobEvent(s))
		case <-beat.C:
			_, _ = fmt.Fprint(w, ": alive\n\n")
		case <-c.Context().Done():
			return call.Streamed{}, nil
		case <-h.Ended:
			return call.Streamed{}, nil
		}
	}
	return call.Streamed{}, nil
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
