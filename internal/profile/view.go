package profile

import (
	"context"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
)

// ViewID is the number of a saved view. It is never given again.
type ViewID int32

// View is a view of the list of profiles that the person has given a name.
type View struct {
	ID   ViewID
	Name string
	// Address is what the window has behind the # of its address: which list, how it is searched, filtered and sorted.
	Address string
	Created time.Time
}

// Clean trims the texts of v, and says in one sentence what is wrong with v.
func (v *View) Clean() error {
	v.Name, v.Address = strings.TrimSpace(v.Name), strings.TrimSpace(v.Address)
	if v.Name == "" {
		return fault.Fieldf("name", "A view needs a name.")
	}
	if !strings.HasPrefix(v.Address, "/") {
		return fault.Fieldf("address", "A view needs an address that begins with a slash.").
			WithHint("Use what the window shows behind the #, such as /?tag=shop&sort=-opened.")
	}
	if err := checkText("name", "view's name", v.Name, maxName); err != nil {
		return err
	}
	return checkText("address", "view's address", v.Address, maxText)
}

// NoView is the error for an id that no view has.
func NoView(id ViewID) error {
	return fault.New(fault.CodeNotFound, "There is no view "+strconv.Itoa(int(id))+".",
		"GET /v1.0/views lists the views.")
}

// Views stores views.
type Views interface {
	Create(ctx context.Context, v View) (View, error)
	List(ctx context.Context) ([]View, error)
	// Update applies edit to the stored view and stores the result unless edit fails. edit must not use the store.
	Update(ctx context.Context, id ViewID, edit func(*View) error) (View, error)
	Delete(ctx context.Context, id ViewID) error
}
