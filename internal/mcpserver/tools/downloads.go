package tools

import (
	"context"
	"time"

	"cove/internal/mcpserver"
)

func listDownloadsTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:     "list_downloads",
		Text:     "List the downloads of this session and where they are.",
		ReadOnly: true,
		Group:    "downloads",
	}, listDownloads)
}

type downloadsInput struct {
	Wait    bool    `json:"wait,omitempty" say:"until none is under way"`
	Timeout *number `json:"timeout,omitempty" say:"ms"`
}

func listDownloads(ctx context.Context, c *mcpserver.Call, in downloadsInput) error {
	if in.Wait {
		waiting, cancel := context.WithTimeout(ctx, max(limitOf(in.Timeout), time.Second))
		defer cancel()
		if err := c.Browser.AwaitDownloads(waiting); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}

	all := c.Browser.Downloads(0)
	c.Record.SetCount(len(all))
	c.Head("## Downloads")
	if len(all) == 0 {
		c.Say("No downloads.")
	}
	for _, d := range all {
		c.Say("%s:", d.State)
		c.Show(c.DownloadText(d))
	}
	return nil
}
