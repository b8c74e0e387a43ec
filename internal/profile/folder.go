package profile

import (
	"context"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// FolderID is the number of a folder. It is never given again.
type FolderID int32

// Folder holds profiles together in lists. A profile is in at most one folder.
type Folder struct {
	ID   FolderID
	Name string
	// Remark is a text about the folder that AdsPower's clients can set.
	Remark  string
	Created time.Time
	// Profiles is how many profiles are in the folder, without the trash.
	Profiles int
}

// Clean trims the name of f, and says in one sentence what is wrong with f.
func (f *Folder) Clean() error {
	if f.Name = strings.TrimSpace(f.Name); f.Name == "" {
		return fault.Fieldf("name", "A folder needs a name.")
	}
	if err := checkText("name", "folder's name", f.Name, maxName); err != nil {
		return err
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
	List(ctx context.Context) ([]Folder, error)
	// Update applies edit to the stored folder and stores its name and remark unless edit fails.
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
