package mcpserver

import (
	"context"
	"encoding/json"
	"sync"

	"cove/internal/journal"
	"cove/internal/mcpserver/pagetool"
	"cove/internal/mcpserver/record"
	"cove/internal/page"
	"cove/internal/page/risk"
	"cove/internal/page/webmcp"
	"cove/internal/policy"
	"cove/internal/wording"
)

// AuthorizePageTool asks before a tool of a page is called, and before it may send a form with a password, a code or a
// payment. The yes is for this tool of this document with this definition: after it, the page must still offer that.
func (a *Approval) AuthorizePageTool(ctx context.Context, p pagetool.Call) error {
	origin := p.DocumentOrigin()
	on := Subject{
		Tab: p.Tab, frames: []string{origin}, bound: p.Bound(), version: pagetool.Version(p.Tool),
		told: p.WhatForAgent(a.redact),
	}
	if err := a.Authorize(ctx, policy.PageTool, on, p.What(a.redact)); err != nil {
		return err
	}
	if err := p.Check(origin); err != nil {
		return err
	}

	on = Subject{Tab: p.Tab, version: on.version}
	err := a.AuthorizeSubmit(ctx, on, "call", func() (risk.Submit, error) {
		return risk.In(p.Tab).OfTool(ctx, p.Tool)
	})
	if err != nil {
		return err
	}
	return p.Check(origin)
}

// toldTools has the documents whose tools a client has heard of.
type toldTools struct {
	mu   sync.Mutex
	told map[*page.Tab]int
}

// isTold reports whether the client has heard of the tools of a tab's document.
func (d *toldTools) isTold(t *page.Tab) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.told[t] == t.Tools.Document()+1
}

// tell notes that the client hears of the tools of a tab's document.
func (d *toldTools) tell(t *page.Tab) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for other := range d.told {
		if other.Closed() {
			delete(d.told, other)
		}
	}
	if d.told == nil {
		d.told = map[*page.Tab]int{}
	}
	d.told[t] = t.Tools.Document() + 1 // 0 is for a tab of which nothing was told
}

// DescribePageTool describes a call of a page's tool, as Authorize asks a person about it.
func (s *Server) DescribePageTool(p pagetool.Call) (what, bound, definition string) {
	return s.shared.redact.Text(p.What(s.shared.redact)), p.Bound(), pagetool.Version(p.Tool)
}

// PageTools lists the tools that a page offers to agents: not those of frames that are closed to them.
func (c *Call) PageTools(t *page.Tab) (all []webmcp.Tool) {
	for _, tool := range t.Tools.All() {
		if t.Frames.IsOpen(tool.Frame) {
			all = append(all, tool)
		}
	}
	return all
}

// TellPageTools notes that the agent knows of the page's tools.
func (c *Call) TellPageTools(t *page.Tab) { ClientState[toldTools](c).tell(t) }

// hintPageTools says once for each document that it offers tools. It is a number and no word of the page.
func (c *Call) hintPageTools() {
	t := c.Record.Tab
	if t == nil || t.Closed() || t.SiteError() != nil ||
		c.Approval.enforcer.Rules().Right(policy.PageTool) == policy.No {
		return
	}
	if ClientState[toldTools](c).isTold(t) {
		return
	}

	n := 0
	for _, tool := range c.PageTools(t) {
		if !tool.Hints.Debugging {
			n++
		}
	}
	if n > 0 {
		c.TellPageTools(t)
		c.Say("This page offers %s of its own: list_page_tools.", wording.Count(n, "tool"))
	}
}

// keeper stands for the profile's own keeper, in rows about what nobody has said who did.
func (s *Server) keeper() policy.Agent {
	return policy.Agent{Kind: journal.Keeper, Name: "cove", Version: s.config.Version}
}

// RecordInvocation writes into the journal that somebody else's call of a page's tool has ended: a program's on the
// debugging port. It does not wait.
func (s *Server) RecordInvocation(t *page.Tab, i webmcp.Invocation) {
	recorder := s.shared.journal
	if recorder == nil {
		return
	}
	p := pagetool.Call{Tab: t, Tool: i.Tool, Input: json.RawMessage(i.Input)}
	r := s.shared.redact
	origin, page := p.Origin(r), wording.Shorten(r.PageURL(t), record.MaxArgument)

	s.shared.screenshots.Add(func() { // in its own goroutine: the disk may be slow
		args, _ := json.Marshal(map[string]any{
			"name": i.Tool.Name, "origin": origin, "status": i.Status, "input": record.CleanInput(p.Input, r),
		})
		e := journal.Entry{
			Time: i.Began.UTC(), Agent: s.keeper(), Name: journal.PageTool, Args: args, Page: page,
			Outcome: journal.OK, Duration: i.Ended.Sub(i.Began),
		}
		if i.Status != webmcp.Completed {
			e.Outcome, e.Error = journal.Failed, r.Words(i.Error, record.MaxArgument)
		}
		recorder.Record(e)
	})
}
