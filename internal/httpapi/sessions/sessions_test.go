package sessions

import (
	"testing"

	"cove/api"
	"cove/internal/session"
)

// TestTheAnswerOfASharingNamesItsProfile: whoever shares a browser does not name the profile, and goes on with it.
func TestTheAnswerOfASharingNamesItsProfile(t *testing.T) {
	got, _ := (&Handlers{}).Started(nil, session.Status{ID: 7, State: session.Open}).(api.Started)
	if got.ProfileID != 7 || !got.Success || got.Ignored == nil {
		t.Errorf("%+v", got)
	}
}
