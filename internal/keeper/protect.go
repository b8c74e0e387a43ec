package keeper

import (
	"os"

	"cove/internal/clients"
	"cove/internal/paths"
	"cove/internal/protect"
)

// protected lists the files that no agent of this profile reads or writes: all of Cove's own, and those from which
// other programs take commands.
func protected(dir paths.ProfileDir) *protect.Files {
	p := protect.Paths{
		Folders: []string{string(dir.Home()), string(dir), os.Getenv("COVE_HOME"), paths.RuntimeDir()},
	}
	if usual, err := paths.DefaultHome(); err == nil { // another Cove's
		p.Folders = append(p.Folders, string(usual))
	}
	if usual, err := paths.UsualHome(); err == nil { // whatever the environment names
		p.Folders = append(p.Folders, string(usual))
	}
	if program, err := os.Executable(); err == nil {
		p.Files = append(p.Files, program)
	}
	files, names := clients.Locations()
	p.Files = append(p.Files, files...)
	p.Names = append([]string{"profile-devtools-mcp*"}, names...) // the first is the file that clients run
	return protect.New(p)
}
