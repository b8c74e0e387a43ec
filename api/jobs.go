package api

import (
	"context"
	"net/http"
	"time"

	"cove/internal/fault"
)

// MaxBulk is how many profiles one job can change.
const MaxBulk = 50000

// BulkInput changes many profiles at once.
type BulkInput struct {
	IDs    IDList     `json:"ids"`
	Change BulkChange `json:"change"`
}

// BulkChange is what a job does to each of its profiles: it changes fields, or it does what Action says.
type BulkChange struct {
	// AddTags and RemoveTags leave the other tags of each profile.
	AddTags    *Strings     `json:"addTags,omitempty"`
	RemoveTags *Strings     `json:"removeTags,omitempty"`
	Folder     *LooseFolder `json:"folder,omitempty"`
	Status     *LooseStatus `json:"status,omitempty"`
	Notes      *LooseNotes  `json:"notes,omitempty"`
	Proxy      *LooseProxy  `json:"proxy,omitempty"`
	// Action is trash, restore, delete, start or stop.
	Action string `json:"action,omitempty"`
	// Automation and Headless say how profiles start.
	Automation Flag `json:"automation,omitempty"`
	Headless   Flag `json:"headless,omitempty"`
}

// Job is one change of many profiles while it runs, and for a while after it.
type Job struct {
	ID string `json:"id"`
	// Kind is what the job changes: tags, folder, status, notes, proxy, several, or its action.
	Kind string `json:"kind"`
	// State is running, cancelling, cancelled or done.
	State  string `json:"state"`
	Total  int    `json:"total"`
	Done   int    `json:"done"`
	Failed int    `json:"failed"`
	// Failures are the first profiles that failed, with the reasons.
	Failures  []JobFailure `json:"failures"`
	StartedAt time.Time    `json:"startedAt"`
	EndedAt   *time.Time   `json:"endedAt,omitempty"`
}

// JobFailure is a profile that a job could not change.
type JobFailure struct {
	Profile ProfileID  `json:"profile"`
	Code    fault.Code `json:"code"`
	Text    string     `json:"text"`
	Hint    string     `json:"hint,omitempty"`
}

// JobData wraps one Job.
type JobData struct {
	Data Job `json:"data"`
}

// Jobs are the jobs that run and the last ones that ended, the newest first.
type Jobs struct {
	Data []Job `json:"data"`
}

// JobCalls are the calls about jobs.
type JobCalls struct{ client *Client }

// Jobs returns the calls about jobs, which change many profiles.
func (c *Client) Jobs() JobCalls { return JobCalls{c} }

// Start starts a job that changes many profiles, and returns it at once.
func (c JobCalls) Start(ctx context.Context, in BulkInput) (Job, error) {
	var out JobData
	err := c.client.Do(ctx, http.MethodPatch, "/browser_profiles", in, &out)
	return out.Data, err
}

// List lists the jobs.
func (c JobCalls) List(ctx context.Context) ([]Job, error) {
	var out Jobs
	err := c.client.Do(ctx, http.MethodGet, "/jobs", nil, &out)
	return out.Data, err
}

// Get reads one job.
func (c JobCalls) Get(ctx context.Context, id string) (Job, error) {
	var out JobData
	err := c.client.Do(ctx, http.MethodGet, "/jobs/"+id, nil, &out)
	return out.Data, err
}

// Cancel stops a job. What it has done stays.
func (c JobCalls) Cancel(ctx context.Context, id string) (Job, error) {
	var out JobData
	err := c.client.Do(ctx, http.MethodDelete, "/jobs/"+id, nil, &out)
	return out.Data, err
}
