package gate

import (
	"context"
	"strings"

	"cove/internal/fault"
	"cove/internal/gate/redaction"
	"cove/internal/policy"
	"cove/internal/wording"
)

// errNested returns the fault for sessions inside sessions: the gate would have to look for them in every message.
func errNested() *fault.Error {
	return refused("Sessions inside sessions are closed to programs in this profile.", "Set flatten to true.")
}

// checkAutoAttach refuses sessions inside sessions.
func (c *command) checkAutoAttach(context.Context) error {
	if c.flagParam("autoAttach") && !c.flagParam("flatten") {
		return errNested()
	}

	return nil
}

// checkAttach refuses sessions inside sessions, and a second session of the browser itself.
func (c *command) checkAttach(context.Context) error {
	if !c.flagParam("flatten") {
		return errNested()
	}
	if c.mux.Target(c.textParam("targetId")).Type == "browser" {
		return refused("The browser itself is no target for programs in this profile.",
			"Send its commands without a session.")
	}

	return nil
}

// checkBrowserContext refuses a context in which one origin has access to all others.
func (c *command) checkBrowserContext(context.Context) error {
	if _, there := c.params["originsWithUniversalNetworkAccess"]; there {
		return refused("No origin gets access to all others in this profile.",
			"Leave originsWithUniversalNetworkAccess out.")
	}

	return nil
}

// checkNewDocumentScript allows empty scripts, with which clients create an isolated world in each page. Any other
// script needs the right to run scripts.
func (c *command) checkNewDocumentScript(context.Context) error {
	source := strings.TrimSpace(c.textParam("source"))
	if source == "" || (strings.HasPrefix(source, "//") && !strings.ContainsAny(source, "\n\r\u2028\u2029")) {
		c.needs = nil
		return nil
	}
	c.need(policy.Script, "run a script in each new page: "+wording.Shorten(source, 200))

	return nil
}

// checkContinueRequest allows a request to continue unchanged. A change needs the right to run scripts, because a
// script could do the same.
func (c *command) checkContinueRequest(context.Context) error {
	if len(c.params) > 1 {
		c.need(policy.Script, "change a request of the page")
	}

	return nil
}

// checkSelector requires the right to run scripts for a selector that can find out the value of a password field,
// letter by letter.
func (c *command) checkSelector(context.Context) error {
	s := strings.ToLower(c.textParam("selector"))
	if strings.Contains(s, "[") && (strings.Contains(s, "value") || strings.Contains(s, `\`)) {
		c.need(policy.Script, "find elements by their values: "+wording.Shorten(s, 200))
	}

	return nil
}

// checkEmulation skips a change of how the page is shown unless programs may act without asking.
func (c *command) checkEmulation(context.Context) error {
	c.skip = c.rules.Right(policy.Act) != policy.Yes
	return nil
}

// checkScreenshot requires the right to act if the screenshot shows more than the viewport: the browser resizes the
// page for it, and the page's handlers run.
func (c *command) checkScreenshot(context.Context) error {
	if beyond := string(c.params["captureBeyondViewport"]); beyond == "" || beyond == "false" {
		return nil
	}

	switch c.rules.Right(policy.Act) {
	case policy.No:
		return refused("No screenshot was taken: captureBeyondViewport resizes the page, which its scripts notice, "+
			"and the profile's policy lets programs read pages only.",
			"Set captureBeyondViewport to false. A clip inside the viewport is allowed.")
	case policy.Ask:
		c.need(policy.Act, "take a screenshot beyond the viewport, which resizes the page")
	}

	return nil
}

// checkCookies requires the right to read cookies if the policy says that the person is asked, and then leaves their
// values in the answer. If programs do not have the right, the values are redacted.
func (c *command) checkCookies(context.Context) error {
	if c.rules.Right(policy.Storage) == policy.Ask {
		c.need(policy.Storage, "read the cookies with their values")
		c.redaction = redaction.Rule{}
	}

	return nil
}
