package tools

import (
	"context"

	"cove/internal/fault"
	"cove/internal/mcpserver"
	"cove/internal/mcpserver/redaction"
	"cove/internal/page/capture"
	"cove/internal/policy"
)

func screenshotTool() mcpserver.Tool {
	return mcpserver.Define(mcpserver.Tool{
		Name: "take_screenshot", Text: "Take a screenshot of the page or of an element.", ReadOnly: true,
	}, captureScreenshot)
}

type screenshotInput struct {
	mcpserver.OnPage
	Format   string  `json:"format,omitempty" enum:"png|jpeg|webp"`
	Quality  *number `json:"quality,omitempty"`
	UID      string  `json:"uid,omitempty" say:"only this element"`
	FullPage bool    `json:"fullPage,omitempty"`
	FilePath string  `json:"filePath,omitempty"`
}

// largeImage is more bytes than a model should get as PNG.
const largeImage = 1 << 20

func captureScreenshot(ctx context.Context, c *mcpserver.Call, in screenshotInput) error {
	if in.UID != "" && in.FullPage {
		return fault.Invalidf("Give uid or fullPage, not both.")
	}
	t, unlock, err := c.LockTab(ctx, in.OnPage)
	if err != nil {
		return err
	}
	defer unlock()

	shot, err := shotOf(in)
	if err != nil {
		return err
	}
	shot.Still = !c.Approval.Allows(policy.Act) || !c.MayChange(t)
	p, err := t.Camera.Screenshot(ctx, shot)
	if err == nil && shot.Dense && len(p.Data) > largeImage && p.MIME == "image/png" {
		shot.Format, shot.Quality = "jpeg", 80
		p, err = t.Camera.Screenshot(ctx, shot)
	}
	if err != nil {
		return err
	}

	mcpserver.ClientState[scenes](c).set(t, p.Scene())
	saySubject(c, in)
	if in.FilePath != "" {
		full, err := c.Files.Save(ctx, in.FilePath, p.Data)
		if err != nil {
			return err
		}
		c.SaySaved("Saved screenshot to", full)
		return nil
	}
	if p.Scale < 1 {
		c.Say("It is scaled to %.0f %%.", p.Scale*100)
	}
	if p.Cut > 0 {
		c.Say("The lowest %d pixels of the page are left out; give filePath for all of it.", p.Cut)
	}
	c.Image(p)
	return nil
}

func shotOf(in screenshotInput) (capture.Shot, error) {
	toModel := in.FilePath == ""
	shot := capture.Shot{
		Format: in.Format, Full: in.FullPage, UID: in.UID, Fit: toModel, Dense: in.Format == "" && toModel}
	if shot.Format == "" {
		shot.Format = "png"
	}
	if in.Quality != nil {
		if *in.Quality < 0 || *in.Quality > 100 {
			return shot, fault.Invalidf("Invalid arguments for tool take_screenshot: quality is 0 to 100.")
		}
		shot.Quality = max(int(*in.Quality), 1)
	}
	return shot, nil
}

func saySubject(c *mcpserver.Call, in screenshotInput) {
	switch {
	case in.UID != "":
		c.Done("Took a screenshot of the element with uid %s.", redaction.URLText(in.UID))
	case in.FullPage:
		c.Done("Took a screenshot of the full current page.")
	default:
		c.Done("Took a screenshot of the current page's viewport.")
	}
}
