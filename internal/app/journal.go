package app

import (
	"context"
	"encoding/json"
	"strconv"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/sqlite"
)

// journals reads and verifies the journals of the profiles.
type journals struct {
	home paths.Home
	db   *sqlite.DB
}

func (a *app) journals() journals { return journals{a.config.Home, a.db} }

// location returns where a profile's journal is, and its key.
func (j journals) location(id profile.ID) (journal.Location, error) {
	key, err := journal.ReadKey(j.home.JournalKey())
	if err != nil {
		return journal.Location{}, fault.New(fault.CodeJournalKey,
			"The key of the journals cannot be read: "+err.Error()+".",
			"Put "+j.home.JournalKey()+" back from a backup, or remove it:"+
				" then the journals written so far do not verify any more.").Because(err)
	}
	return journal.Location{Dir: j.home.Profile(id), Key: key.Of(id)}, nil
}

// open returns what a keeper needs to continue a journal.
func (j journals) open(ctx context.Context, id profile.ID) (l journal.Location, b journal.Bounds, err error) {
	for key, field := range map[string]*int{"journal_days": &b.Days, "journal_mb": &b.MB} {
		value, err := j.db.Setting(ctx, key)
		if err != nil {
			return l, b, err
		}
		*field, _ = strconv.Atoi(value)
	}
	l, err = j.location(id)
	return l, b, err
}

// Read returns entries as they were written, byte for byte.
func (j journals) Read(id profile.ID, q api.JournalQuery) ([]json.RawMessage, error) {
	l, err := j.location(id)
	if err != nil {
		return nil, err
	}
	return journal.Read(l, journal.Query(q))
}

// Image returns a screenshot that an entry names.
func (j journals) Image(id profile.ID, name string) ([]byte, error) {
	l, err := j.location(id)
	if err != nil {
		return nil, err
	}
	return journal.Screenshot(l, name)
}

// Verify checks the journal of a profile.
func (j journals) Verify(id profile.ID) (api.JournalReport, error) {
	l, err := j.location(id)
	if err != nil {
		return api.JournalReport{}, err
	}
	r, err := journal.Verify(l)
	out := api.JournalReport{
		OK: len(r.Problems) == 0, Entries: r.Entries, Pictures: r.Screenshots, Problems: r.Problems,
	}
	if !r.Since.IsZero() {
		out.Since = &r.Since
	}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	return out, err
}
