package keeper

import (
	"context"
	"encoding/json"

	"cove/internal/gate"
	"cove/internal/mcpserver/pagetool"
	"cove/internal/page"
	"cove/internal/page/risk"
	"cove/internal/page/webmcp"
	"cove/internal/sensitive"
)

// pageTools tells the gate about the tools that pages offer.
type pageTools struct{ agents *agents }

// find returns a tool of a tab. There is none before the browser is ready.
func (p pageTools) find(target, frame, name string) (*page.Tab, webmcp.Tool, bool) {
	select {
	case <-p.agents.opened:
	default:
		return nil, webmcp.Tool{}, false
	}
	if p.agents.browser == nil {
		return nil, webmcp.Tool{}, false
	}
	for _, t := range p.agents.browser.Tabs() {
		if t.ID() == target {
			tool, ok := t.Tools.Find(frame, name)
			return t, tool, ok
		}
	}
	return nil, webmcp.Tool{}, false
}

// Tool describes a call.
func (p pageTools) Tool(target, frame, name string, input json.RawMessage) (gate.PageTool, bool) {
	t, tool, ok := p.find(target, frame, name)
	if !ok {
		return gate.PageTool{}, false
	}
	what, bound, version := p.agents.server.DescribePageTool(pagetool.Call{Tab: t, Tool: tool, Input: input})
	return gate.PageTool{What: what, Bound: bound, Version: version}, true
}

// Risk returns the kind of form that a tool may send. An unknown tool may send any.
func (p pageTools) Risk(ctx context.Context, target, frame, name string) sensitive.Kind {
	t, tool, ok := p.find(target, frame, name)
	if !ok {
		return sensitive.Unknown
	}
	risk, err := risk.In(t).OfTool(ctx, tool)
	if err != nil {
		return sensitive.Unknown
	}
	return risk.Kind
}
