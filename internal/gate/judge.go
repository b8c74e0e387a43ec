package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"cove/internal/cdp"
	"cove/internal/fault"
	"cove/internal/gate/forbidden"
	"cove/internal/gate/method"
	"cove/internal/gate/redaction"
	"cove/internal/gate/summary"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/wording"
)

// judge refuses a command that the policy forbids outright, and finds out which rights any other command needs.
func (c *command) judge(ctx context.Context) error {
	if err := forbidden.Check(c.config.Files, c.method, c.raw); err != nil {
		return err
	}
	if c.config.Shared && c.method == "Browser.close" {
		return refused("Programs do not close a browser that a person shares: only their own connection ends.",
			"Disconnect instead.")
	}
	if !c.strict() {
		return c.checkShownFile()
	}

	r, listed := method.Of(c.method)
	if !r.Anywhere || !listed {
		if err := c.checkOpen(addressOf(c.mux, c.target())); err != nil {
			return err
		}
	}
	if !c.rules.BindsPrograms() {
		return c.judgeSites()
	}
	if !listed {
		return refused("The command "+c.method+" is not open to programs in this profile: its policy is "+
			string(c.rules.Preset)+", which allows a list of commands.",
			"Continue without it, or ask the user to change the agent permissions of this profile.")
	}

	var err error
	if c.params, err = cdp.Fields(c.raw); err != nil {
		return forbidden.Unreadable(c.method, err)
	}
	if err := c.checkExtension(); err != nil {
		return err
	}
	c.needs, c.redaction, c.page = slices.Clone(r.Needs), redaction.OfAnswer(c.method), c.target().URL
	if examine := checkOf(c.method, r.Kind); examine != nil {
		return examine(c, ctx)
	}

	return ctx.Err()
}

// judgeSites judges a command of a program that is bound only by the rules for sites.
func (c *command) judgeSites() error {
	switch c.method {
	case "Page.navigate", "Target.createTarget":
		return c.checkSite(c.raw)
	case "Target.sendMessageToTarget":
		return c.checkInnerSite()
	}

	return nil
}

// checkOpen returns why a page is closed to the program; nil if it is open.
func (c *command) checkOpen(address string) error {
	if err := c.config.Files.CheckURL(address); err != nil {
		return err
	}

	return closedTo(c.rules, address)
}

// checkShownFile refuses commands for a page that shows a protected file: the scripts of a page from a file can
// navigate to another file themselves.
func (c *command) checkShownFile() error {
	address := c.target().URL
	file := strings.HasPrefix(address, "file:") || strings.HasPrefix(address, "view-source:")
	if r, _ := method.Of(c.method); !file || r.Anywhere {
		return nil
	}

	return c.config.Files.CheckURL(address)
}

// checkInnerSite judges a command inside another one as if it had come alone. forbidden.Check has already made sure
// that it can be read.
func (c *command) checkInnerSite() error {
	params, err := cdp.Fields(c.raw)
	if err != nil {
		return err
	}
	var session, text string
	if json.Unmarshal(params["sessionId"], &session) != nil || json.Unmarshal(params["message"], &text) != nil {
		return errNested()
	}
	msg, err := cdp.ParseClient([]byte(text))
	if err != nil {
		return err
	}
	target, known := c.mux.TargetOf(session)
	if !known || msg.Method() == "Target.sendMessageToTarget" { // nobody knows which page that is
		return errNested()
	}

	if r, listed := method.Of(msg.Method()); !r.Anywhere || !listed {
		if err := c.checkOpen(addressOf(c.mux, target)); err != nil {
			return err
		}
	}
	if m := msg.Method(); m == "Page.navigate" || m == "Target.createTarget" {
		return c.checkSite(slices.Clone(msg.Params()))
	}

	return nil
}

// authorize asks the enforcer for each right that the command needs. It calls waiting with true before it waits for a
// person, and with false afterwards.
func (c *command) authorize(ctx context.Context, admission *policy.Admission, waiting func(bool)) error {
	var used []policy.Request
	for _, right := range c.needs {
		step := sha256.Sum256(append([]byte(c.method+" "), c.raw...)) // the words are cut
		r := policy.Request{
			Class: right, What: c.describe(), Page: c.page, Tab: c.target().ID, Step: hex.EncodeToString(step[:]),
		}
		if right == policy.PageTool && c.tool != nil {
			r.Bound, r.Step = c.tool.Bound, r.Step+c.tool.Version
		}
		asks := admission.NeedsApprovalOf(r)
		if asks {
			waiting(true)
			defer waiting(false)
			if c.config.Thumbnail != nil && c.session != "" {
				r.Thumbnail = c.config.Thumbnail(ctx, c.target().ID)
			}
		}
		if err := admission.Authorize(ctx, r); err != nil {
			if fault.From(err).Code == fault.CodeNotApproved { // the program sends the same again
				for _, before := range used {
					admission.ReturnYes(before)
				}
			}
			return err
		}
		if asks && right != policy.OtherSite { // that one is granted below
			used = append(used, r)
		}

		if u, err := url.Parse(c.page); right == policy.OtherSite && err == nil {
			if o, ok := site.OriginOf(u); ok {
				c.config.Enforcer.Grant(o) // the relay cannot ask
			}
		}
	}

	return nil
}

// describe says what the command does, for the person who is asked.
func (c *command) describe() string {
	if c.what != "" {
		return c.what
	}
	if c.method == "DOM.setFileInputFiles" {
		return "give the page files of this computer: " + wording.Shorten(string(c.params["files"]), 300)
	}
	if args := summary.Of(c.raw); len(args) > 0 && string(args) != "{}" {
		return "run " + c.method + " " + wording.Shorten(string(args), 300)
	}

	return "run " + c.method
}
