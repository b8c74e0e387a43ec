//go:build unix

package protect

import (
	"os"
	"syscall"
)

// linked reports whether a file has more than one name.
func linked(_ string, info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return !ok || st.Nlink > 1
}
