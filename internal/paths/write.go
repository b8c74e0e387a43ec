package paths

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
)

// WriteFile replaces name with data in one step, readable by this user only: a reader sees the old file or the new one,
// also after a power cut.
func WriteFile(name string, data []byte) error { return replace(name, data, true) }

// WriteVolatile does the same for a file that means nothing after a power cut, without waiting for the disk.
func WriteVolatile(name string, data []byte) error { return replace(name, data, false) }

// Watchdog calls restore every second until stop is called. restore puts back the files by which others find a running
// process: somebody may remove or change them, as cleaners of temporary folders do.
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

// Restore writes a volatile file again unless its content is data.
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
