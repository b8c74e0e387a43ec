//go:build !linux

package process

// Dying reports whether the process is gone.
func (id ID) Dying() bool { return !id.Alive() }
