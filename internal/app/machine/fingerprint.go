package machine

import (
	"context"
	"runtime"
	"strings"

	"cove/api"
	"cove/internal/chromium"
	"cove/internal/chromium/probe"
)

// Probe tells what a browser shows to every page; *probe.Cache does.
type Probe interface {
	Values(ctx context.Context, b chromium.Browser, args []string) (probe.Values, error)
}

// Fingerprint returns what the preferred browser shows to every page.
func (m *Machine) Fingerprint(ctx context.Context) (api.Fingerprint, error) {
	preferred, args, err := m.Preferred(ctx)
	if err != nil {
		return api.Fingerprint{}, err
	}
	b, err := chromium.Find(ctx, preferred)
	if err != nil {
		return api.Fingerprint{}, err
	}
	v, err := m.Probe.Values(ctx, b, args)
	if err != nil {
		return api.Fingerprint{}, err
	}
	return fingerprint(b, v), nil
}

// fingerprint puts what a browser says under Dolphin's names.
func fingerprint(b chromium.Browser, v probe.Values) api.Fingerprint {
	version := v.FullVersion
	if version == "" {
		version = b.Version
	}
	return api.Fingerprint{
		UserAgent: v.UserAgent, Platform: v.Platform, PlatformVersion: v.PlatformVersion, UAFullVersion: version,
		AppCodeName: v.AppCodeName, AppVersion: v.AppVersion, Product: v.Product, ProductSub: v.ProductSub,
		Vendor: v.Vendor, VendorSub: v.VendorSub, Language: v.Language, Languages: strings.Join(v.Languages, ","),
		DoNotTrack:          v.DoNotTrack,
		DeviceMemory:        max(1, int(v.DeviceMemory)), // small computers say 0.5
		HardwareConcurrency: max(1, v.HardwareConcurrency), MaxTouchPoints: v.MaxTouchPoints,
		Screen: api.FingerprintScreen(v.Screen), Connection: api.FingerprintConnection(v.Connection),
		CPU:     api.FingerprintCPU{Architecture: v.Architecture},
		OS:      system(v),
		Browser: api.FingerprintBrowser{Name: "Chrome", Version: version, ShortVersion: b.Major()},
		WebGL:   api.FingerprintWebGL(v.WebGL), WebGL2Maximum: v.WebGL2Maximum, Fonts: "[]", Voices: "[]",
		BrowserType: "anty",
	}
}

// system names the operating system. Windows 11 calls itself 13 and more there; people call it 11.
func system(v probe.Values) api.FingerprintOS {
	out := api.FingerprintOS{Name: v.System, Version: v.PlatformVersion}
	if out.Name == "" {
		out.Name = map[string]string{"windows": "Windows", "darwin": "macOS"}[runtime.GOOS]
	}
	if out.Name == "" {
		out.Name = "Linux"
	}
	if out.Name == "Windows" {
		out.Version = "10"
		if (chromium.Browser{Version: v.PlatformVersion}).Major() >= 13 {
			out.Version = "11"
		}
	}
	return out
}
