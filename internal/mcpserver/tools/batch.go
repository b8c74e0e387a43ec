package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"cove/internal/fault"
	"cove/internal/mcpserver"
)

type batchInput struct {
	Calls []batchCall `json:"calls"`
}

type batchCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// maxBatch is the largest number of calls in a batch.
const maxBatch = 50

// batchSchema is the schema of batchInput. The arguments of a call are whatever its tool takes.
const batchSchema = `{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object",` +
	`"properties":{"tool":{"type":"string"},"arguments":{"type":"object"}},"required":["tool"]}}},` +
	`"required":["calls"],"additionalProperties":false}`

// batchTool returns the tool that runs these tools.
func batchTool(tools []mcpserver.Tool) mcpserver.Tool {
	return mcpserver.Tool{
		Name:      "batch",
		Text:      "Run several calls one after another; stops at the first that fails.",
		Group:     "batch",
		Composite: true,
		Schema:    func() json.RawMessage { return json.RawMessage(batchSchema) },
		Run: func(ctx context.Context, c *mcpserver.Call, raw json.RawMessage) error {
			return runBatch(ctx, c, tools, raw)
		},
	}
}

func runBatch(ctx context.Context, c *mcpserver.Call, tools []mcpserver.Tool, raw json.RawMessage) error {
	var in batchInput
	if err := json.Unmarshal(raw, &in); err != nil || len(in.Calls) == 0 || len(in.Calls) > maxBatch {
		return fault.Invalidf(
			"Invalid arguments for tool batch: calls has 1 to %d entries of tool and arguments.", maxBatch)
	}

	steps := make([]mcpserver.Tool, len(in.Calls))
	for i, one := range in.Calls { // all of them are checked before the first runs
		at := slices.IndexFunc(tools, func(t mcpserver.Tool) bool { return t.Name == one.Tool })
		if at < 0 {
			return fault.Invalidf("Call %d: there is no tool %q.", i+1, one.Tool)
		}
		steps[i] = tools[at]
		if err := steps[i].Check(one.Arguments); err != nil {
			return fault.Invalidf("Call %d: %s", i+1, fault.From(err).Text)
		}
	}

	for i, one := range in.Calls {
		c.ReportProgress(ctx, float64(i), float64(len(in.Calls)), one.Tool)
		c.BeginStep("# Call %d: %s", i+1, one.Tool)
		if c.RunTool(ctx, steps[i], one.Arguments) != nil {
			return fault.New(fault.CodeBatch,
				fmt.Sprintf("Call %d of %d failed; the ones after it were not run.", i+1, len(in.Calls)), "")
		}
	}
	return nil
}
