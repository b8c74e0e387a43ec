// Package suspend stores whether the person has suspended every agent.
package suspend

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"cove/internal/paths"
)

// Settings stores values by name; *sqlite.DB does.
type Settings interface {
	Setting(ctx context.Context, key string) (string, error)
	SetSetting(ctx context.Context, key, value string) error
}

// State says whether the person has suspended every agent. It is stored twice: as a file, which keepers and the
// command line read and write without the app, and as a setting, so that removing the file does not undo it.
type State struct {
	home   paths.Home
	db     Settings
	stored atomic.Bool // the setting
}

// Setting is the name of the setting. No person sets it by that name.
const Setting = "panic"

// Open reads the file and the setting, and makes them agree.
func Open(ctx context.Context, home paths.Home, db Settings) (*State, error) {
	s := &State{home: home, db: db}
	setting, err := db.Setting(ctx, Setting)
	if err != nil {
		return nil, err
	}
	if s.stored.Store(setting != ""); s.On() {
		return s, s.Set(ctx, true)
	}
	return s, nil
}

// On reports whether every agent is suspended.
func (s *State) On() bool {
	if s.stored.Load() {
		return true
	}
	_, err := os.Stat(s.home.Panic())
	return err == nil
}

// Set stores the state. The caller notifies the keepers afterwards.
func (s *State) Set(ctx context.Context, on bool) error {
	if !on {
		if err := s.db.SetSetting(ctx, Setting, ""); err != nil {
			return err
		}
		s.stored.Store(false)
		if err := os.Remove(s.home.Panic()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	s.stored.Store(true)
	if err := Write(s.home); err != nil {
		return err
	}
	return s.db.SetSetting(ctx, Setting, "on")
}

// Write makes every keeper that starts from now on suspend its agents. It needs no app.
func Write(home paths.Home) error {
	const text = "All agents are blocked. Allow them again with: cove panic --undo\n"
	return paths.WriteFile(home.Panic(), []byte(text))
}
