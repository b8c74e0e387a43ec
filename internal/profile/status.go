package profile

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/wording"
)

// StatusID is the number of a status. It is never given again.
type StatusID int32

// Status is a word of the person's own for the state of a profile, such as "ready" or "banned". A profile has at most
// one. The zero value means none.
type Status struct {
	ID      StatusID
	Name    string
	Color   string
	Created time.Time
}

// Colors are the colors that a status or a folder can have.
var Colors = []string{"red", "orange", "purple", "green", "blue"}

// Clean trims the texts of s, and says in one sentence what is wrong with it. A status without a color is blue.
func (s *Status) Clean() error {
	s.Name, s.Color = strings.TrimSpace(s.Name), strings.ToLower(strings.TrimSpace(s.Color))
	if s.Name == "" {
		return fault.Fieldf("name", "A status needs a name.")
	}
	if s.Color == "" {
		s.Color = "blue"
	}
	if !slices.Contains(Colors, s.Color) {
		return fault.Fieldf("color", "A status cannot have the color %q.", wording.Shorten(s.Color, 40)).
			WithHint("Use red, orange, purple, green or blue.")
	}
	return checkText("name", "status's name", s.Name, maxName)
}

// NoStatus is the error for an id that no status has.
func NoStatus(id StatusID) error {
	return fault.New(fault.CodeNotFound, "There is no status "+strconv.Itoa(int(id))+".",
		"GET /v1.0/browser_profiles/statuses lists the statuses.")
}

// Statuses stores statuses.
type Statuses interface {
	Create(ctx context.Context, s Status) (Status, error)
	Get(ctx context.Context, id StatusID) (Status, error)
	List(ctx context.Context) ([]Status, error)
	// Update applies edit to the stored status and stores the result unless edit fails. edit must not use the store.
	Update(ctx context.Context, id StatusID, edit func(*Status) error) (Status, error)
	// Delete deletes statuses, all of them or none. Their profiles stay, and have none.
	Delete(ctx context.Context, ids ...StatusID) error
	// Give gives profiles a status, all of them or none. Status 0 takes theirs away.
	Give(ctx context.Context, status StatusID, ids ...ID) error
}
