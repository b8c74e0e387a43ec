package chromium

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

func candidates() []candidate {
	apps := []candidate{
		{"Google Chrome", `Google\Chrome\Application\chrome.exe`}, {"Chromium", `Chromium\Application\chrome.exe`},
		{"Microsoft Edge", `Microsoft\Edge\Application\msedge.exe`},
		{"Brave", `BraveSoftware\Brave-Browser\Application\brave.exe`},
	}
	var all []candidate
	for _, a := range apps {
		for _, base := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := os.Getenv(base); dir != "" {
				all = append(all, candidate{a.name, filepath.Join(dir, a.path)})
			}
		}
	}
	return all
}

// readVersion reads the folder beside the executable that is named after its version: --version opens a window here.
func readVersion(_ context.Context, path string) (string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	newest := ""
	for _, e := range entries {
		if e.IsDir() && findVersion(e.Name()) == e.Name() && major(e.Name()) >= major(newest) {
			newest = e.Name()
		}
	}
	if newest == "" {
		return "", errors.New("no version folder beside " + path)
	}
	return newest, nil
}
