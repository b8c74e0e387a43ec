package keeperclient

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"slices"

	"cove/internal/answer"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
)

// CallTool calls a tool for a command in a shell and waits for the answer. When ctx ends, the keeper ends the call.
func (c *Client) CallTool(ctx context.Context, in answer.Call) (a answer.Answer, err error) {
	res, err := c.send(ctx, http.MethodPost, "/v1/call", in)
	if err != nil {
		return a, err
	}
	defer func() { _ = res.Body.Close() }()
	err = json.NewDecoder(res.Body).Decode(&a)
	return a, err
}

// closedFor names the agents in shells for whom a profile stays closed.
type closedFor struct {
	Callers []string `json:"callers"`
	// External says that the profile stands for a person's own browser.
	External bool `json:"external,omitempty"`
}

// MarkClosed records the agents in shells that were in a profile when a person closed it. The profile stays closed for
// them until somebody opens it. external says that the profile stands for a person's own browser.
func MarkClosed(dir paths.ProfileDir, callers []string, external bool) error {
	if len(callers) == 0 {
		return nil
	}
	raw, err := json.Marshal(closedFor{callers, external})
	if err != nil {
		return err
	}
	return paths.WriteVolatile(dir.ClosedFor(), raw)
}

// ForgetClosed undoes MarkClosed: the profile is open again.
func ForgetClosed(dir paths.ProfileDir) { _ = os.Remove(dir.ClosedFor()) }

// CheckClosed returns why an agent in a shell may not open a profile; nil when it may. A file that cannot be read keeps
// nobody out.
func CheckClosed(dir paths.ProfileDir, id profile.ID, caller string) error {
	raw, err := os.ReadFile(dir.ClosedFor())
	if err != nil {
		return nil //nolint:nilerr // nobody has closed it
	}
	var closed closedFor
	if json.Unmarshal(raw, &closed) != nil { // of an earlier version
		_ = json.Unmarshal(raw, &closed.Callers)
	}
	if !slices.Contains(closed.Callers, caller) {
		return nil
	}
	if closed.External {
		return fault.New(fault.CodeClosed,
			"Profile "+id.String()+" is a person's own browser, and not shared any more.",
			"Tell the user. They can share it again: cove adopt "+id.String())
	}
	return fault.New(fault.CodeClosed, "Profile "+id.String()+" was closed by a person, so it stays closed.",
		"Tell the user. They can open it again: cove start "+id.String()+" --automation")
}
