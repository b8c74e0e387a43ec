package app

import (
	"context"
	"errors"
	"os"
	"sync/atomic"

	"cove/internal/paths"
	"cove/internal/sqlite"
)

// panicState says whether the person has suspended every agent. It is stored twice: as a file, which keepers and the
// command line read and write without the app, and as a setting, so that removing the file does not undo it.
type panicState struct {
	home   paths.Home
	db     *sqlite.DB
	stored atomic.Bool // the setting
}

const panicSetting = "panic"

// openPanic reads the file and the setting, and makes them agree.
func openPanic(ctx context.Context, home paths.Home, db *sqlite.DB) (*panicState, error) {
	p := &panicState{home: home, db: db}
	setting, err := db.Setting(ctx, panicSetting)
	if err != nil {
		return nil, err
	}
	if p.stored.Store(setting != ""); p.on() {
		return p, p.set(ctx, true)
	}
	return p, nil
}

func (p *panicState) on() bool {
	if p.stored.Load() {
		return true
	}
	_, err := os.Stat(p.home.Panic())
	return err == nil
}

// set stores the state. The caller notifies the keepers afterwards.
func (p *panicState) set(ctx context.Context, on bool) error {
	if !on {
		if err := p.db.SetSetting(ctx, panicSetting, ""); err != nil {
			return err
		}
		p.stored.Store(false)
		if err := os.Remove(p.home.Panic()); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	}
	p.stored.Store(true)
	if err := WritePanic(p.home); err != nil {
		return err
	}
	return p.db.SetSetting(ctx, panicSetting, "on")
}

// WritePanic makes every keeper that starts from now on suspend its agents. It needs no app.
func WritePanic(home paths.Home) error {
	const text = "Every agent is kept out of every profile. Undo it with: cove panic --undo\n"
	return paths.WriteFile(home.Panic(), []byte(text))
}
