package paths

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
)

// WriteFile replaces a file in one step and makes it readable by this user only. A reader sees the old file or the new
// one, even after a power failure.
func WriteFile(name string, data []byte) error { return replace(name, data, true) }

// WriteVolatile is WriteFile for a file that is worthless after a power failure. It does not wait for the disk.
func WriteVolatile(name string, data []byte) error { return replace(name, data, false) }

// Watchdog calls restore at intervals until stop is called. Others find a running process by its files, and somebody
// may remove or damage them, as cleaners of temporary folders do.
func Watchdog(restore func()) (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				restore()
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// Restore writes a volatile file again unless it is unchanged.
func Restore(name string, data []byte) {
	if is, err := os.ReadFile(name); err != nil || !bytes.Equal(is, data) {
		_ = WriteVolatile(name, data)
	}
}

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
