package mcpserver

import (
	"context"
	"encoding/json"
	"sync"

	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page"
	"cove/internal/page/risk"
	"cove/internal/page/webmcp"
	"cove/internal/policy"
	"cove/internal/wording"
)

// PageToolCall is a call of a tool that a page offers, before it is made.
type PageToolCall struct {
	Tab   *page.Tab
	Tool  webmcp.Tool
	Input json.RawMessage
}

// origin is the origin of the tool's document, as the browser knows it.
func (p PageToolCall) origin() string { return OriginOf(p.Tab, p.Tool.Frame) }

// OriginOf returns the origin of a frame's document.
func OriginOf(t *page.Tab, frame string) string {
	f := t.Frames.Frame(frame)
	if f.Origin != "" {
		return f.Origin
	}
	return f.URL
}

// what describes the call for the person who is asked. The page's words stand between quotation marks, as its claim.
func (p PageToolCall) what(r *redaction.Redactor) string {
	claims := "it says: " + wording.Quoted(r.Words(p.Tool.Description, 200))
	if p.Tool.Hints.ReadOnly {
		claims += "; it calls itself read-only"
	}
	if p.Tool.Hints.Consequential {
		claims += "; it calls itself consequential"
	}
	return p.named(r) + " (" + claims + "), with " + inputText(r, p.Input)
}

// told describes the call for the agent: without the page's words.
func (p PageToolCall) told(r *redaction.Redactor) string {
	return p.named(r) + ", with " + inputText(r, p.Input)
}

func (p PageToolCall) named(r *redaction.Redactor) string {
	kind := "a tool"
	if p.Tool.IsForm() {
		kind = "a form"
	}
	return "call " + wording.Quoted(p.Tool.Name) + ", " + kind + " of " + wording.Shorten(r.URL(p.origin()), 200)
}

// maxInputText is how many characters of a tool's input a person reads before it is called.
const maxInputText = 400

// inputText returns the input of a page's tool for people.
func inputText(r *redaction.Redactor, raw json.RawMessage) string {
	clean := callRecord{args: raw}
	return wording.Shorten(string(clean.cleanArguments(false, r)), maxInputText)
}

// AuthorizePageTool asks before a tool of a page is called, and before it may send a form with a password, a code or a
// payment. The yes is for this tool of this document with this definition: after it, the page must still offer that.
func (a *Approval) AuthorizePageTool(ctx context.Context, p PageToolCall) error {
	origin := p.origin()
	on := Subject{
		Tab: p.Tab, frames: []string{origin}, bound: p.bound(), version: version(p.Tool), told: p.told(a.redact),
	}
	if err := a.Authorize(ctx, policy.PageTool, on, p.what(a.redact)); err != nil {
		return err
	}
	if err := p.check(origin); err != nil {
		return err
	}

	on = Subject{Tab: p.Tab, version: on.version}
	err := a.AuthorizeSubmit(ctx, on, "call", func() (risk.Submit, error) {
		return risk.In(p.Tab).OfTool(ctx, p.Tool)
	})
	if err != nil {
		return err
	}
	return p.check(origin)
}

// version tells the definitions and the documents of a tool apart.
func version(t webmcp.Tool) string {
	raw, _ := json.Marshal([]any{t.Frame, t.Document, t.Hash})
	return string(raw)
}

// check returns an error if the page no longer offers the tool as it was.
func (p PageToolCall) check(origin string) error {
	now, there := p.Tab.Tools.Find(p.Tool.Frame, p.Tool.Name)
	if there && now.Same(p.Tool) && p.origin() == origin {
		return nil
	}
	return fault.New(fault.CodeToolChanged,
		"The page has changed this tool while the person was asked. Nothing was done.",
		"list_page_tools shows what the page offers now.")
}

// Origin returns the origin of the tool's document, for the journal.
func (p PageToolCall) Origin(r *redaction.Redactor) string {
	return wording.Shorten(r.URL(p.origin()), 200)
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
func (s *Server) DescribePageTool(p PageToolCall) (what, bound, definition string) {
	return s.shared.redact.Text(p.what(s.shared.redact)), p.bound(), version(p.Tool)
}

// bound is what an approval for a whole session holds for.
func (p PageToolCall) bound() string { return p.origin() + " " + p.Tool.Hash }

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
	t := c.record.tab
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
	p := PageToolCall{Tab: t, Tool: i.Tool, Input: json.RawMessage(i.Input)}
	r := s.shared.redact
	origin, page := p.Origin(r), wording.Shorten(r.PageURL(t), maxArgument)

	s.shared.screenshots.Add(func() { // in its own goroutine: the disk may be slow
		clean := callRecord{args: p.Input}
		args, _ := json.Marshal(map[string]any{
			"name": i.Tool.Name, "origin": origin, "status": i.Status, "input": clean.cleanArguments(false, r),
		})
		e := journal.Entry{
			Time: i.Began.UTC(), Agent: s.keeper(), Name: journal.PageTool, Args: args, Page: page,
			Outcome: journal.OK, Duration: i.Ended.Sub(i.Began),
		}
		if i.Status != webmcp.Completed {
			e.Outcome, e.Error = journal.Failed, r.Words(i.Error, maxArgument)
		}
		recorder.Record(e)
	})
}
