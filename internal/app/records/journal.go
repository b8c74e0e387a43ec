// Package records reads what is stored of each profile beside its data: the journal and the secrets.
package records

import (
	"context"
	"encoding/json"
	"strconv"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/paths"
	"cove/internal/profile"
)

// Journals reads and verifies the journals of the profiles.
type Journals struct {
	Home     paths.Home
	Settings Settings
}

// Settings reads values by name; *sqlite.DB does.
type Settings interface {
	Setting(ctx context.Context, key string) (string, error)
}

// location returns where a profile's journal is, and its key.
func (j Journals) location(id profile.ID) (journal.Location, error) {
	key, err := journal.ReadKey(j.Home.JournalKey())
	if err != nil {
		return journal.Location{}, fault.New(fault.CodeJournalKey,
			"The journal key cannot be read: "+err.Error()+".",
			"Restore "+j.Home.JournalKey()+" from a backup. If you delete it instead, "+
				"existing journals can no longer be verified.").Because(err)
	}
	return journal.Location{Dir: j.Home.Profile(id), Key: key.Of(id)}, nil
}

// Open returns what a keeper needs to continue a journal.
func (j Journals) Open(ctx context.Context, id profile.ID) (l journal.Location, b journal.Bounds, err error) {
	for key, field := range map[string]*int{"journal_days": &b.Days, "journal_mb": &b.MB} {
		value, err := j.Settings.Setting(ctx, key)
		if err != nil {
			return l, b, err
		}
		*field, _ = strconv.Atoi(value)
	}
	l, err = j.location(id)
	return l, b, err
}

// Read returns entries as they were written, byte for byte.
func (j Journals) Read(id profile.ID, q api.JournalQuery) ([]json.RawMessage, error) {
	l, err := j.location(id)
	if err != nil {
		return nil, err
	}
	return journal.Read(l, journal.Query(q))
}

// Image returns a screenshot that an entry names.
func (j Journals) Image(id profile.ID, name string) ([]byte, error) {
	l, err := j.location(id)
	if err != nil {
		return nil, err
	}
	return journal.Screenshot(l, name)
}

// Verify checks the journal of a profile.
func (j Journals) Verify(id profile.ID) (api.JournalReport, error) {
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
