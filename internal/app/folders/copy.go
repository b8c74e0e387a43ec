package folders

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cove/internal/profile"
)

// copyData copies a closed profile's data folder.
func (p *Profiles) copyData(ctx context.Context, from, to profile.ID) error {
	lock, err := p.lock(ctx, from)
	if err != nil || lock == nil {
		return err
	}
	defer lock.Release()
	source, target := p.Home.Profile(from).Data(), p.Home.Profile(to).Data()
	if _, err := os.Stat(source); errors.Is(err, os.ErrNotExist) {
		return nil // the profile has secrets, but was never opened
	}
	return filepath.WalkDir(source, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		rel, err := filepath.Rel(source, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir():
			return os.MkdirAll(filepath.Join(target, rel), 0o700)
		case !d.Type().IsRegular() || strings.HasPrefix(rel, "Singleton") || rel == "DevToolsActivePort":
			return nil // a lock or a socket of the browser that was open
		}
		return copyFile(name, filepath.Join(target, rel))
	})
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}
