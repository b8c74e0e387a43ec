package access

import (
	"context"

	"cove/api"
	"cove/internal/keeperclient"
	"cove/internal/profile"
)

// SharedTabs lists the tabs of a browser that its person shares.
func (a *Control) SharedTabs(ctx context.Context, id profile.ID) ([]api.SharedTab, error) {
	return a.ShareTabs(ctx, id, api.TabChoice{})
}

// ShareTabs changes which tabs agents see, and returns all that can be shared.
func (a *Control) ShareTabs(ctx context.Context, id profile.ID, in api.TabChoice) ([]api.SharedTab, error) {
	list, err := query(ctx, a, id, func(c *keeperclient.Client, ctx context.Context) ([]keeperclient.SharedTab, error) {
		return c.SharedTabs(ctx, keeperclient.TabChoice(in))
	})
	out := make([]api.SharedTab, len(list))
	for i, t := range list {
		out[i] = api.SharedTab(t)
	}
	return out, err
}
