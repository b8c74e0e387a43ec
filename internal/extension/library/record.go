package library

import (
	"encoding/json"
	"errors"
	"os"

	"cove/internal/extension"
	"cove/internal/paths"
)

// ReadRecord reads which extensions Cove has installed in a profile's browser.
func ReadRecord(dir paths.ProfileDir) (had []extension.Install, err error) {
	raw, err := os.ReadFile(dir.ExtensionRecord())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return had, json.Unmarshal(raw, &had)
}

// WriteRecord records which extensions the browser of a profile has.
func WriteRecord(dir paths.ProfileDir, have []extension.Install) error {
	if len(have) == 0 {
		return os.Remove(dir.ExtensionRecord())
	}
	raw, err := json.MarshalIndent(have, "", "  ")
	if err != nil {
		return err
	}
	return paths.WriteFile(dir.ExtensionRecord(), raw)
}
