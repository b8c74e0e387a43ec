package tools

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/mcpserver"
)

func screencastStartTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "screencast_start", Text: "Start to record the page as a WebM film.",
	}, screencastStart)
}

type castInput struct {
	mcpserver.OnPage
	FilePath string `json:"filePath,omitempty"`
}

func screencastStart(ctx context.Context, c *mcpserver.Call, in castInput) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	name := in.FilePath
	if name == "" {
		name = filepath.Join(os.TempDir(), "cove-screencast-"+time.Now().Format("20060102-150405.000")+".webm")
	}
	if ext := filepath.Ext(name); ext != ".webm" {
		name = strings.TrimSuffix(name, ext) + ".webm"
	}

	f, full, err := c.Files.Create(ctx, name)
	if err != nil {
		return err
	}
	if err := t.Camera.StartRecording(ctx, f, full); err != nil {
		_ = f.Close()
		_ = os.Remove(full)
		return err
	}
	c.Say("Screencast recording started. It will be saved to %s. Use screencast_stop to stop it.", full)
	return nil
}

func screencastStopTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "screencast_stop", Text: "Stop the recording and save it.",
	}, screencastStop)
}

func screencastStop(ctx context.Context, c *mcpserver.Call, in struct{ mcpserver.OnPage }) error {
	t, err := c.FindTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	full, frames, err := t.Camera.StopRecording(ctx)
	if err != nil {
		return fault.Disk(err)
	}
	c.Say("The screencast was stopped and saved to %s (%d frames).", full, frames)
	return nil
}
