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
	"cove/internal/wording"
)

// ID is the number of a profile.
type ID = id.ID

// ParseID reads the digits of an ID and accepts nothing else.
func ParseID(s string) (ID, error) { return id.Parse(s) }

// Profile is one identity and how its browser is opened.
type Profile struct {
	ID         ID
	Name       string
	Folder     string
	Notes      string
	Tags       []string
	StartPages []string
	Window     Size
	Locale     string
	Timezone   string
	Proxy      Proxy
	Args       []string
	// Policy says what agents may do in the profile.
	Policy policy.Policy
	// Browser is the executable that the profile opens with. Empty means the one that Cove finds.
	Browser string
	// Temporary profiles are deleted permanently when they close.
	Temporary bool

	Created time.Time
	Updated time.Time
	// Opened and Trashed are zero until that happens.
	Opened  time.Time
	Trashed time.Time
}

// Size is the size of a window. Zero leaves it to the browser.
type Size struct{ Width, Height int }

// Proxy is the upstream proxy of a profile's traffic. The zero value means none.
type Proxy struct {
	Type     string `json:"type"` // http, https or socks5
	Host     string `json:"host"`
	Port     int    `json:"port"`
	Login    string `json:"login,omitempty"`
	Password string `json:"password,omitempty"`
}

// Set reports whether there is a proxy.
func (p Proxy) Set() bool { return p.Type != "" }

// Address returns the proxy's address without its credentials.
func (p Proxy) Address() string {
	if !p.Set() {
		return ""
	}
	return p.Type + "://" + p.hostPort()
}

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
	Trash(ctx context.Context, ids ...ID) error
	Restore(ctx context.Context, id ID) (Profile, error)
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
	Search  string // looks in name, tags, notes and folder, and at the id
	Public  bool   // search only names and tags: the caller may see no more
	Tags    []string
	Folder  string
	Trashed bool
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
)

// Sorts are the columns that a list can be ordered by.
var Sorts = []Sort{ByID, ByName, ByFolder, ByCreated, ByUpdated, ByOpened}

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
			WithHint("Sort by id, name, folder, created, updated or opened.")
	case utf8.RuneCountInString(q.Search) > maxSearch:
		return fault.Fieldf("query", "The search is too long: the maximum is %d characters.", maxSearch)
	case len(q.Tags) > maxTags:
		return fault.Fieldf("tags", "You can search for at most %d tags.", maxTags)
	}
	return nil
}

// Page is one page of a list.
type Page struct {
	Profiles []Profile
	Total    int
}
