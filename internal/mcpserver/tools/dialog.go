package tools

import (
	"context"

	"cove/internal/mcpserver"
)

func handleDialogTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "handle_dialog", Text: "Accept or dismiss the open dialog.", Types: true,
	}, handleDialog)
}

type dialogInput struct {
	mcpserver.OnPage
	Action     string  `json:"action" enum:"accept|dismiss"`
	PromptText *string `json:"promptText,omitempty"`
}

func handleDialog(ctx context.Context, c *mcpserver.Call, in dialogInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}

	e, err := t.AnswerDialog(ctx, in.Action == "accept", in.PromptText)
	if err != nil {
		return err
	}
	c.Record.AllowTyped(true)
	c.Done("Successfully %sed the dialog", in.Action)
	c.ReportEffects(ctx, e)
	reportToolCalls(ctx, c, t)
	return nil
}
