package chromium

import (
	"context"
	"os/exec"
	"path/filepath"
	"runtime"
)

// FindDriver returns the path of a chromedriver of the browser's major version, beside the browser or on the PATH; ""
// for none. Another version refuses to work with the browser.
func FindDriver(ctx context.Context, b Browser) string {
	name := "chromedriver"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	places := []string{filepath.Join(filepath.Dir(b.Path), name)}
	if resolved, err := filepath.EvalSymlinks(b.Path); err == nil {
		places = append(places, filepath.Join(filepath.Dir(resolved), name))
	}
	for _, place := range append(places, name) {
		path, err := exec.LookPath(place)
		if err != nil {
			continue
		}
		if v, err := programVersion(ctx, path, driverVersion); err == nil && major(v) == b.Major() && b.Major() != 0 {
			return path
		}
	}
	return ""
}

// driverVersion returns the version of a chromedriver; "" for one that does not say it, so that it is not asked again.
func driverVersion(ctx context.Context, path string) (string, error) {
	if v, err := runVersion(ctx, path); err == nil || ctx.Err() != nil {
		return v, err
	}
	return "", nil
}
