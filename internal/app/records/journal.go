// Package records reads what is stored of each profile beside its data: the journal and the secrets.
package records

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/journal"
	"cove/internal/journal/replay"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/secret"
	"cove/internal/secret/redactor"
)

// Journals reads, exports and verifies the journals of the profiles.
type Journals struct {
	Home     paths.Home
	Settings Settings
	// Version is the program's.
	Version string
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

// Read returns a part of a profile's journal.
func (j Journals) Read(id profile.ID, q api.JournalQuery) (api.Journal, error) {
	l, err := j.location(id)
	if err != nil {
		return api.Journal{}, err
	}
	p, err := journal.Show(l, journal.Query(q))
	return api.Journal{Data: p.Rows, First: p.First, Last: p.Last, More: p.More}, err
}

// Sessions returns the sessions of a profile's journal.
func (j Journals) Sessions(id profile.ID) ([]api.JournalSession, error) {
	l, err := j.location(id)
	if err != nil {
		return nil, err
	}
	all, err := journal.Sessions(l)
	out := make([]api.JournalSession, len(all))
	for i, s := range all {
		out[i] = api.JournalSession{
			Session: s.Name, First: s.First, Last: s.Last, FirstSeq: s.FirstSeq, LastSeq: s.LastSeq,
			Agent: api.JournalAgent{
				Kind: string(s.Agent.Kind), Name: s.Agent.Name, Version: s.Agent.Version, PID: s.Agent.PID,
			},
			Steps: s.Steps, Acts: s.Acts, Reads: s.Reads, Failed: s.Failed, Refused: s.Refused, Answers: s.Answers,
		}
	}
	return out, err
}

// Export writes the journal of a profile as one HTML file that replays and verifies itself. A row with the value of a
// secret, which may have been recorded before the secret was set, is left out.
func (j Journals) Export(w io.Writer, p profile.Profile, session string, pictures bool) error {
	l, err := j.location(p.ID)
	if err != nil {
		return err
	}
	secrets, err := secret.OpenHome(j.Home.Profile(p.ID)).All()
	if errors.Is(err, &fault.Error{Code: fault.CodeKeyring}) {
		return err // any other secret that cannot be read, nobody could type since
	}
	filter := redactor.New(secrets)
	return replay.Write(w, l, replay.Options{
		Profile: int(p.ID), Name: filter.Text(p.Name), Version: j.Version, Made: time.Now(), Session: session,
		Pictures: pictures,
		Private:  func(row []byte) bool { return !bytes.Equal(filter.Bytes(row), row) },
	})
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
		OK: len(r.Problems) == 0, Entries: r.Entries, Pictures: r.Screenshots, Broken: r.Broken,
		Problems: r.Problems,
	}
	if !r.Since.IsZero() {
		out.Since = &r.Since
	}
	if out.Problems == nil {
		out.Problems = []string{}
	}
	return out, err
}
