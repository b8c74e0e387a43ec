package external

import "os"

// ours fails unless a data folder is there. Windows keeps other users out of it.
func ours(dataDir string) error {
	if info, err := os.Stat(dataDir); err != nil || !info.IsDir() {
		return errNoBrowser(dataDir, err)
	}
	return nil
}
