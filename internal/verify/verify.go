// Package verify runs the acceptance procedure: it closes a profile, connects to it as an MCP client does, looks at its tabs,
// and sees that nothing is left.
package verify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
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

// Run goes through the steps and stops at the first that fails; then it cleans up.
func (p *Procedure) Run(ctx context.Context) (steps []Step, ok bool) {
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
		step := p.do(ctx, s.name, s.limit, s.do)
		p.Ended(step)
		steps = append(steps, step)
		if !step.OK {
			return steps, false
		}
	}
	return steps, true
}

func (p *Procedure) do(ctx context.Context, name string, most time.Duration, do func(context.Context) (string, error)) Step {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	began := time.Now()
	detail, err := do(ctx)
	s := Step{Name: name, OK: err == nil, Millis: float64(time.Since(began).Microseconds()) / 1000, Detail: detail}
	if err != nil {
		s.Error = sentence(err)
	}
	return s
}

// sentence is what a person reads of an error: for one of the app's with its remedy.
func sentence(err error) string {
	var f *api.Failure
	if errors.As(err, &f) {
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

func (p *Procedure) start(context.Context) (detail string, err error) {
	p.server, err = startServer(p.Server)
	return strings.Join(p.Server.Command, " "), err
}

// opens waits until the profile is open; nobody but the server has asked for that.
func (p *Procedure) opens(ctx context.Context) (string, error) {
	lines := p.server.lines
	for {
		open, err := p.running(ctx)
		switch {
		case err != nil:
			return "", err
		case open != nil && open.State == "open" && open.Automation != nil:
			p.port = open.Automation.Port
			return fmt.Sprintf("port %d", p.port), nil
		}
		select {
		case m, ok := <-lines: // it has not been asked anything, but it may already speak nonsense
			if m.Error != nil {
				return "", errors.New(m.Error.Message)
			}
			if !ok {
				lines = nil // it is ending
			}
		case <-p.server.exited:
			return "", p.server.ended()
		case <-ctx.Done():
			return "", errors.New("the profile did not open" + p.server.because())
		case <-time.After(20 * time.Millisecond):
		}
	}
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

func (p *Procedure) pages(ctx context.Context) (string, error) {
	var r struct {
		IsError bool `json:"isError"`
		Content []struct{ Text string }
	}
	if err := p.server.call(ctx, "tools/call", object{"name": "list_pages", "arguments": object{}}, &r); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, c := range r.Content {
		text.WriteString(c.Text + "\n")
	}
	if r.IsError {
		return "", errors.New("list_pages failed: " + short(strings.TrimSpace(text.String())))
	}
	tabs, err := p.tabs(ctx)
	if err != nil {
		return "", err
	}
	for _, url := range tabs {
		if !strings.Contains(text.String(), url) {
			return "", fmt.Errorf("the profile has a tab with %s, and list_pages does not show it", url)
		}
	}
	if len(tabs) == 1 {
		return "1 tab", nil
	}
	return fmt.Sprintf("%d tabs", len(tabs)), nil
}

// tabs asks the gate, which is another way to the same browser.
func (p *Procedure) tabs(ctx context.Context) (urls []string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://127.0.0.1:%d/json/list", p.port), nil)
	if err != nil {
		return nil, err
	}
	if p.App.Token != "" {
		req.Header.Set("Authorization", "Bearer "+p.App.Token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var all []struct{ Type, URL string }
	if err := json.NewDecoder(res.Body).Decode(&all); err != nil {
		return nil, fmt.Errorf("read the profile's tabs: %w", err)
	}
	for _, t := range all {
		if t.Type == "page" && !strings.HasPrefix(t.URL, "devtools:") {
			urls = append(urls, t.URL)
		}
	}
	if len(urls) == 0 {
		return nil, errors.New("the profile has no tab")
	}
	return urls, nil
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
