//go:build !linux

package chromium

// HasDisplay reports whether a window can be shown: macOS and Windows always have one.
func HasDisplay() bool { return true }
