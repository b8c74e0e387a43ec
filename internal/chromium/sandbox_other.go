//go:build !linux

package chromium

// NoSandbox returns "": the browser's sandbox works for every user here.
func NoSandbox(string) string { return "" }
