// Package jobs answers the calls that change many profiles at once, and those about the jobs that do it.
package jobs

import (
	"context"

	"cove/api"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/permit"
	"cove/internal/httpapi/reference"
	"cove/internal/httpapi/wire"
	"cove/internal/job"
	"cove/internal/profile"
	"cove/internal/session"
)

// Handlers answers the calls about jobs.
type Handlers struct {
	Jobs     *job.Jobs
	Profiles Profiles
	Sessions *session.Supervisor
	Browsers permit.Browsers
	// References finds what requests refer to by id.
	References reference.Finder
}

// Profiles changes many profiles in one step: all of them or none.
type Profiles interface {
	List(ctx context.Context, q profile.Query) (profile.Page, error)
	UpdateMany(ctx context.Context, ids []profile.ID, edit func(*profile.Profile) error) error
	Trash(ctx context.Context, ids ...profile.ID) error
	RestoreMany(ctx context.Context, ids ...profile.ID) error
	Delete(ctx context.Context, ids ...profile.ID) error
}

// List answers GET /jobs.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	out := api.Jobs{Data: []api.Job{}}
	for _, s := range h.Jobs.List() {
		out.Data = append(out.Data, Show(s))
	}
	return out, nil
}

// Read answers GET /jobs/{name}.
func (h *Handlers) Read(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	return data(h.Jobs.Get(c.Name))
}

// Cancel answers DELETE /jobs/{name}.
func (h *Handlers) Cancel(c *call.Call) (any, error) {
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	return data(h.Jobs.Cancel(c.Name))
}

func data(s job.Status, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return api.JobData{Data: Show(s)}, nil
}

// Show returns a job for an answer.
func Show(s job.Status) api.Job {
	out := api.Job{ID: s.ID, Kind: s.Kind, State: string(s.State), Total: s.Total, Done: s.Done, Failed: s.Failed,
		Failures: []api.JobFailure{}, StartedAt: s.Started, EndedAt: wire.Moment(s.Ended)}
	for _, f := range s.Failures {
		out.Failures = append(out.Failures, api.JobFailure{Profile: f.Profile, Code: f.Err.Code, Text: f.Err.Text,
			Hint: f.Err.Hint})
	}
	return out
}
