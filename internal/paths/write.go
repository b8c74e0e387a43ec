package paths

import (
	"os"
	"path/filepath"
)

// WriteFile replaces name with data in one step, readable by this user only: a reader sees the old file or the new one,
// also after a power cut.
func WriteFile(name string, data []byte) error { return replace(name, data, true) }

// WriteVolatile does the same for a file that means nothing after a power cut, without waiting for the disk.
func WriteVolatile(name string, data []byte) error { return replace(name, data, false) }

func replace(name string, data []byte, sync bool) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(data); err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
