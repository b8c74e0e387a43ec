package chromium

import "os"

// HasDisplay reports whether a window can be shown.
func HasDisplay() bool {
	return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
