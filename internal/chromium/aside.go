package chromium

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
)

// aside are the folders that belong to the tabs of the last session: the tabs, and what their pages stored for the
// session.
var aside = []string{"Sessions", "Session Storage"}

// asideSuffix marks a folder that was put aside.
const asideSuffix = ".cove-aside"

// PutTabsAside moves the tabs of the last session out of the browser's way. The browser then neither opens nor replaces
// them. PutTabsBack undoes it, even after a crash.
func PutTabsAside(dataDir string) error {
	if err := PutTabsBack(dataDir); err != nil {
		return err
	}
	for _, name := range aside {
		folder := filepath.Join(dataDir, "Default", name)
		err := os.Rename(folder, folder+asideSuffix)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return errors.Join(err, PutTabsBack(dataDir))
		}
	}
	return nil
}

// HasTabsAside reports whether PutTabsAside has moved tabs that nobody has put back. Then the keeper that moved them
// was killed.
func HasTabsAside(dataDir string) bool {
	return slices.ContainsFunc(aside, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dataDir, "Default", name+asideSuffix))
		return err == nil
	})
}

// PutTabsBack restores what PutTabsAside moved, if anything. It removes folders that a browser has made in their
// place.
func PutTabsBack(dataDir string) error {
	for _, name := range aside {
		folder := filepath.Join(dataDir, "Default", name)
		if _, err := os.Lstat(folder + asideSuffix); errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
		if err := os.Rename(folder+asideSuffix, folder); err != nil {
			return err
		}
	}
	return nil
}
