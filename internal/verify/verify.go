// Package verify runs the acceptance procedure: it closes a profile, connects to it as an MCP client does, compares its
// tabs, and checks that nothing is left.
package verify

import (
	"context"
	"errors"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/verify/mcpclient"
)

// Procedure is one run. Run may be called once.
type Procedure struct {
	App *api.Client
	ID  profile.ID
	// Folder is the profile's folder.
	Folder paths.ProfileDir
	// Server is the MCP server, exactly as a client runs it.
	Server mcpclient.Program
	// More is steps after those of every run, for a client of this computer.
	More []Extra
	// Began is called before each step, Ended after it.
	Began func(name string)
	Ended func(Step)

	limits limits
	server *mcpclient.Conn
	port   int
}

// Extra is a step that the caller adds.
type Extra struct {
	Name string
	Do   func(context.Context) (detail string, err error)
}

// Step is one step's outcome.
type Step struct {
	Name   string  `json:"name"`
	OK     bool    `json:"ok"`
	Millis float64 `json:"ms"`
	Detail string  `json:"detail,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// limits says how long verify waits for what may never happen.
type limits struct {
	// step bounds a step. first bounds one that may have to fetch a package.
	step, first time.Duration
	// pages is how long list_pages may differ from the browser: a page may be on its way to another address.
	pages time.Duration
	// server bounds the server itself.
	server mcpclient.Limits
}

func usualLimits() limits {
	return limits{step: time.Minute, first: 5 * time.Minute, pages: 10 * time.Second, server: mcpclient.UsualLimits()}
}

type step struct {
	name  string
	limit time.Duration
	do    func(context.Context) (detail string, err error)
}

// steps is the whole procedure, in order.
func (p *Procedure) steps() []step {
	l := p.limits
	all := []step{
		{"Close the profile", l.step, p.closeProfile},
		{"Start the MCP server", l.step, p.start},
		{"The profile opens by itself", l.first, p.opens},
		{"initialize", l.first, p.initialize},
		{"tools/list", l.step, p.tools},
		{"list_pages shows the profile's tabs", l.step, p.pages},
		{"End the client", l.step, p.end},
		{"The profile is still open", l.step, p.stillOpen},
		{"Stop the profile", l.step, p.closeProfile},
		{"Port and DevToolsActivePort are gone", l.step, p.gone},
	}
	for _, m := range p.More {
		all = append(all, step{m.Name, l.step, m.Do})
	}

	return all
}

// Run goes through the steps and stops at the first that fails; then it cleans up. The error is that step's.
func (p *Procedure) Run(ctx context.Context) (done []Step, err error) {
	if p.limits == (limits{}) {
		p.limits = usualLimits()
	}
	defer p.cleanUp()

	for _, s := range p.steps() {
		p.Began(s.name)
		outcome, err := s.run(ctx)
		p.Ended(outcome)
		done = append(done, outcome)
		if err != nil {
			return done, err
		}
	}

	return done, nil
}

func (s step) run(ctx context.Context) (Step, error) {
	ctx, cancel := context.WithTimeout(ctx, s.limit)
	defer cancel()
	began := time.Now()
	detail, err := s.do(ctx)
	millis := float64(time.Since(began).Microseconds()) / 1000
	outcome := Step{Name: s.name, OK: err == nil, Millis: millis, Detail: detail}
	if err != nil {
		outcome.Error = sentence(err)
	}

	return outcome, err
}

// sentence is what a person reads of an error. An error of the app's comes with its hint.
func sentence(err error) string {
	var r refusal
	var f *fault.Error
	if !errors.As(err, &r) && errors.As(err, &f) {
		return f.Sentence()
	}

	return err.Error()
}

// cleanUp leaves neither a server nor an open profile behind, also after a step that failed.
func (p *Procedure) cleanUp() {
	if p.server == nil {
		return
	}
	_ = p.server.Close()
	p.server = nil

	ctx, cancel := context.WithTimeout(context.Background(), p.limits.step)
	defer cancel()
	_ = p.App.Stop(ctx, p.ID)
}
