package tools

import (
	"context"

	"cove/internal/mcpserver"
)

func savePDFTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "save_pdf", Text: "Print the page into a PDF file.", Group: "pdf",
	}, savePDF)
}

type pdfInput struct {
	mcpserver.OnPage
	FilePath string `json:"filePath"`
}

func savePDF(ctx context.Context, c *mcpserver.Call, in pdfInput) error {
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	data, err := t.Camera.PDF(ctx)
	if err != nil {
		return err
	}
	full, err := c.Files.Save(ctx, in.FilePath, data)
	if err != nil {
		return err
	}
	c.SaySaved("Saved the page to", full)
	return nil
}
