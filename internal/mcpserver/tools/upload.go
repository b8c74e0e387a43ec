package tools

import (
	"context"
	"encoding/json"
	"strings"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/page"
	"cove/internal/page/input"
	"cove/internal/policy"
	"cove/internal/wording"
)

func uploadFileTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name:  "upload_file",
		Text:  "Put files into a file input, or into one that the element opens.",
		Needs: []mcpserver.Need{{Class: policy.Upload, What: describeUpload}},
	}, uploadFile)
}

func describeUpload(raw json.RawMessage) string {
	var in uploadInput
	_ = json.Unmarshal(raw, &in)
	return "give the page the file " + wording.Shorten(strings.Join(in.FilePaths, ", "), 500)
}

type uploadInput struct {
	onElement
	FilePaths []string `json:"filePaths"`
	shows
}

func uploadFile(ctx context.Context, c *mcpserver.Call, in uploadInput) error {
	if len(in.FilePaths) == 0 {
		return fault.Invalidf("No file was given.")
	}
	var files []string
	for _, name := range in.FilePaths {
		full, err := c.Files.ForBrowser(ctx, name)
		if err != nil {
			return err
		}
		files = append(files, full)
	}

	return act(ctx, c, in.OnPage, in.shows, func(t *page.Tab) (page.Effects, error) {
		// An element that is not a file input is clicked.
		if err := authorizeClick(ctx, c, t, in.UID, "click"); err != nil {
			return page.Effects{}, err
		}
		e, err := input.On(t).Upload(ctx, in.UID, files)
		if err == nil {
			c.Done("File uploaded from %s.", strings.Join(files, ", "))
		}
		return e, err
	})
}
