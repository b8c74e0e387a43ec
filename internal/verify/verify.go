// Package verify runs the acceptance procedure: it closes a profile, connects to it as an MCP client does, looks at its tabs,
// and sees that nothing is left.
package verify

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/api"
	"cove/internal/paths"
)

// Procedure is one run.
type Procedure struct {
	App *api.Client
	ID  int32
	// Folder is the profile's.
	Folder paths.ProfileDir
	// Server is the MCP server, exactly as a client runs it.
	Server Program
	// More comes after the steps of every run: what a client of this computer has to show.
	More []Extra
	// Began and Ended are told of each step.
	Began func(name string)
	Ended func(Step)

	server *server
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

// limit bounds a step; the first one that waits for the server may have to fetch a package.
const (
	limit      = time.Minute
	firstLimit = 5 * time.Minute
)

// Run goes through the steps and stops at the first that fails; then it cleans up. The error is that step's.
func (p *Procedure) Run(ctx context.Context) (steps []Step, err error) {
	defer p.cleanUp()
	type step struct {
		name  string
		limit time.Duration
		do    func(context.Context) (detail string, err error)
	}
	all := []step{
		{"Close the profile", limit, p.closeProfile},
		{"Start the MCP server", limit, p.start},
		{"The profile opens by itself", firstLimit, p.opens},
		{"initialize", firstLimit, p.initialize},
		{"tools/list", limit, p.tools},
		{"list_pages shows the profile's tabs", limit, p.pages},
		{"End the client", limit, p.end},
		{"The profile is still open", limit, p.stillOpen},
		{"Stop the profile", limit, p.closeProfile},
		{"Port and DevToolsActivePort are gone", limit, p.gone},
	}
	for _, m := range p.More {
		all = append(all, step{m.Name, limit, m.Do})
	}
	for _, s := range all {
		p.Began(s.name)
		step, err := p.do(ctx, s.name, s.limit, s.do)
		p.Ended(step)
		steps = append(steps, step)
		if err != nil {
			return steps, err
		}
	}
	return steps, nil
}

func (p *Procedure) do(ctx context.Context, name string, most time.Duration, do func(context.Context) (string, error)) (Step, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	began := time.Now()
	detail, err := do(ctx)
	s := Step{Name: name, OK: err == nil, Millis: float64(time.Since(began).Microseconds()) / 1000, Detail: detail}
	if err != nil {
		s.Error = sentence(err)
	}
	return s, err
}

// sentence is what a person reads of an error: for one of the app's with its remedy.
func sentence(err error) string {
	var r refusal
	var f *api.Failure
	if !errors.As(err, &r) && errors.As(err, &f) {
		return strings.TrimSpace(f.Body.ErrorObject.Text + " " + f.Body.ErrorObject.Hint)
	}
	return err.Error()
}

// cleanUp leaves neither a server nor an open profile behind, also after a step that failed.
func (p *Procedure) cleanUp() {
	if p.server == nil {
		return
	}
	_ = p.server.close()
	p.server = nil
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	_ = p.App.Stop(ctx, p.ID)
}

func (p *Procedure) closeProfile(ctx context.Context) (string, error) {
	return "", p.App.Stop(ctx, p.ID)
}

// start runs the server, and says at once what clients say first: a server that has no profile to offer answers with the reason.
func (p *Procedure) start(context.Context) (detail string, err error) {
	detail = strings.Join(p.Server.Command, " ")
	if p.server, err = startServer(p.Server); err == nil {
		_ = p.server.hello() // one that has gone already is told by the next step
	}
	return detail, err
}

// opens waits until the profile is open; nobody but the server has asked for that.
func (p *Procedure) opens(ctx context.Context) (string, error) {
	lines := p.server.lines
	for {
		if open, err := p.isOpen(ctx); open || err != nil {
			return fmt.Sprintf("port %d", p.port), err
		}
		var failed error
		select {
		case m, ok := <-lines:
			if ok {
				p.server.held = append(p.server.held, m)
			} else {
				lines = nil // it is ending
			}
			if m.Error != nil {
				failed = errors.New(m.Error.Message)
			}
		case <-p.server.exited:
			failed = p.server.ended()
		case <-ctx.Done():
			return "", errors.New("the profile did not open" + p.server.because())
		case <-time.After(20 * time.Millisecond):
		}
		if failed == nil {
			continue
		}
		if open, err := p.isOpen(ctx); open && err == nil { // it failed afterwards
			return fmt.Sprintf("port %d", p.port), nil
		}
		return "", p.refused(ctx, failed)
	}
}

// isOpen tells whether the profile is open for agents, and keeps its port.
func (p *Procedure) isOpen(ctx context.Context) (bool, error) {
	open, err := p.running(ctx)
	if err != nil || open == nil || open.State != "open" || open.Automation == nil {
		return false, err
	}
	p.port = open.Automation.Port
	return true, nil
}

// refusal is what a server says when the app does not open the profile.
type refusal struct {
	error
	app error
}

func (r refusal) Unwrap() error { return r.app }

// refused asks the app itself whether it opens the profile: a server can only say so in words.
func (p *Procedure) refused(ctx context.Context, said error) error {
	var told *api.Failure
	if _, err := p.App.Start(ctx, p.ID, api.StartOptions{Automation: true}); errors.As(err, &told) {
		return refusal{said, err}
	}
	return said
}

func (p *Procedure) running(ctx context.Context) (*api.Running, error) {
	all, err := p.App.Running(ctx)
	if err != nil {
		return nil, err
	}
	r, ok := all[strconv.Itoa(int(p.ID))]
	if !ok {
		return nil, nil
	}
	return &r, nil
}

func (p *Procedure) initialize(ctx context.Context) (string, error) {
	version, err := p.server.initialize(ctx)
	return "protocol " + version, err
}

func (p *Procedure) tools(ctx context.Context) (string, error) {
	names, err := p.server.tools(ctx)
	if err != nil {
		return "", err
	}
	if !slices.Contains(names, "list_pages") {
		return "", fmt.Errorf("none of the %d tools is list_pages", len(names))
	}
	return fmt.Sprintf("%d tools", len(names)), nil
}

func (p *Procedure) end(context.Context) (string, error) { return "", p.server.close() }

func (p *Procedure) stillOpen(ctx context.Context) (string, error) {
	open, err := p.running(ctx)
	if err != nil {
		return "", err
	}
	if open == nil || open.State != "open" || open.Automation == nil || open.Automation.Port != p.port {
		return "", errors.New("the profile closed with its client")
	}
	return "", nil
}

func (p *Procedure) gone(ctx context.Context) (string, error) {
	if _, err := os.Lstat(p.Folder.ActivePort()); err == nil {
		return "", errors.New(p.Folder.ActivePort() + " is still there")
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(p.port)))
	if err == nil {
		_ = conn.Close()
		return "", fmt.Errorf("port %d still answers", p.port)
	}
	return "", nil
}
