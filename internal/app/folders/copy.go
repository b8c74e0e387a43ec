package folders

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"cove/internal/paths"
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
		return paths.CopyFile(name, filepath.Join(target, rel))
	})
}
