package gate

import (
	"context"
	"encoding/json"

	"cove/internal/cdp"
	"cove/internal/gate/forbidden"
	"cove/internal/policy"
	"cove/internal/protect"
	"cove/internal/wording"
)

// checkDrag requires the right to upload if files are dragged into the page. A drop can also send a form, so checkDrag
// ends with checkSubmit.
func (c *command) checkDrag(ctx context.Context) error {
	data, err := cdp.Fields(c.params["data"])
	if err != nil {
		return refused("The data of the drag cannot be read.", "Write each parameter once, with plain keys.")
	}

	if files, there := data["files"]; there && string(files) != "[]" {
		if err := c.checkVisible(files); err != nil {
			return err
		}
		c.need(policy.Upload, "drag files into the page: "+wording.Shorten(string(files), 200))
	}

	return c.checkSubmit(ctx)
}

// checkUpload judges the files of an upload.
func (c *command) checkUpload(context.Context) error { return c.checkVisible(c.params["files"]) }

// checkVisible refuses hidden files of a home folder if programs may upload without asking: then no person sees the
// names before the files are used.
func (c *command) checkVisible(raw json.RawMessage) error {
	if c.rules.Right(policy.Upload) != policy.Yes {
		return nil
	}

	names, err := forbidden.FileNames(raw)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := checkNotHidden(name); err != nil {
			return err
		}
	}

	return nil
}

func checkNotHidden(name string) error {
	if resolved, err := protect.Real(name); err != nil || protect.HiddenInHome(resolved) {
		return refused(wording.Shorten(name, 200)+
			" was not used: only the user can give hidden files of a home folder.",
			"Use a file or a folder that is not hidden.")
	}

	return nil
}

// checkDownload judges a command that says what the browser does with downloads. If programs have no right to download,
// the policy has already told the browser what to do. The command would replace that, and after the program
// disconnects, the browser would allow all downloads again.
func (c *command) checkDownload(context.Context) error {
	if c.config.Shared { // it changes nothing in a person's browser, but the program hears of downloads from then on
		return nil
	}
	if c.rules.Right(policy.Download) == policy.Yes {
		if dir := c.textParam("downloadPath"); dir != "" {
			return checkNotHidden(dir)
		}
		return nil
	}

	switch c.textParam("behavior") {
	case "deny", "default":
		c.skip = true
		return nil
	}
	c.need(policy.Download, "let pages put files onto this computer: "+wording.Shorten(c.textParam("downloadPath"),
		200))

	return nil
}
