package keeperclient

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"cove/internal/paths"
)

// TabControl makes a tab the person's, or gives it back with a message for the agents.
type TabControl struct {
	Tab     string `json:"tab"`
	On      bool   `json:"on"`
	Message string `json:"note,omitempty"`
}

// LiveInput is what a person does in an image of the live view.
type LiveInput struct {
	Tab    string       `json:"tab"`
	Image  int          `json:"pic"` // the number of the image
	Events []InputEvent `json:"events"`
}

// InputEvent is one thing that a person does. It has the fields of page/input's Event.
type InputEvent struct {
	T      string    `json:"t"`
	X      float64   `json:"x,omitempty"`
	Y      float64   `json:"y,omitempty"`
	B      int       `json:"b,omitempty"`
	N      int       `json:"n,omitempty"`
	M      int       `json:"m,omitempty"`
	DX     float64   `json:"dx,omitempty"`
	DY     float64   `json:"dy,omitempty"`
	Key    string    `json:"key,omitempty"`
	Code   string    `json:"code,omitempty"`
	Text   string    `json:"text,omitempty"`
	Down   bool      `json:"down,omitempty"`
	K      string    `json:"k,omitempty"`
	Points []float64 `json:"points,omitempty"`
	Accept bool      `json:"accept,omitempty"`
}

// InputResult is what came of a person's input.
type InputResult struct {
	Done    int           `json:"done"`
	Stale   bool          `json:"stale,omitempty"`
	Copied  string        `json:"copied,omitempty"`
	Options []InputOption `json:"options,omitempty"`
}

// InputOption is one line of the list of a select that was pressed.
type InputOption struct {
	Text     string `json:"text"`
	Group    string `json:"group,omitempty"`
	Disabled bool   `json:"disabled,omitempty"`
	Chosen   bool   `json:"chosen,omitempty"`
}

// inputLimit bounds a batch of input: an answer to a dialog waits for its effects.
const inputLimit = 20 * time.Second

// ControlTab makes a tab the person's, or gives it back.
func (c *Client) ControlTab(ctx context.Context, t TabControl) error {
	return c.call(ctx, http.MethodPost, "/v1/live/control", t, nil)
}

// SendInput sends what the person does to a tab of theirs.
func (c *Client) SendInput(ctx context.Context, in LiveInput) (r InputResult, err error) {
	err = c.callWithin(ctx, inputLimit, http.MethodPost, "/v1/live/input", in, &r)
	return r, err
}

// SendFiles gives a page the files that it has asked the person for. body is a form with files.
func (c *Client) SendFiles(ctx context.Context, tab, contentType string, body io.Reader) error {
	address := "http://keeper/v1/live/files?tab=" + url.QueryEscape(tab)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, body)
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", contentType)
	c.authorize(req.Header)
	res, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("send files to the keeper: %w", err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 {
		return refusal(res)
	}
	return json.NewDecoder(res.Body).Decode(&struct{}{})
}

// ProxyDownload sends the person a file that they have saved. After an error nothing was written.
func ProxyDownload(w http.ResponseWriter, r *http.Request, dir paths.ProfileDir) error {
	return forward(w, r, dir, "/v1/live/download")
}
