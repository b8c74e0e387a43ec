// Package profile says what a profile is: an identity on disk with its own cookies, logins, extensions and proxy.
package profile

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/profile/id"
	"cove/internal/proxy"
	"cove/internal/wording"
)

// ID is the number of a profile.
type ID = id.ID

// ParseID reads the digits of an ID and accepts nothing else.
func ParseID(s string) (ID, error) { return id.Parse(s) }

// Profile is one identity and how its browser is opened.
type Profile struct {
	ID   ID
	Name string
	// FolderID is the folder of the profile, 0 for none, and Folder its name. Whoever stores a profile with a name and
	// no id gets the folder of that name, which is made if it is not there.
	FolderID FolderID
	Folder   string
	// Status is what the person calls the present state of the profile. Only its id is stored with the profile.
	Status     Status
	Notes      string
	Tags       []string
	StartPages []string
	Window     Size
	Locale     string
	Timezone   string
	// ProxyID is the stored proxy that the profile uses, 0 for none, and Proxy what it holds. Whoever stores a profile
	// with a proxy and no id gets the stored proxy that equals it.
	ProxyID proxy.ID
	Proxy   proxy.Proxy
	Args    []string
	// Policy says what agents may do in the profile.
	Policy policy.Policy
	// PageTools is PageToolsOff if pages cannot offer tools to agents in the profile, and empty if they can.
	PageTools string
	// Browser is the executable that the profile opens with. Empty means the one that Cove finds.
	Browser string
	// External is the browser that the profile stands for: one that its person uses outside Cove, and shares. Such a
	// profile has no data folder, proxy or arguments of its own. It is zero for every other profile.
	External External
	// Temporary profiles are deleted permanently when they close.
	Temporary bool

	Created time.Time
	Updated time.Time
	// Opened and Trashed are zero until that happens.
	Opened  time.Time
	Trashed time.Time
}

// PageToolsOn and PageToolsOff say whether pages can offer tools to agents.
const (
	PageToolsOn  = "on"
	PageToolsOff = "off"
)

// Size is the size of a window. Zero leaves it to the browser.
type Size struct{ Width, Height int }

// NotFound is the error for an id that no profile has.
func NotFound(id ID) error {
	return fault.New(fault.CodeNotFound, "There is no profile "+id.String()+".",
		"`cove profile list` shows the profiles.")
}

// Store stores profiles.
type Store interface {
	Create(ctx context.Context, ps ...Profile) ([]Profile, error)
	// Get returns a profile that is not in the trash.
	Get(ctx context.Context, id ID) (Profile, error)
	List(ctx context.Context, q Query) (Page, error)
	// Update applies edit to the stored profile and stores the result unless edit fails. edit must not use the store.
	Update(ctx context.Context, id ID, edit func(*Profile) error) (Profile, error)
	// UpdateMany is Update of several profiles: of all of them or none.
	UpdateMany(ctx context.Context, ids []ID, edit func(*Profile) error) error
	// ReplaceTags gives tags other names in every profile that has them, also in the trash: in all of them or none, and
	// all names at once. A tag whose name is "" is taken away. It returns the profiles that have changed.
	ReplaceTags(ctx context.Context, names map[string]string) ([]ID, error)
	Trash(ctx context.Context, ids ...ID) error
	Restore(ctx context.Context, id ID) (Profile, error)
	// RestoreMany restores several profiles: all of them or none. One that is not in the trash stays as it is.
	RestoreMany(ctx context.Context, ids ...ID) error
	// Delete deletes profiles permanently, in the trash or not.
	Delete(ctx context.Context, ids ...ID) error
	// Known reports whether a profile exists, in the trash or not.
	Known(ctx context.Context, id ID) (bool, error)
	// Temporary lists the temporary profiles.
	Temporary(ctx context.Context) ([]ID, error)
	// MakePermanent makes a temporary profile a permanent one.
	MakePermanent(ctx context.Context, id ID) error
	MarkOpened(ctx context.Context, id ID, at time.Time) error
}

// Query selects a page of profiles.
type Query struct {
	Search string   // looks in name, tags, notes and folder, and at the id
	Public bool     // search only names and tags: the caller may see no more
	Notes  string   // looks in the notes only
	Tags   []string // all of these
	// AnyTags and WithoutTags select profiles with one of these tags, and with none of these.
	AnyTags, WithoutTags []string
	// Name and WithoutName select profiles whose name holds a text, and whose name does not.
	Name, WithoutName string
	Folder            string
	Trashed           bool
	// IDs, Folders, Statuses and Proxies select profiles with one of these ids. An empty list selects all.
	IDs      []ID
	Folders  []FolderID
	Statuses []StatusID
	Proxies  []proxy.ID
	// ExactFirst puts profiles whose name is the search itself before the others.
	ExactFirst bool

	Sort    Sort
	Desc    bool
	Page    int // from 1
	PerPage int
}

// Sort is the column that a list is ordered by.
type Sort string

// The columns that a list can be ordered by.
const (
	ByID      Sort = "id"
	ByName    Sort = "name"
	ByFolder  Sort = "folder"
	ByCreated Sort = "created"
	ByUpdated Sort = "updated"
	ByOpened  Sort = "opened"
	ByStatus  Sort = "status"
	ByProxy   Sort = "proxy"
)

// Sorts are the columns that a list can be ordered by.
var Sorts = []Sort{ByID, ByName, ByFolder, ByCreated, ByUpdated, ByOpened, ByStatus, ByProxy}

// Limits of one list.
const (
	MaxPerPage = 10000
	maxPage    = 1 << 30
	maxSearch  = 200
)

// Check says what is wrong with a query.
func (q Query) Check() error {
	switch {
	case q.Page < 1 || q.Page > maxPage:
		return fault.Fieldf("page", "The page must be 1 or more.")
	case q.PerPage < 1 || q.PerPage > MaxPerPage:
		return fault.Fieldf("limit", "A page of a list can hold 1 to %d profiles.", MaxPerPage)
	case !slices.Contains(Sorts, q.Sort):
		return fault.Fieldf("sort", "Profiles cannot be sorted by %q.", wording.Shorten(string(q.Sort), 40)).
			WithHint("Sort by id, name, folder, status, proxy, created, updated or opened.")
	case utf8.RuneCountInString(q.Search) > maxSearch:
		return fault.Fieldf("query", "The search is too long: the maximum is %d characters.", maxSearch)
	case utf8.RuneCountInString(q.Notes) > maxSearch:
		return fault.Fieldf("noteQuery", "The search is too long: the maximum is %d characters.", maxSearch)
	case utf8.RuneCountInString(q.Name+q.WithoutName) > maxSearch:
		return fault.Fieldf("name", "The name is too long: the maximum is %d characters.", maxSearch)
	case len(q.Tags) > maxTags || len(q.AnyTags)+len(q.WithoutTags) > maxTags:
		return fault.Fieldf("tags", "You can search for at most %d tags.", maxTags)
	}
	return nil
}

// Page is one page of a list.
type Page struct {
	Profiles []Profile
	Total    int
}
