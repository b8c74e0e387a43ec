package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"cove/internal/fault"
)

type batchInput struct {
	Calls []batchCall `json:"calls"`
}

type batchCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// maxBatch bounds a batch.
const maxBatch = 50

// batch refers to the list of tools that it is itself on, so it is filled in when it runs.
var batch = batchTool()

func batchTool() tool {
	t := tool{Holds: true, Name: "batch", Text: "Run several calls one after another; stops at the first that fails.", Set: "batch",
		Schema: func() json.RawMessage {
			return json.RawMessage(`{"type":"object","properties":{"calls":{"type":"array","items":{"type":"object","properties":{"tool":{"type":"string"},"arguments":{"type":"object"}},"required":["tool"]}}},"required":["calls"],"additionalProperties":false}`)
		}}
	t.run = func(ctx context.Context, c *call, raw json.RawMessage) error {
		var in batchInput
		if err := json.Unmarshal(raw, &in); err != nil || len(in.Calls) == 0 || len(in.Calls) > maxBatch {
			return fault.Invalidf("Invalid arguments for tool batch: calls has 1 to %d entries of tool and arguments.", maxBatch)
		}
		tools := make([]tool, len(in.Calls))
		for i, one := range in.Calls { // all of them are checked before the first runs
			at := slices.IndexFunc(Tools(), func(t tool) bool { return t.Name == one.Tool && t.Name != "batch" })
			if at < 0 {
				return fault.Invalidf("Call %d: there is no tool %q.", i+1, one.Tool)
			}
			tools[i] = Tools()[at]
			if err := tools[i].check(one.Arguments); err != nil {
				return fault.Invalidf("Call %d: %s", i+1, fault.From(err).Text)
			}
		}
		for i, one := range in.Calls {
			c.tell(ctx, float64(i), float64(len(in.Calls)), one.Tool)
			c.say("# Call %d: %s", i+1, one.Tool)
			if err := c.step(ctx, tools[i], one.Arguments); err != nil {
				c.fail(err)
				return fault.New(fault.Conflict, "E_BATCH", fmt.Sprintf("Call %d of %d failed; the ones after it were not run.", i+1, len(in.Calls)), "")
			}
			c.client.seen()
		}
		return nil
	}
	return t
}

type downloadsInput struct {
	Wait    bool    `json:"wait,omitempty" say:"until none is under way"`
	Timeout *number `json:"timeout,omitempty" say:"ms"`
}

var listDownloads = define("list_downloads", "List the downloads of this session and where they are.",
	func(ctx context.Context, c *call, in downloadsInput) error {
		if in.Wait {
			waiting, cancel := context.WithTimeout(ctx, max(limitOf(in.Timeout), time.Second))
			defer cancel()
			if err := c.browser.AwaitDownloads(waiting); err != nil && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		all := c.browser.Downloads(0)
		c.say("## Downloads")
		if len(all) == 0 {
			c.say("No downloads.")
		}
		for _, d := range all {
			c.say("%s:", d.State)
			c.show(c.downloadText(d))
		}
		return nil
	}).reads().in("downloads")

type pdfInput struct {
	onPage
	FilePath string `json:"filePath"`
}

var savePDF = define("save_pdf", "Print the page into a PDF file.",
	func(ctx context.Context, c *call, in pdfInput) error {
		t, unlock, err := c.acting(ctx, in.onPage)
		if err != nil {
			return err
		}
		defer unlock()
		data, err := t.Camera.PDF(ctx)
		if err != nil {
			return err
		}
		full, err := c.save(ctx, in.FilePath, data)
		if err != nil {
			return err
		}
		c.say("Saved the page to %s.", full)
		return nil
	}).in("pdf")
