//go:build e2e

package api

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"cove/e2e/harness"
)

// Scripts for Dolphin ask for a fingerprint before they create a profile. They get what every page of a profile sees.
func TestFingerprintsAreTheBrowsersOwn(t *testing.T) {
	a := harness.Start(t)
	const path = "/fingerprints/fingerprint?platform=windows&browser_type=anty&browser_version=latest&screen=1x1"
	answers := make([]harness.Answer, 4)
	var wait sync.WaitGroup
	for i := range answers {
		wait.Go(func() { answers[i] = a.Request("GET", path, "") })
	}
	wait.Wait()
	for _, r := range answers {
		harness.MustSucceed(t, r)
		if r.Raw != answers[0].Raw {
			t.Errorf("two answers: %s and %s", r.Raw, answers[0].Raw)
		}
	}
	said := answers[0].Body

	tab := harness.NewTab(t, a.Open(1))
	tab.Visit(harness.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("<!doctype html><title>x</title>"))
	}))
	var seen map[string]any
	tab.Eval(`(() => { const gl = document.createElement('canvas').getContext('webgl');
		const names = gl && gl.getExtension('WEBGL_debug_renderer_info');
		return {userAgent: navigator.userAgent, platform: navigator.platform, appCodeName: navigator.appCodeName,
			product: navigator.product, productSub: navigator.productSub, vendor: navigator.vendor,
			vendorSub: navigator.vendorSub, language: navigator.language, languages: navigator.languages.join(),
			deviceMemory: navigator.deviceMemory, hardwareConcurrency: navigator.hardwareConcurrency,
			width: screen.width, height: screen.height, colorDepth: screen.colorDepth,
			gpu: gl ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : ''} })()`, &seen)
	agent, _ := seen["userAgent"].(string)
	seen["userAgent"] = strings.ReplaceAll(agent, "HeadlessChrome", "Chrome")
	if said["userAgent"] == agent {
		t.Errorf("it is not the user agent of a window: %q", agent)
	}
	told := map[string]any{"width": harness.Member(said, "screen", "width"), "height": harness.Member(said, "screen", "height"),
		"colorDepth": harness.Member(said, "screen", "colorDepth"),
		"gpu":        harness.Member(said, "webgl", "unmaskedRenderer")}
	for name, want := range seen {
		got, derived := told[name]
		if !derived {
			got = said[name]
		}
		if got != want {
			t.Errorf("%s is told as %v, and a page sees %v", name, got, want)
		}
	}
	if limits, _ := said["webgl2Maximum"].(map[string]any); len(limits) < 20 {
		t.Errorf("the limits of WebGL 2: %v", limits)
	}

	a.Kill()
	a.Up()
	if r := a.Request("GET", path, ""); r.Raw != answers[0].Raw {
		t.Errorf("after a restart: %s", r.Raw)
	}
	log, err := os.ReadFile(filepath.Join(a.Home, "logs", "app.log"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(log), "the browser was probed"); n != 1 {
		t.Errorf("the browser was probed %d times", n)
	}
	if harness.Exists(filepath.Join(a.Home, "probe")) {
		t.Error("the folder of the probe is left")
	}
}
