package tools

import (
	"context"
	"fmt"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/wording"
)

func waitForTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "wait_for", Text: "Wait until a text is on the page.", ReadOnly: true,
	}, waitFor)
}

type waitInput struct {
	mcpserver.OnPage
	Text    []string `json:"text" say:"any of these"`
	Timeout *number  `json:"timeout,omitempty" say:"ms"`
}

func waitFor(ctx context.Context, c *mcpserver.Call, in waitInput) error {
	if len(in.Text) == 0 {
		return fault.Invalidf("Invalid arguments for tool wait_for: text is empty.")
	}
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}

	limit := limitOf(in.Timeout)
	late := fault.New(fault.CodeTimeout,
		fmt.Sprintf("Timed out after waiting %d ms for %s.", limit.Milliseconds(), quotedAll(in.Text)),
		"Take a snapshot to see what is there.")
	waiting, cancel := context.WithTimeoutCause(ctx, limit, late)
	defer cancel()
	c.ReportProgress(ctx, 0, 1, "Waiting for the text")
	at, err := t.Frames.AwaitText(waiting, in.Text)
	if err != nil {
		return err
	}

	c.Say("Found %s on the page.", wording.Quoted(wording.Shorten(in.Text[at], 200)))
	unlock, err := t.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return addSnapshot(ctx, c, t, snapshotInput{again: true})
}

// quotedAll returns texts for a sentence.
func quotedAll(all []string) string {
	var b []string
	for _, one := range all[:min(len(all), 5)] {
		b = append(b, wording.Quoted(wording.Shorten(one, 60)))
	}
	return strings.Join(b, " or ")
}
