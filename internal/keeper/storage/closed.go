package storage

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"cove/internal/chromium"
	"cove/internal/fault"
	"cove/internal/keeper/undo"
	"cove/internal/keeperclient"
)

// writeClosed writes into a closed profile, whose hidden browser it closes. If the change fails or is killed before it
// is on the disk, this keeper or the next one takes it back.
func (s *Storage) writeClosed(ctx context.Context, change func() (databases []string, err error)) error {
	dataDir := s.config.Spec.Options.DataDir
	if err := undo.Arm(dataDir); err != nil {
		return fault.Disk(fmt.Errorf("prepare to undo: %w", err))
	}
	defer s.clearStages()
	databases, err := change()
	return s.closeAnd(ctx, err, func() error {
		if len(databases) == 0 {
			return nil
		}
		return s.merge(ctx, databases)
	})
}

// closeAnd closes the hidden browser and, once its data is on the disk, does the rest of a change. It takes back a
// change that fails.
func (s *Storage) closeAnd(ctx context.Context, err error, rest func() error) error {
	dataDir := s.config.Spec.Options.DataDir
	exitCode, open := s.config.Close(ctx)
	if open != nil {
		return cmp.Or(err, open) // Restore takes it back
	}
	if err == nil && exitCode != 0 {
		err = errNotSaved().Because(fmt.Errorf("the browser ended with code %d", exitCode))
	}
	if err == nil {
		err = rest()
	}
	if err != nil {
		return errors.Join(err, undo.PutBack(dataDir))
	}
	return undo.Commit(dataDir)
}

func errNotSaved() *fault.Error {
	return fault.New(fault.CodeTimeout, "The browser did not save the data.", "Nothing was imported. Try again.")
}

// Prepare makes the data folder ready for a launch. It restores what a hidden browser left behind when it was killed:
// the tabs of the last session, which were put aside, and half of an import. For a hidden browser it puts the tabs
// aside and prepares to undo what that browser will do.
func (s *Storage) Prepare() error {
	s.clearStages()
	dataDir := s.config.Spec.Options.DataDir
	if err := undo.PutBack(dataDir); err != nil {
		return keeperclient.LaunchFault("An import that was interrupted cannot be taken back", err)
	}
	sort := chromium.PutTabsBack
	if s.config.Hidden {
		sort = chromium.PutTabsAside
	}
	if err := sort(dataDir); err != nil {
		return keeperclient.LaunchFault("The tabs of the last session cannot be put aside", err)
	}
	if !s.config.Hidden {
		return nil
	}
	if err := undo.Prepare(dataDir); err != nil {
		return keeperclient.LaunchFault("The cookies cannot be copied", err)
	}
	return nil
}

// Restore restores the tabs after a hidden browser has gone, and takes back a change that it did not finish. If that
// fails, the next start tries again.
func (s *Storage) Restore() {
	err := errors.Join(chromium.PutTabsBack(s.config.Spec.Options.DataDir), undo.PutBack(s.config.Spec.Options.DataDir))
	if err != nil {
		s.config.Log.Warn("the data from before a hidden browser could not be restored yet", "err", err)
	}
}
