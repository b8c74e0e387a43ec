package tools

import (
	"context"
	"encoding/json"
	"os"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/policy"
)

func heapsnapshotTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:  "take_heapsnapshot",
		Text:  "Save the page's memory as a .heapsnapshot for DevTools.",
		Needs: []mcpserver.Need{{Class: policy.Script, What: describeHeapsnapshot}},
	}, saveHeapsnapshot)
}

func describeHeapsnapshot(json.RawMessage) string {
	return "save all of the page's memory, with whatever passwords and cookies are in it,"
}

type heapInput struct {
	mcpserver.OnPage
	FilePath string `json:"filePath"`
}

func saveHeapsnapshot(ctx context.Context, c *mcpserver.Call, in heapInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()
	f, full, err := c.Files.Create(ctx, in.FilePath)
	if err != nil {
		return err
	}

	c.ReportProgress(ctx, 0, 1, "Taking the snapshot")
	out := c.Redact.Writer(f)
	err = t.Profiler.HeapSnapshot(ctx, out)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		_ = os.Remove(full)
		return fault.Disk(err)
	}
	c.Say("Heap snapshot saved to %s", full)
	return nil
}
