package entries

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"cove/internal/cli/command"
	"cove/internal/clients"
	"cove/internal/fault"
)

// WriteBundle writes the bundle of an entry. It writes a temporary file first, so that an existing bundle stays whole
// if that fails.
func WriteBundle(file string, x clients.Entry) (err error) {
	denied := func(err error) error {
		if err := fault.Disk(err); fault.From(err).Code == fault.CodeDiskFull {
			return err
		}
		why := err.Error()
		var p *os.PathError
		if errors.As(err, &p) {
			why = p.Err.Error()
		}

		return fault.New(fault.CodeUnwritable, file+" cannot be written: "+why+".", "Name another file with --out.").
			Because(err)
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return denied(errors.New("it is not an ordinary file"))
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+filepath.Base(file)+".*")
	if err != nil {
		return denied(err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	err = clients.Bundle(f, runtime.GOOS, command.Version, x.Command, x)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return denied(err)
	}

	return nil
}
