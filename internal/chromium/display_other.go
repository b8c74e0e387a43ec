//go:build !linux

package chromium

// Display names the display that can show a window: macOS and Windows always have one.
func Display() string { return "the desktop" }
