package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/admission"
	"cove/internal/mcpserver/files"
	"cove/internal/mcpserver/peer"
	"cove/internal/mcpserver/progress"
	"cove/internal/mcpserver/record"
	"cove/internal/policy"
)

// toolRequest is a call of a tool as an agent makes it, whichever way it comes.
type toolRequest struct {
	agent     policy.Agent
	name      string // of the client, for the live view
	arguments json.RawMessage
	peer      *peer.Peer
	folders   *files.Folders
	patience  time.Duration
	token     any           // names the call in reports of its progress; nil for none
	limit     time.Duration // how long a command in a shell says that the call may wait; 0 for no limit
	out       string        // the file that a command in a shell writes its output to; "" for none
}

func requestOf(c *client, req *mcp.CallToolRequest) toolRequest {
	agent := peer.AgentOf(req)
	return toolRequest{
		agent: agent, name: peer.NameOf(req.Session), arguments: req.Params.Arguments,
		peer: &peer.Peer{Session: req.Session, Replies: req.Params.InputResponses}, folders: c.folders,
		patience: patienceOf(agent.Name, c.payloads == nil), token: req.Params.GetProgressToken(),
	}
}

// newCall makes a call. A refused agent has no admission; its call only fails.
func (s *Server) newCall(c *client, admission *policy.Admission, r toolRequest) *Call {
	call := &Call{client: c, shared: s.shared, admission: admission, Pages: c.pages, Redact: s.shared.redact,
		limit: r.limit, out: r.out, Record: record.Begin(r.arguments, s.shared.redact)}
	call.progress = &progress.Reporter{Session: r.peer.Session, Token: r.token, Redact: call.Redact}
	call.Approval = &Approval{
		enforcer: s.config.Enforcer, admission: admission, peer: r.peer, progress: call.progress, redact: call.Redact,
		patience: r.patience, enter: call.enterTab}
	call.Files = files.New(files.Config{
		Protected: s.config.Files, Folders: r.folders, Peer: r.peer, Redact: call.Redact,
		MayElicit: call.Approval.mayElicitFile})
	return call
}

// handler returns the function by which the SDK runs one tool for one client.
func (s *Server) handler(c *client, t Tool) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		call, err := s.serveCall(ctx, c, t, requestOf(c, req))
		var required *peer.InputRequired
		if errors.As(err, &required) {
			return &mcp.CallToolResult{InputRequests: required.Requests}, nil
		}
		reason := err
		if call.admission != nil {
			reason = call.admission.Err()
		}
		s.endSession(c, req, reason)
		result := s.finish(c, call.protocolResult(err != nil))
		if err != nil {
			f := faultOf(err)
			result.Meta = mcp.Meta{"cove/fault": map[string]any{"code": f.Code, "kind": f.Kind}}
		}
		return result, nil
	}
}

// serveCall runs a tool for a client. The call has the result, an error included; only peer.InputRequired is not in it.
func (s *Server) serveCall(ctx context.Context, c *client, t Tool, r toolRequest) (*Call, error) {
	admitted, err := c.admissions.Admit(r.agent)
	call := s.newCall(c, admitted, r)
	if err != nil {
		call.addFault(err)
		return call, err
	}

	ctx, stop := admission.While(ctx, admitted)
	defer stop()
	defer call.progress.Repeat(ctx, s.config.ProgressInterval)()
	shown := s.showCall(c, call, t, r)
	notice := c.swapNotice("")
	if notice != "" {
		call.Say("%s", notice)
	}

	err = s.execute(ctx, call, t, r.arguments)
	var required *peer.InputRequired
	if errors.As(err, &required) {
		c.swapNotice(notice) // the agent has not read it yet
		call.Approval.returnUsed(0)
		shown.end(nil)
		return call, err
	}

	for _, lost := range call.lossNotices() {
		call.prepend(lost)
	}
	if given := admitted.TakeNotice(); given != "" {
		call.prepend(given)
	}
	if err != nil && s.config.Why != nil && ctx.Err() == nil {
		err = s.config.Why(ctx, err)
	}
	if err != nil {
		call.addFault(err)
	}
	shown.end(err)
	c.updatePages()
	return call, err
}

// endSession ends the session of an agent that the person has disconnected, after the answer that says so.
func (s *Server) endSession(c *client, req *mcp.CallToolRequest, reason error) {
	if !errors.Is(reason, policy.DisconnectedError()) || (c.payloads == nil && !c.hasSession) {
		return
	}
	if c.hello.Disconnected != nil {
		c.hello.Disconnected()
	}
	c.closeAfterAnswer(req.Session)
}

// execute waits for the browser and runs a tool.
func (s *Server) execute(ctx context.Context, call *Call, t Tool, raw json.RawMessage) (err error) {
	if call.Browser, err = s.config.Browser(ctx); err != nil {
		return err
	}
	call.Pages.Use(call.Browser, call.client.hello.Documents)
	if err := call.checkFiles(ctx, t, raw); err != nil {
		return err
	}
	if call.out != "" {
		if call.out, err = call.Files.ForOutput(ctx, call.out); err != nil {
			return err
		}
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
