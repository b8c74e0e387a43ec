//go:build unix

package external

import (
	"os"
	"syscall"

	"cove/internal/fault"
)

// ours fails unless a data folder belongs to this user. Another user could write another port into the folder.
func ours(dataDir string) error {
	info, err := os.Stat(dataDir)
	if err != nil {
		return errNoBrowser(dataDir, err)
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Geteuid() || !info.IsDir() {
		return fault.New(fault.CodeAdoptStranger, "The folder "+dataDir+" is not yours.",
			"Name the data folder of your own browser with --from.")
	}
	return nil
}
