package chromium

import (
	"context"
	"os"
	"path/filepath"
)

func candidates() []candidate {
	apps := []candidate{
		{"Google Chrome", "Google Chrome.app/Contents/MacOS/Google Chrome"},
		{"Chromium", "Chromium.app/Contents/MacOS/Chromium"},
		{"Microsoft Edge", "Microsoft Edge.app/Contents/MacOS/Microsoft Edge"},
		{"Brave", "Brave Browser.app/Contents/MacOS/Brave Browser"},
	}
	var all []candidate
	for _, a := range apps {
		all = append(all, candidate{a.name, filepath.Join("/Applications", a.path)})
		if home, err := os.UserHomeDir(); err == nil {
			all = append(all, candidate{a.name, filepath.Join(home, "Applications", a.path)})
		}
	}
	return all
}

func readVersion(ctx context.Context, path string) (string, error) { return runVersion(ctx, path) }
