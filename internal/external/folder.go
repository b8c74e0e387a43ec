// Package external reaches the browsers that a person uses outside Cove: it finds their data folders, connects to one
// of them with the person's consent, and reads cookies and local storage there. It decrypts nothing, and it changes
// nothing in that browser.
package external

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Browser is a browser that has a data folder on this computer.
type Browser struct {
	Name    string `json:"name"`
	DataDir string `json:"data_dir"`
	// Open says that it runs.
	Open     bool      `json:"open"`
	Profiles []Profile `json:"profiles"`
}

// Profile is one of the profiles of such a browser. It is a folder in the data folder.
type Profile struct {
	Dir  string `json:"dir"`
	Name string `json:"name"`
}

// Installed lists the browsers that this person has used, in a fixed order.
func Installed() []Browser {
	var found []Browser
	for _, c := range candidates() {
		if b, err := Look(c.dir); err == nil && len(b.Profiles) > 0 {
			b.Name = c.name
			found = append(found, b)
		}
	}
	return found
}

// candidate is the folder that a browser uses for its data by default.
type candidate struct{ name, dir string }

// under returns candidates whose folders are below dir.
func under(dir string, list ...candidate) []candidate {
	for i := range list {
		list[i].dir = filepath.Join(dir, filepath.FromSlash(list[i].dir))
	}
	return list
}

// Look describes the browser of a data folder.
func Look(dataDir string) (Browser, error) {
	b := Browser{Name: filepath.Base(dataDir), DataDir: dataDir}
	for _, c := range candidates() {
		if c.dir == dataDir {
			b.Name = c.name
		}
	}
	raw, err := os.ReadFile(filepath.Join(dataDir, "Local State"))
	if err != nil {
		return Browser{}, err
	}
	var state struct {
		Profile struct {
			Cache map[string]struct {
				Name string `json:"name"`
			} `json:"info_cache"`
		} `json:"profile"`
	}
	if err := json.Unmarshal(raw, &state); err != nil {
		return Browser{}, err
	}
	// The browser writes that file late: a profile may not be in it yet.
	entries, _ := os.ReadDir(dataDir)
	for _, e := range entries {
		cached, known := state.Profile.Cache[e.Name()]
		if e.IsDir() && (known || e.Name() == "Default" || strings.HasPrefix(e.Name(), "Profile ")) {
			b.Profiles = append(b.Profiles, Profile{Dir: e.Name(), Name: cmp.Or(cached.Name, e.Name())})
		}
	}
	slices.SortFunc(b.Profiles, func(x, y Profile) int { return cmp.Compare(x.Dir, y.Dir) })
	_, b.Open = chromium.Holder(dataDir)
	return b, nil
}

// Choose returns the source that a person means: a data folder with the name of a profile's folder in it, a data folder
// with only one profile, or a profile's folder itself.
func Choose(folder, dir string) (profile.External, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return profile.External{}, err
	}
	named := folder
	b, err := Look(folder)
	if err != nil && dir == "" {
		folder, dir = filepath.Split(folder)
		folder = filepath.Clean(folder)
		b, err = Look(folder)
	}
	if err != nil {
		return profile.External{}, errNoBrowser(named, err)
	}
	switch {
	case len(b.Profiles) == 0:
		return profile.External{}, errNoBrowser(named, errors.New("it has no profile"))
	case dir != "" && slices.ContainsFunc(b.Profiles, func(p Profile) bool { return p.Dir == dir }):
		return profile.External{DataDir: folder, Dir: dir}, nil
	case dir == "" && len(b.Profiles) == 1:
		return profile.External{DataDir: folder, Dir: b.Profiles[0].Dir}, nil
	}
	names := make([]string, len(b.Profiles))
	for i, p := range b.Profiles {
		names[i] = fmt.Sprintf("%s (%s)", filepath.Join(folder, p.Dir), p.Name)
	}
	text := "That browser has several profiles."
	if dir != "" {
		text = "That browser has no profile in the folder " + dir + "."
	}
	return profile.External{}, fault.New(fault.CodeAmbiguous, text,
		"Name one of them with --from: "+strings.Join(names, ", "))
}
