package runner

import (
	"context"
	"strings"
	"testing"

	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/session"
)

// A profile that was made when more was allowed is not opened with it, and says how to get rid of it.
func TestAStoredArgumentThatIsNotAllowedAnyMoreIsToldAtTheStart(t *testing.T) {
	r := &Runner{
		Home:     paths.Home(t.TempDir()),
		Settings: func(context.Context) (string, []string, error) { return "", nil, nil },
	}
	old := profile.Profile{ID: 7, Name: "old", Args: []string{"--mute-audio", "--zygote-cmd-prefix=/bin/x"}}
	_, err := r.Start(t.Context(), old, session.Options{})
	f := fault.From(err)
	if f.Kind != fault.Invalid || !strings.Contains(f.Text, "--zygote-cmd-prefix") ||
		!strings.Contains(f.Hint, "cove profile edit 7 --arg=") {
		t.Errorf("got %v, hint %q", err, f.Hint)
	}
}

// Arguments of one start take the place of the profile's, and follow the same rules.
func TestAnArgumentOfAStartThatIsNotAllowedIsRefused(t *testing.T) {
	r := &Runner{
		Home:     paths.Home(t.TempDir()),
		Settings: func(context.Context) (string, []string, error) { return "", nil, nil },
	}
	p := profile.Profile{ID: 7, Name: "one", Args: []string{"--mute-audio"}}
	launch := &session.Launch{Args: []string{"--proxy-server=evil.example:1"}}
	_, err := r.Start(t.Context(), p, session.Options{Launch: launch})
	if f := fault.From(err); f.Kind != fault.Invalid || !strings.Contains(f.Text, "--proxy-server") {
		t.Errorf("got %v", err)
	}
}
