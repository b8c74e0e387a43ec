package tools

import (
	"context"
	"sync"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/webmcp"
)

// openToolCalls are the calls of page tools that a client has heard no answer of: a form that waits to be sent, or a
// tool that a dialog blocks. The answer comes with a later step on the page.
type openToolCalls struct {
	mu  sync.Mutex
	all map[*page.Tab][]*webmcp.Invocation
}

// add adds a call. An earlier call of the same form gets no answer any more.
func (o *openToolCalls) add(t *page.Tab, i *webmcp.Invocation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[*page.Tab][]*webmcp.Invocation{}
	}
	for other := range o.all {
		if other.Closed() {
			delete(o.all, other)
		}
	}
	kept := []*webmcp.Invocation{i}
	for _, before := range o.all[t] {
		if before.Tool.Same(i.Tool) {
			t.Tools.Cancel(before)
			continue
		}
		kept = append(kept, before)
	}
	o.all[t] = kept
}

// drainEnded returns the calls that have an answer, or whose document has gone, and forgets them.
func (o *openToolCalls) drainEnded(t *page.Tab) (over []*webmcp.Invocation) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var open []*webmcp.Invocation
	for _, i := range o.all[t] {
		if t.Tools.Over(i) {
			over = append(over, i)
		} else {
			open = append(open, i)
		}
	}
	if o.all != nil {
		o.all[t] = open
	}
	return over
}

// reportToolCalls says what the tools have answered that were called before this step.
func reportToolCalls(ctx context.Context, c *mcpserver.Call, t *page.Tab) {
	for _, i := range mcpserver.ClientState[openToolCalls](c).drainEnded(t) {
		answer, answered, err := t.Tools.Await(ctx, i)
		if err == nil && answered {
			err = sayToolAnswer(c, i.Tool, answer)
		}
		if err == nil {
			continue
		}
		f := fault.From(err)
		if f.Quotes {
			c.Quote("The tool that was called before:", f.Text)
		} else {
			c.Say("The tool that was called before: %s", f.Text)
		}
	}
}
