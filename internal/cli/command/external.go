package command

import (
	"cmp"
	"context"

	"cove/api"
	"cove/internal/profile"
)

// External returns the profile, if it stands for a browser that the person uses outside Cove; nil otherwise, and when
// that cannot be read.
func External(ctx context.Context, c *api.Client, id profile.ID) *api.Profile {
	p, err := c.Profiles().Get(ctx, id)
	if err != nil || p.External == nil {
		return nil
	}
	return &p
}

// StateAndMode describes in words the state of a profile that is not closed, and who uses it.
func StateAndMode(ctx context.Context, c *api.Client, id profile.ID, state, mode string) (string, string) {
	if mode != "automation" {
		return state, mode
	}
	if p := External(ctx, c, id); p != nil {
		return sharing(*p), "your browser"
	}
	return state, mode
}

// StateOf describes the state of a profile in words. For a person's own browser it says what the browser waits for, or
// how its sharing ended.
func StateOf(p api.Profile) string {
	if p.External == nil {
		return p.State
	}
	return "your browser: " + sharing(p)
}

func sharing(p api.Profile) string {
	switch {
	case p.State == "open":
		return "shared"
	case p.State == "starting":
		return cmp.Or(steps[p.Step], "connecting")
	case p.State == "closed" && p.StartFailure != nil:
		return cmp.Or(ends[p.End], "not connected")
	case p.State == "closed":
		return cmp.Or(ends[p.End], "not shared")
	}
	return p.State
}

var steps = map[string]string{
	"no-browser":    "waits for it to open",
	"switch-off":    "waits for the box in it",
	"wait-allow":    "waits for Allow in it",
	"other-profile": "waits for a window of that profile in front",
}

var ends = map[string]string{
	"let-go":       "let go",
	"refused":      "refused",
	"switched-off": "box unticked",
	"browser-quit": "browser closed",
	"keeper-ended": "connection lost",
}
