//go:build !linux

package process

// Listener would find the process that listens on a port; there is no way without other programs' rights here.
func Listener(int) (name string, pid int, ok bool) { return "", 0, false }
