package gate

import (
	"encoding/json"
	"slices"

	"cove/internal/cdp/mux"
	"cove/internal/gate/formguard"
	"cove/internal/gate/redaction"
	"cove/internal/policy"
)

// command is one command of a program while the policy judges it.
type command struct {
	config  *Config
	mux     *mux.Mux
	forms   *formguard.Guard // nil for a request over HTTP
	calls   *invocations
	session string // "" for a request over HTTP
	method  string
	raw     json.RawMessage
	params  map[string]json.RawMessage
	rules   *policy.Rules

	// needs are the rights that the command needs, and page is the page that they are for. what says what the command
	// does, in words for the person who is asked.
	needs []policy.Class
	page  string
	what  string
	// tool is the tool of the page that the command calls; nil for none.
	tool *PageTool
	// redaction removes secrets from the answer.
	redaction redaction.Rule
	// skip says that the gate answers the command without the browser, because the command must have no effect or would
	// have none.
	skip bool
}

// strict reports whether the policy can close pages to the program.
func (c *command) strict() bool { return c.rules.BindsPrograms() || c.rules.HasSites() }

// target returns the target that the command is for.
func (c *command) target() mux.Target {
	t, _ := c.mux.TargetOf(c.session)
	return t
}

// textParam returns a string parameter, or "" if the parameter is not a string.
func (c *command) textParam(name string) string {
	var s string
	_ = json.Unmarshal(c.params[name], &s)
	return s
}

// flagParam reports whether a parameter is true.
func (c *command) flagParam(name string) bool { return string(c.params[name]) == "true" }

// need adds a right that the command needs.
func (c *command) need(right policy.Class, what string) {
	if !slices.Contains(c.needs, right) {
		c.needs = append(c.needs, right)
	}
	c.what = what
}
