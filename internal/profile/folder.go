package profile

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/proxy"
	"cove/internal/wording"
)

// FolderID is the number of a folder. It is never given again.
type FolderID int32

// Folder holds profiles together in lists. A profile is in at most one folder.
type Folder struct {
	ID   FolderID
	Name string
	// Remark is a text about the folder that AdsPower's clients can set.
	Remark string
	// Color is one of Colors, or "" for none.
	Color string
	// Defaults are for the new profiles of the folder.
	Defaults Defaults
	Created  time.Time
	// Profiles is how many profiles are in the folder, without the trash.
	Profiles int
}

// Defaults are the values of a new profile in a folder, where its request names none. A change of them does not change
// the profiles that exist.
type Defaults struct {
	Tags       []string    `json:"tags,omitempty"`
	StartPages []string    `json:"startPages,omitempty"`
	Locale     string      `json:"locale,omitempty"`
	Timezone   string      `json:"timezone,omitempty"`
	Proxy      proxy.Proxy `json:"proxy,omitzero"`
	// Agents is the preset of the policy.
	Agents policy.Preset `json:"agents,omitempty"`
}

// Clean puts d into its canonical form, and says in one sentence what is wrong: the values are those of a profile.
func (d *Defaults) Clean() error {
	trial := Profile{Name: "trial", Tags: d.Tags, StartPages: d.StartPages, Locale: d.Locale, Timezone: d.Timezone,
		Proxy: d.Proxy, Policy: policy.Policy{Preset: d.Agents}}
	if err := trial.Clean(); err != nil {
		if f := fault.From(err); f.Field == "policy.preset" {
			return f.WithField("agents")
		}
		return err
	}
	d.Tags, d.StartPages, d.Locale, d.Timezone = trial.Tags, trial.StartPages, trial.Locale, trial.Timezone
	d.Proxy = trial.Proxy

	return nil
}

// Clean trims the name of f, and says in one sentence what is wrong with f.
func (f *Folder) Clean() error {
	if f.Name = strings.TrimSpace(f.Name); f.Name == "" {
		return fault.Fieldf("name", "A folder needs a name.")
	}
	if err := checkText("name", "folder's name", f.Name, maxName); err != nil {
		return err
	}
	if f.Color = strings.ToLower(strings.TrimSpace(f.Color)); f.Color != "" && !slices.Contains(Colors, f.Color) {
		return fault.Fieldf("color", "A folder cannot have the color %q.", wording.Shorten(f.Color, 40)).
			WithHint("Use red, orange, purple, green, blue, or nothing.")
	}
	if err := f.Defaults.Clean(); err != nil {
		return fault.In("defaults", err)
	}
	return checkText("remark", "folder's remark", f.Remark, maxNotes)
}

// NoFolder is the error for an id that no folder has.
func NoFolder(id FolderID) error {
	return fault.New(fault.CodeNotFound, "There is no folder "+strconv.Itoa(int(id))+".",
		"GET /v1.0/folders lists the folders.")
}

// Folders stores folders, in the order that the person gives them.
type Folders interface {
	Create(ctx context.Context, f Folder) (Folder, error)
	Get(ctx context.Context, id FolderID) (Folder, error)
	// Defaults returns what the new profiles of a folder get, by its id or, with id 0, by its name. A folder that does
	// not exist has none.
	Defaults(ctx context.Context, id FolderID, name string) (Defaults, error)
	List(ctx context.Context) ([]Folder, error)
	// Update applies edit to the stored folder and stores the result unless edit fails.
	Update(ctx context.Context, id FolderID, edit func(*Folder) error) (Folder, error)
	// Delete deletes folders, all of them or none. Their profiles stay, and are in no folder.
	Delete(ctx context.Context, ids ...FolderID) error
	// Order puts these folders first, in this order.
	Order(ctx context.Context, ids ...FolderID) error
	// Members lists the profiles in a folder, without the trash.
	Members(ctx context.Context, id FolderID) ([]ID, error)
	// Move puts profiles into a folder, all of them or none. Folder 0 takes them out of theirs.
	Move(ctx context.Context, to FolderID, ids ...ID) error
}
