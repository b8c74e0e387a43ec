package inspect

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page/devlog"
	"cove/internal/redact"
	"cove/internal/wording"
)

// ListWebSocketsTool returns the tool list_websockets.
func ListWebSocketsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "list_websockets", Text: "List WebSockets since the last navigation, or the last messages of one.",
		Group: "debug", ReadOnly: true,
	}, listWebSockets)
}

type socketsInput struct {
	mcpserver.OnPage
	paged
	ReqID *mcpserver.Number `json:"reqid,omitempty" say:"show its messages"`
}

func listWebSockets(ctx context.Context, c *mcpserver.Call, in socketsInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	if in.ReqID == nil {
		return showSockets(c, in.paged, slices.DeleteFunc(t.Log.Requests(false), func(r devlog.Request) bool {
			return r.Kind != "websocket"
		}))
	}
	r, ok := t.Log.Request(int(*in.ReqID))
	if !ok || r.Kind != "websocket" {
		return fault.New(fault.CodeRequest, fmt.Sprintf("There is no WebSocket %d on this page.", int(*in.ReqID)),
			"list_websockets without reqid shows what there is.")
	}
	return showFrames(c, in.paged, t.Log.Frames(r.ID))
}

func showSockets(c *mcpserver.Call, p paged, all []devlog.Request) error {
	c.Head("## WebSockets")
	from, to, err := p.bounds(c, len(all), usualSize)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		c.Say("No WebSockets found.")
		return nil
	}
	var b strings.Builder
	for _, r := range all[from:to] {
		state := "open"
		if r.Finished {
			state = "closed"
		}
		address := wording.Shorten(c.Redact.URL(r.URL), 300)
		fmt.Fprintf(&b, "reqid=%d %s [%s] %d sent, %d received\n", r.ID, address, state, r.Sent, r.Received)
	}
	c.Show(b.String())
	return nil
}

// showFrames shows messages, the last ones when the agent does not say which.
func showFrames(c *mcpserver.Call, p paged, all []devlog.Frame) error {
	c.Head("## Messages")
	if p.PageIdx == nil && len(all) > usualSize && p.PageSize == nil {
		c.Say("Showing the last %d of %d; pageIdx 0 has the first.", usualSize, len(all))
		c.Record.SetCount(len(all))
		all = all[len(all)-usualSize:]
	} else {
		from, to, err := p.bounds(c, len(all), usualSize)
		if err != nil {
			return err
		}
		all = all[from:to]
	}
	if len(all) == 0 {
		c.Say("No messages found.")
		return nil
	}

	var b strings.Builder
	for _, f := range all {
		way := "received"
		if f.Sent {
			way = "sent"
		}
		said := fmt.Sprintf("<binary, %d bytes>", f.Size)
		if !f.Binary {
			said = c.Redact.Words(redact.Body(f.Text), 2000)
		}
		fmt.Fprintf(&b, "%s %s: %s\n", f.At.UTC().Format("15:04:05.000"), way, said)
	}
	c.Show(b.String())
	return nil
}
