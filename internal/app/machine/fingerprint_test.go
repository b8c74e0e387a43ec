package machine

import (
	"testing"

	"cove/api"
	"cove/internal/chromium"
	"cove/internal/chromium/probe"
)

func TestFingerprintOfABrowser(t *testing.T) {
	b := chromium.Browser{Name: "Chromium", Path: "/usr/bin/chromium", Version: "148.0.7778.167"}
	f := fingerprint(b, probe.Values{UserAgent: "UA", DeviceMemory: 0.5, HardwareConcurrency: 8, System: "macOS", Languages: []string{"de", "en"},
		PlatformVersion: "14.5.0", FullVersion: "148.0.7778.1"})
	if f.DeviceMemory != 1 || f.HardwareConcurrency != 8 || f.BrowserType != "anty" || f.Languages != "de,en" || f.Fonts != "[]" ||
		f.UAFullVersion != "148.0.7778.1" || f.OS != (api.FingerprintOS{Name: "macOS", Version: "14.5.0"}) ||
		f.Browser != (api.FingerprintBrowser{Name: "Chrome", Version: "148.0.7778.1", ShortVersion: 148}) {
		t.Errorf("%+v", f)
	}
	if f := fingerprint(b, probe.Values{DeviceMemory: 16}); f.DeviceMemory != 16 || f.UAFullVersion != b.Version ||
		f.HardwareConcurrency != 1 || f.OS.Name == "" {
		t.Errorf("%+v", f)
	}
	for version, want := range map[string]string{"15.0.0": "11", "13.0.0": "11", "10.0.0": "10", "": "10"} {
		if got := system(probe.Values{System: "Windows", PlatformVersion: version}); got.Version != want {
			t.Errorf("Windows %q is called %q", version, got.Version)
		}
	}
}
