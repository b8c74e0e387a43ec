package mcpserver

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/mcpserver/peer"
	"cove/internal/page/input"
	"cove/internal/policy"
	"cove/internal/random"
)

// AskPerson asks the person for help and waits for the answer: for wait, or as long as the client can. on is what the
// request is about. A code is typed into the element, and nobody reads it afterwards.
func (c *Call) AskPerson(
	ctx context.Context, r policy.Request, on Subject, wait *time.Duration,
) (policy.Request, error) {
	r.What = c.Redact.Text(r.What)
	if err := r.CheckHelp(); err != nil {
		return r, err
	}
	if on.Tab != nil {
		r.Page, r.Tab, r.Element = c.Redact.PageURL(on.Tab), on.Tab.ID(), on.UID
		r.Thumbnail, r.Box = on.thumbnail(ctx)
	}
	if r.Kind == policy.AskCode {
		if other, _ := c.client.owner.Other(on.Tab.ID()); other != nil {
			return r, c.tabOwned(on.Tab, other)
		}
		r.Type = func(ctx context.Context, code string) error {
			end, other := c.client.owner.Begin(on.Tab.ID())
			if other != nil {
				return c.tabOwned(on.Tab, other)
			}
			defer end()
			c.Redact.Hide(code)
			unlock, err := on.Tab.Lock(ctx)
			if err != nil {
				return err
			}
			defer unlock()
			_, err = input.On(on.Tab).FillCode(ctx, on.UID, code)
			return err
		}
	}
	r.Key = random.Hex(16)
	asked, err := c.Approval.enforcer.AskPerson(c.admission, r)
	if err != nil {
		return asked, err
	}
	if asked.State.IsOpen() {
		stop, err := c.elicitHelp(ctx, asked)
		defer stop()
		if err != nil {
			return asked, err
		}
	}
	return c.awaitPerson(ctx, asked.ID, wait)
}

// elicitHelp puts a request to the person in their client, too, where the policy allows that: as the address of its
// page, which the model does not see, or as a form. The person can still answer elsewhere.
func (c *Call) elicitHelp(ctx context.Context, r policy.Request) (stop func(), err error) {
	none := func() {}
	if !c.Approval.isAnswerer() {
		return none, nil
	}
	params := c.helpParams(r)
	if params == nil {
		return none, nil
	}
	client := c.Approval.peer
	if client.IsStateless() && c.Approval.part {
		return none, nil
	}
	if client.IsStateless() {
		key := "ask " + r.ID
		reply, found := client.Replies[key]
		if !found {
			return none, &peer.InputRequired{Requests: mcp.InputRequestMap{key: params}}
		}
		result, _ := reply.(*mcp.ElicitResult)
		c.takeReply(ctx, r, result)
		return none, nil
	}

	ctx, cancel := context.WithCancel(ctx)
	go func() {
		result, _ := client.Session.Elicit(ctx, params)
		c.takeReply(ctx, r, result)
	}()
	return cancel, nil
}

// helpParams returns how a request is put to the client; nil where the client cannot. A code is never put into a form.
func (c *Call) helpParams(r policy.Request) *mcp.ElicitParams {
	can := c.Approval.peer.Elicitation()
	if can == nil {
		return nil
	}
	if can.URL != nil && c.shared.askURL != nil {
		name := c.RequestName(r.ID)
		if address := c.shared.askURL(name, r.Key); address != "" {
			return &mcp.ElicitParams{Mode: "url", Message: r.What, URL: address, ElicitationID: name}
		}
	}
	property := map[string]any{"type": "string"}
	switch r.Kind {
	case policy.AskChoice:
		property["enum"] = r.Options
	case policy.AskText:
	default:
		return nil
	}
	return &mcp.ElicitParams{Message: r.What, RequestedSchema: map[string]any{"type": "object",
		"properties": map[string]any{"answer": property}, "required": []string{"answer"}}}
}

// takeReply answers a request with what the person has written into a form of their client. That they have opened the
// address of the page is no answer.
func (c *Call) takeReply(ctx context.Context, r policy.Request, result *mcp.ElicitResult) {
	if result == nil || result.Action != "accept" {
		return
	}
	text, _ := result.Content["answer"].(string)
	if text == "" {
		return
	}
	reply := policy.Reply{Text: text, By: c.admission.Agent().Name}
	if r.Kind == policy.AskChoice {
		reply.Text, reply.Choice = "", text
	}
	_ = c.Approval.enforcer.Reply(ctx, r.ID, reply) // somebody else may have been faster
}

// AwaitPerson waits for the answer to a request that an earlier call of this agent has made.
func (c *Call) AwaitPerson(ctx context.Context, id string, wait *time.Duration) (policy.Request, error) {
	if err := c.Approval.enforcer.WaitOn(c.admission, id); err != nil {
		return policy.Request{}, err
	}
	return c.awaitPerson(ctx, id, wait)
}

func (c *Call) awaitPerson(ctx context.Context, id string, wait *time.Duration) (policy.Request, error) {
	limit := c.Approval.patience
	if wait != nil {
		limit = *wait
	}
	stop := c.progress.Waiting(ctx, "Waiting for the person")
	defer stop()
	return c.Approval.enforcer.Await(ctx, id, c.admission, limit)
}

// CancelAsk withdraws a request of this agent.
func (c *Call) CancelAsk(id string) (policy.Request, error) {
	return c.Approval.enforcer.Withdraw(id, c.admission)
}

// RequestName returns the name of a request for people and agents, such as 3-4711.
func (c *Call) RequestName(id string) string { return c.Approval.enforcer.Name(id) }
