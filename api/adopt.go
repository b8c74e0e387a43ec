package api

import (
	"context"
	"net/http"
)

// External names the browser outside Cove that a profile stands for.
type External struct {
	// DataDir is that browser's data folder, and Dir the folder of one of its profiles in it.
	DataDir string `json:"dataDir"`
	Dir     string `json:"dir"`
}

// AdoptInput makes a profile that stands for a browser: POST /adopt.
type AdoptInput struct {
	// Name may be empty: then it is the profile that stands for the browser already, or else my-browser.
	Name    string `json:"name,omitempty"`
	DataDir string `json:"dataDir"`
	// Dir is needed if the browser has several profiles.
	Dir string `json:"dir,omitempty"`
}

// SharedTab is a tab of a browser that its person shares.
type SharedTab struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
	// Shared says that agents see it because the person shares it.
	Shared bool `json:"shared"`
	// Agents says that agents see it because they, or a tab that they see, have opened it.
	Agents bool `json:"agents"`
}

// SharedTabs are the tabs of a browser that can be shared: GET /browser_profiles/{id}/tabs.
type SharedTabs struct {
	Data []SharedTab `json:"data"`
}

// TabChoice says which tabs agents see from now on, and which no longer: POST /browser_profiles/{id}/tabs.
type TabChoice struct {
	Share   []string `json:"share,omitempty"`
	Unshare []string `json:"unshare,omitempty"`
}

// Adopt returns the profile that stands for a browser. It makes one if there is none.
func (c *Client) Adopt(ctx context.Context, in AdoptInput) (ProfileID, error) {
	var out Created
	err := c.Do(ctx, http.MethodPost, "/adopt", in, &out)
	return out.BrowserProfileID, err
}

// SharedBrowserCalls are the calls about one browser that a person shares.
type SharedBrowserCalls struct {
	client *Client
	id     ProfileID
}

// SharedBrowser returns the calls about the person's browser that a profile stands for.
func (c *Client) SharedBrowser(id ProfileID) SharedBrowserCalls { return SharedBrowserCalls{c, id} }

// Connect asks a person's browser for a connection, and returns when the person has allowed it.
func (c SharedBrowserCalls) Connect(ctx context.Context) (Started, error) {
	var out Started
	err := c.client.Do(ctx, http.MethodPost, profilePath(c.id, "/adopt"), nil, &out)
	return out, err
}

// Tabs lists the tabs of a shared browser.
func (c SharedBrowserCalls) Tabs(ctx context.Context) ([]SharedTab, error) {
	var out SharedTabs
	err := c.client.Do(ctx, http.MethodGet, profilePath(c.id, "/tabs"), nil, &out)
	return out.Data, err
}

// ChooseTabs changes which tabs of a shared browser agents see, and returns all of them.
func (c SharedBrowserCalls) ChooseTabs(ctx context.Context, in TabChoice) ([]SharedTab, error) {
	var out SharedTabs
	err := c.client.Do(ctx, http.MethodPost, profilePath(c.id, "/tabs"), in, &out)
	return out.Data, err
}
