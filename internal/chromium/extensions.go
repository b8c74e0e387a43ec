package chromium

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
)

// unsupportedDeveloper is the browser's own reason to disable extensions of a folder while developer mode is off.
const unsupportedDeveloper = 1 << 24

// temporary is the creation flag of an extension that the browser removes at its next start.
const temporary = 1 << 15

// InstalledExtensions returns the ids of the extensions in a data folder that the browser loads at its next start, or
// that only the person has disabled.
func InstalledExtensions(dataDir string) (map[string]bool, error) {
	found := map[string]bool{}
	// The second is where systems with protected settings have them.
	for _, name := range []string{"Preferences", "Secure Preferences"} {
		raw, err := os.ReadFile(filepath.Join(dataDir, "Default", name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var prefs struct {
			Extensions struct {
				Settings map[string]struct {
					Path    string          `json:"path"`
					Flags   int             `json:"creation_flags"`
					Reasons json.RawMessage `json:"disable_reasons"`
				} `json:"settings"`
			} `json:"extensions"`
		}
		if err := json.Unmarshal(raw, &prefs); err != nil {
			return nil, err
		}
		for id, e := range prefs.Extensions.Settings {
			if e.Path != "" && e.Flags&temporary == 0 && !unsupported(e.Reasons) {
				found[id] = true
			}
		}
	}
	return found, nil
}

// unsupported reads the reasons why an extension is disabled: a list, or the sum in older browsers.
func unsupported(raw json.RawMessage) bool {
	var list []int
	if json.Unmarshal(raw, &list) != nil {
		var sum int
		_ = json.Unmarshal(raw, &sum)
		list = []int{sum}
	}
	for _, reason := range list {
		if reason&unsupportedDeveloper != 0 {
			return true
		}
	}
	return false
}
