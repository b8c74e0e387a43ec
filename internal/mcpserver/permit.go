package mcpserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy"
)

// need is a right that a tool asks for before it begins, and what it would do with it, in words for a person.
type need struct {
	class policy.Class
	says  func(raw json.RawMessage) string
}

// needs declares a right that every call of the tool needs.
func (t tool) needs(class policy.Class, says func(raw json.RawMessage) string) tool {
	t.Needs = append(slices.Clone(t.Needs), need{class, says})
	return t
}

// step runs one call of a tool: it waits for its turn at the desk, asks for what it needs, and is written down.
func (c *call) step(ctx context.Context, t tool, raw json.RawMessage) error {
	if t.Holds { // its calls ask one by one
		return t.run(ctx, c, raw)
	}
	c.began(raw)
	c.server.photos.began(!t.Reads)
	defer c.server.photos.ended()
	err := c.enter(ctx, !t.Reads)
	if err == nil {
		err = c.moved(t, raw)
	}
	if err == nil {
		err = c.permit(ctx, t, raw)
	}
	if err == nil && !t.Reads {
		c.mayDownload(ctx)
	}
	if err == nil {
		err = t.run(ctx, c, raw)
	}
	if ended := c.seat.Err(); ended != nil && err != nil {
		err = ended
	}
	c.ended(t, err)
	return err
}

// enter waits while the person has taken over or another agent drives.
func (c *call) enter(ctx context.Context, acts bool) error {
	stop := c.waits(ctx, "Waiting: the person has taken over, or another agent drives")
	defer stop()
	return c.seat.Begin(ctx, acts)
}

// permit asks for the rights that a tool needs whatever its arguments are.
func (c *call) permit(ctx context.Context, t tool, raw json.RawMessage) error {
	classes := t.Needs
	if !t.Reads {
		classes = append([]need{{policy.Act, func(json.RawMessage) string { return "use the tool " + t.Name }}}, classes...)
	}
	if keys := clipboardKeys(raw); keys != "" {
		classes = append(slices.Clone(classes), need{policy.Clipboard, func(json.RawMessage) string { return "press " + keys + ", which uses your clipboard," }})
	}
	if wrong := t.check != nil && t.check(raw) != nil; wrong {
		return nil // the tool says what is wrong before it does anything
	}
	for _, n := range classes {
		if !c.seat.NeedsApproval(n.class) { // nobody is asked, so nothing need be found out
			if err := c.seat.Authorize(ctx, policy.Request{Class: n.class}); err != nil {
				return err
			}
			continue
		}
		if err := c.may(ctx, n.class, c.about(ctx, raw), n.says(raw)); err != nil {
			return err
		}
	}
	return nil
}

// clipboardKeys is the combination of keys in a call's arguments that pastes, copies or cuts; "" when there is none.
func clipboardKeys(raw json.RawMessage) string {
	var in struct{ Key, SubmitKey string }
	_ = json.Unmarshal(raw, &in)
	for _, keys := range []string{in.Key, in.SubmitKey} {
		if input.UsesClipboard(keys) {
			return clip(urlText(keys), 40)
		}
	}
	return ""
}

// subject is what a question to the person is about.
type subject struct {
	tab *page.Tab
	uid string
	// late tells that something was done already, so that the call must not be sent again.
	late bool
}

// about finds the page and the element that a call names.
func (c *call) about(ctx context.Context, raw json.RawMessage) subject {
	var in struct {
		onPage
		UID string `json:"uid"`
	}
	_ = json.Unmarshal(raw, &in)
	s := subject{uid: in.UID}
	s.tab, _ = c.tab(ctx, in.onPage)
	return s
}

// may asks the desk for a right. what completes "The agent wants to …".
func (c *call) may(ctx context.Context, class policy.Class, on subject, what string) error {
	r := policy.Request{Class: class, What: c.server.scrub(what)}
	if on.tab != nil {
		r.Page = c.server.scrub(RedactURL(on.tab.About().URL))
		r.What += " on " + clip(urlText(r.Page), 200)
	}
	if !c.seat.NeedsApproval(class) {
		return c.seat.Authorize(ctx, r)
	}
	asks := c.answers() && c.canAsk()
	if asks && c.asksInAnswers() {
		if !on.late {
			return c.askInAnswer(r)
		}
		asks = false
	}
	if on.tab != nil {
		r.Picture = on.tab.Camera.Thumbnail(ctx, on.uid)
	}
	if asks {
		r.Elsewhere = func(ctx context.Context) (yes, ok bool) {
			reply, err := c.session.Elicit(ctx, asking(r))
			return err == nil && reply.Action == "accept", err == nil && reply.Action != "cancel"
		}
	}
	stop := c.waits(ctx, "Waiting for the person to allow it")
	defer stop()
	return c.seat.Authorize(ctx, r)
}

// answers reports whether the person has allowed this client to be where they answer.
func (c *call) answers() bool {
	return slices.Contains(c.server.Enforcer.Rules().Answerers, c.seat.Agent().Name)
}

// canAsk reports whether the client can put a question to its person.
func (c *call) canAsk() bool {
	if c.session == nil {
		return false
	}
	p := c.session.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.Elicitation != nil
}

func asking(r policy.Request) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "The agent wants to " + r.What + ". Allow it?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}
}

// askInAnswer asks a client of the newest protocol: in the answer to the call, which it sends again with what its person says.
func (c *call) askInAnswer(r policy.Request) error {
	sum := sha256.Sum256([]byte(string(r.Class) + "\n" + r.What + "\n" + r.Page))
	key := "allow " + hex.EncodeToString(sum[:8])
	reply, told := c.replies[key]
	if !told {
		return &question{mcp.InputRequestMap{key: asking(r)}}
	}
	said, ok := reply.(*mcp.ElicitResult)
	return c.seat.RecordAnswer(r, ok && said.Action == "accept")
}
