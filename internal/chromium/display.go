package chromium

// HasDisplay reports whether a window can be shown.
func HasDisplay() bool { return Display() != "" }
