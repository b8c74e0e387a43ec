package profile

import "path/filepath"

// External is a profile of a browser that the person uses outside Cove: a folder in that browser's data folder.
type External struct {
	DataDir string `json:"data_dir"`
	Dir     string `json:"dir"` // in DataDir
}

// Path returns the profile's folder.
func (e External) Path() string { return filepath.Join(e.DataDir, e.Dir) }
