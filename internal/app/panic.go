package app

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"cove/internal/paths"
	"cove/internal/sqlite"
)

// panicState says whether the person has cut every agent off. It is kept twice: as a file, which keepers and the command line read and
// write without the app, and as a setting, so that removing the file is no way to undo it.
type panicState struct {
	home paths.Home
	db   *sqlite.DB
	kept atomic.Bool
}

const panicSetting = "panic"

// openPanic reads both, and makes them agree.
func openPanic(ctx context.Context, home paths.Home, db *sqlite.DB) (*panicState, error) {
	p := &panicState{home: home, db: db}
	kept, err := db.Setting(ctx, panicSetting)
	if err != nil {
		return nil, err
	}
	if p.kept.Store(kept != ""); p.on() {
		return p, p.set(ctx, true)
	}
	return p, nil
}

func (p *panicState) on() bool {
	if p.kept.Load() {
		return true
	}
	_, err := os.Stat(p.home.Panic())
	return err == nil
}

// set keeps the state; whoever calls it tells the keepers afterwards.
func (p *panicState) set(ctx context.Context, on bool) error {
	if !on {
		if err := p.db.SetSetting(ctx, panicSetting, ""); err != nil {
			return err
		}
		p.kept.Store(false)
		if err := os.Remove(p.home.Panic()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	p.kept.Store(true)
	if err := WritePanic(p.home); err != nil {
		return err
	}
	return p.db.SetSetting(ctx, panicSetting, "on")
}

// WritePanic makes every keeper that starts from now on keep agents out; it needs no app.
func WritePanic(home paths.Home) error {
	return paths.WriteFile(home.Panic(), []byte("Every agent is kept out of every profile. Undo it with: cove panic --undo\n"))
}
