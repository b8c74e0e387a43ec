package profile

import (
	"path/filepath"

	"cove/internal/fault"
)

// External is a profile of a browser that the person uses outside Cove: a folder in that browser's data folder.
type External struct {
	DataDir string `json:"data_dir"`
	Dir     string `json:"dir"` // in DataDir
}

// Set reports whether e names a profile.
func (e External) Set() bool { return e != External{} }

// Path returns the profile's folder.
func (e External) Path() string { return filepath.Join(e.DataDir, e.Dir) }

// OpenHint returns the next step for somebody who needs the profile open for agents.
func (p Profile) OpenHint() string {
	if p.External.Set() {
		return "Its user can share that browser with: cove adopt " + p.ID.String()
	}
	return "Open it with: cove start " + p.ID.String() + " --automation"
}

// NeedsData refuses an action that needs data of the profile's own, for a profile that stands for a browser outside
// Cove. action ends the sentence "you cannot …".
func (p Profile) NeedsData(action string) error {
	if !p.External.Set() {
		return nil
	}
	return fault.New(fault.CodeAdoptNotOurs,
		"Profile "+p.ID.String()+" is a browser that you use outside Cove, so you cannot "+action+".",
		"Use that browser itself, or another profile.")
}
