// Package probe asks an installed browser what it shows to every page: its user agent, its screen, its graphics card.
package probe

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cove/internal/cdp"
	"cove/internal/chromium"
	"cove/internal/chromium/oneshot"
)

//go:embed probe.js
var script string

// Values is what a page of the browser reads.
type Values struct {
	UserAgent           string         `json:"userAgent"`
	Platform            string         `json:"platform"`
	PlatformVersion     string         `json:"platformVersion"`
	FullVersion         string         `json:"uaFullVersion"`
	AppCodeName         string         `json:"appCodeName"`
	AppVersion          string         `json:"appVersion"`
	Product             string         `json:"product"`
	ProductSub          string         `json:"productSub"`
	Vendor              string         `json:"vendor"`
	VendorSub           string         `json:"vendorSub"`
	Language            string         `json:"language"`
	Languages           []string       `json:"languages"`
	DoNotTrack          bool           `json:"doNotTrack"`
	DeviceMemory        float64        `json:"deviceMemory"`
	HardwareConcurrency int            `json:"hardwareConcurrency"`
	MaxTouchPoints      int            `json:"maxTouchPoints"`
	Screen              Screen         `json:"screen"`
	Connection          Connection     `json:"connection"`
	Architecture        string         `json:"architecture"`
	System              string         `json:"system"` // Windows, macOS or Linux
	WebGL               WebGL          `json:"webgl"`
	WebGL2Maximum       map[string]any `json:"webgl2Maximum"`
}

// Screen is the screen of a browser without a window.
type Screen struct {
	Width       int     `json:"width"`
	Height      int     `json:"height"`
	AvailWidth  int     `json:"availWidth"`
	AvailHeight int     `json:"availHeight"`
	ColorDepth  int     `json:"colorDepth"`
	PixelDepth  int     `json:"pixelDepth"`
	PixelRatio  float64 `json:"pixelRatio"`
}

// Connection is what the browser says of the network.
type Connection struct {
	Downlink      float64 `json:"downlink"`
	RTT           int     `json:"rtt"`
	EffectiveType string  `json:"effectiveType"`
	SaveData      bool    `json:"saveData"`
}

// WebGL names the graphics card. The texts are empty for a browser without WebGL.
type WebGL struct {
	Vendor           string `json:"vendor"`
	Renderer         string `json:"renderer"`
	UnmaskedVendor   string `json:"unmaskedVendor"`
	UnmaskedRenderer string `json:"unmaskedRenderer"`
}

// patience is how long a browser may take to end after it was asked to.
const patience = 5 * time.Second

// Read launches the browser headless, with a data folder of its own that it deletes afterwards, and asks one page.
func Read(ctx context.Context, path, dir string, args []string) (v Values, err error) {
	if err := os.RemoveAll(dir); err != nil { // of a probe that did not end
		return v, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return v, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	page := filepath.Join(dir, "probe.html")
	if err := os.WriteFile(page, []byte("<!doctype html><title>Cove</title>\n"), 0o600); err != nil {
		return v, err
	}

	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return v, err
	}
	defer func() { _ = silent.Close() }()
	browser, err := oneshot.Start(path, chromium.Options{
		DataDir: filepath.Join(dir, "data"), NoSandbox: chromium.NoSandbox(path) != "", Offline: true, Extra: args,
	}, silent)
	if err != nil {
		return v, err
	}
	v, err = evaluate(ctx, browser.Conn, fileURL(page))
	_ = browser.Close(patience) // its data is deleted anyway
	return v, err
}

// fileURL is the address of a file. A page from a file is a secure context, where a browser says all that it does.
func fileURL(name string) string {
	slashed := filepath.ToSlash(name)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String()
}

// evaluate runs the script in a page of the browser.
func evaluate(ctx context.Context, conn *cdp.Conn, page string) (v Values, err error) {
	var target struct {
		ID string `json:"targetId"`
	}
	if err := conn.Call(ctx, "", "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return v, err
	}
	var session struct {
		ID string `json:"sessionId"`
	}
	if err := conn.Call(ctx, "", "Target.attachToTarget", map[string]any{"targetId": target.ID, "flatten": true},
		&session); err != nil {
		return v, err
	}
	if err := conn.Call(ctx, session.ID, "Page.navigate", map[string]any{"url": page}, nil); err != nil {
		return v, err
	}
	var answer struct {
		Result           struct{ Value Values }
		ExceptionDetails *struct{ Text string }
	}
	if err := conn.Call(ctx, session.ID, "Runtime.evaluate",
		map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &answer); err != nil {
		return v, err
	}
	if answer.ExceptionDetails != nil {
		return v, fmt.Errorf("the probe's script failed: %s", answer.ExceptionDetails.Text)
	}
	if answer.Result.Value.UserAgent == "" {
		return v, errors.New("the probe's script answered nothing")
	}
	return answer.Result.Value.inWindow(), nil
}

// inWindow returns the values as a browser with a window has them: without the word that only headless ones have.
func (v Values) inWindow() Values {
	v.UserAgent = strings.ReplaceAll(v.UserAgent, "HeadlessChrome", "Chrome")
	v.AppVersion = strings.ReplaceAll(v.AppVersion, "HeadlessChrome", "Chrome")
	return v
}
