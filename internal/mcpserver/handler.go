package mcpserver

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/policy"
)

// newCall makes a call. A refused agent has no admission; its call only fails.
func (s *Server) newCall(c *client, admission *policy.Admission, req *mcp.CallToolRequest) *Call {
	call := &Call{client: c, shared: s.shared, admission: admission, Pages: c.pages, Redact: s.shared.redact}
	p := &peer{session: req.Session, replies: req.Params.InputResponses}
	call.progress = &progress{session: req.Session, token: req.Params.GetProgressToken(), redact: call.Redact}
	call.Approval = &Approval{
		enforcer: s.config.Enforcer, admission: admission, peer: p, progress: call.progress, redact: call.Redact,
		patience: patienceOf(agentOf(req).Name, c.payloads == nil), enter: call.enterTab}
	call.Files = &Files{
		protected: s.config.Files, folders: c.folders, peer: p, approval: call.Approval, redact: call.Redact}
	return call
}

// handler returns the function by which the SDK runs one tool for one client.
func (s *Server) handler(c *client, t Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		admission, err := c.admissions.admit(agentOf(req))
		call := s.newCall(c, admission, req)
		if err != nil {
			call.addFault(err)
			s.endSession(c, req, err)
			return call.protocolResult(true), nil
		}

		ctx, stop := whileAdmitted(ctx, admission)
		defer stop()
		defer call.progress.repeat(ctx, s.config.ProgressInterval)()
		shown := s.showCall(c, call, t, req)
		notice := c.swapNotice("")
		if notice != "" {
			call.Say("%s", notice)
		}

		err = s.execute(ctx, call, t, req.Params.Arguments)
		var required *inputRequired
		if errors.As(err, &required) {
			c.swapNotice(notice) // the agent has not read it yet
			call.Approval.returnUsed()
			shown.end(nil)
			return &mcp.CallToolResult{InputRequests: required.requests}, nil
		}

		if given := admission.TakeNotice(); given != "" {
			call.prepend(given)
		}
		if err != nil && s.config.Why != nil && ctx.Err() == nil {
			err = s.config.Why(ctx, err)
		}
		if err != nil {
			call.addFault(err)
		}
		shown.end(err)
		s.endSession(c, req, admission.Err())
		c.updatePages()
		return s.finish(c, call.protocolResult(err != nil)), nil
	}
}

// endSession ends the session of an agent that the person has disconnected, after the answer that says so.
func (s *Server) endSession(c *client, req *mcp.CallToolRequest, reason error) {
	if !errors.Is(reason, policy.DisconnectedError()) || (c.payloads == nil && !c.hasSession) {
		return
	}
	if c.hello.Disconnected != nil {
		c.hello.Disconnected()
	}
	c.leave(req.Session)
}

// execute waits for the browser and runs a tool.
func (s *Server) execute(ctx context.Context, call *Call, t Tool, raw json.RawMessage) (err error) {
	if call.Browser, err = s.config.Browser(ctx); err != nil {
		return err
	}
	call.Pages.use(call.Browser, call.client.hello.Documents)
	if err := call.checkFiles(ctx, t, raw); err != nil {
		return err
	}
	return call.runStep(ctx, t, raw)
}

// finish removes the secrets from a result and detaches what is large in it.
func (s *Server) finish(c *client, r *mcp.CallToolResult) *mcp.CallToolResult {
	for _, content := range r.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			text.Text = s.shared.redact.Text(text.Text)
		}
	}
	if c.payloads != nil {
		c.payloads.Detach(r)
	}
	return r
}
