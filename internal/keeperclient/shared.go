package keeperclient

import (
	"context"
	"net/http"
)

// SharedTab is a tab of a browser that its person shares.
type SharedTab struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	URL    string `json:"url"`
	Shared bool   `json:"shared"`
	Agents bool   `json:"agents"`
}

// TabChoice says which tabs agents see from now on, and which no longer.
type TabChoice struct {
	Share   []string `json:"share,omitempty"`
	Unshare []string `json:"unshare,omitempty"`
}

// SharedTabs changes which tabs agents see, and returns those that can be shared.
func (c *Client) SharedTabs(ctx context.Context, choice TabChoice) (list []SharedTab, err error) {
	err = c.call(ctx, http.MethodPost, "/v1/shared/tabs", choice, &list)
	return list, err
}
