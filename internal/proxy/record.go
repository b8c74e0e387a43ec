package proxy

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
)

// ID is the number of a stored proxy. It is never given again.
type ID int32

// Record is a stored proxy. Profiles refer to it by its id.
type Record struct {
	ID ID
	// Name is what the person calls the proxy. It may be empty.
	Name string
	Proxy
	// ChangeIPURL is the link that gives the proxy another exit address. It may be empty.
	ChangeIPURL string
	// Saved records stay until they are deleted. The others came with a profile, and go with the last one.
	Saved bool
	// LastCheck is zero until the proxy is checked.
	LastCheck Check
	// Profiles is how many profiles refer to the record, the trash included.
	Profiles int
	// Bound says that one of them has rules. Get and Update know it, a list does not.
	Bound bool

	Created time.Time
	Updated time.Time
}

// Check is the result of one check of a proxy.
type Check struct {
	At time.Time `json:"at"`
	OK bool      `json:"ok"`
	// Latency is how long the proxy took to answer, in milliseconds.
	Latency int `json:"latency"`
	// IP and the place are known only from the address that the person has set in proxy.check.
	IP       string `json:"ip,omitempty"`
	Country  string `json:"country,omitempty"`
	Region   string `json:"region,omitempty"`
	City     string `json:"city,omitempty"`
	Timezone string `json:"timezone,omitempty"`
	// Error is one sentence that says what failed.
	Error string `json:"error,omitempty"`
}

// Query selects a page of stored proxies.
type Query struct {
	Search  string // looks in name, host and login, and at the id
	IDs     []ID   // only these; none means all
	Page    int    // from 1
	PerPage int
	ByName  bool // and not by id
	Desc    bool
	// ExactFirst puts proxies before all others whose name is the search.
	ExactFirst bool
}

// Page is one page of a list.
type Page struct {
	Proxies []Record
	Total   int
}

// Store stores proxies.
type Store interface {
	// Create stores new proxies: all of them or none.
	Create(ctx context.Context, rs ...Record) ([]Record, error)
	Get(ctx context.Context, id ID) (Record, error)
	List(ctx context.Context, q Query) (Page, error)
	// Update applies edit to the stored proxy and stores the result unless edit fails. edit must not use the store.
	Update(ctx context.Context, id ID, edit func(*Record) error) (Record, error)
	// Import stores proxies that stay without profiles: all of them or none. One that equals a stored proxy is not
	// stored again: it takes the link that comes with it, unless it is Bound. Import returns the stored proxies in the
	// order of rs, and how many of them are new.
	Import(ctx context.Context, rs ...Record) (stored []Record, created int, err error)
	// Delete deletes proxies, all of them or none. It refuses one that a profile uses, in the trash or not.
	Delete(ctx context.Context, ids ...ID) error
	// SetCheck stores the result of a check of p. It does nothing if the stored proxy is another one by now, or gone.
	SetCheck(ctx context.Context, id ID, p Proxy, c Check) error
}

// maxName limits the name of a proxy.
const maxName = 200

// Clean trims the texts of r, and says in one sentence what is wrong with it.
func (r *Record) Clean() error {
	r.Name, r.ChangeIPURL = strings.TrimSpace(r.Name), strings.TrimSpace(r.ChangeIPURL)
	if err := r.Proxy.Clean(); err != nil {
		return err
	}
	if !r.Set() {
		return fault.Unprocessablef("host", "The proxy needs a type, a host and a port.")
	}
	if utf8.RuneCountInString(r.Name) > maxName {
		return fault.Fieldf("name", "The name is longer than %d characters.", maxName)
	}
	if err := checkText("name", r.Name); err != nil {
		return err
	}
	if r.ChangeIPURL == "" {
		return nil
	}
	return checkLink(r.ChangeIPURL)
}

// NotFound is the error for an id that no stored proxy has.
func NotFound(id ID) error {
	return fault.New(fault.CodeNotFound, fmt.Sprintf("There is no proxy %d.", id),
		"`cove proxy list` shows the proxies.")
}
