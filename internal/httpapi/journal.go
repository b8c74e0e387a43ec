package httpapi

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Journals is what agents did in the profiles.
type Journals interface {
	// Read answers entries as they were written, byte for byte, so that others can check them.
	Read(id profile.ID, q api.JournalQuery) ([]json.RawMessage, error)
	Picture(id profile.ID, name string) ([]byte, error)
	Verify(id profile.ID) (api.JournalReport, error)
}

// mayReadJournal: what agents did is the owner's to read.
func (c *call) mayReadJournal() error {
	return first(c.requireOwner, c.mustLogIn, func() error {
		_, err := c.server.Profiles.Get(c.Context(), c.id)
		return err
	})
}

func (s *Server) journal(c *call) (any, error) {
	q, err := c.journalQuery()
	if err != nil {
		return nil, err
	}
	if err := c.mayReadJournal(); err != nil {
		return nil, err
	}
	found, err := s.Journals.Read(c.id, q)
	return api.Journal{Data: found}, err
}

func (c *call) journalQuery() (q api.JournalQuery, err error) {
	if err := c.query(); err != nil {
		return q, err
	}
	for name, field := range map[string]*int64{"after": &q.After, "before": &q.Before} {
		n, err := c.number(name, 0)
		if err != nil {
			return q, err
		}
		if *field = int64(n); n < 0 {
			return q, fault.Invalidf("The value of %q is not the number of an entry.", name)
		}
	}
	if q.Limit, err = c.number("limit", 100); err != nil {
		return q, err
	}
	if q.Limit < 1 || q.Limit > api.MaxJournal {
		return q, fault.Invalidf("Between 1 and %d entries can be read at a time.", api.MaxJournal)
	}
	if q.Newest, err = c.flag("newest"); err != nil {
		return q, err
	}
	query := c.URL.Query()
	if text := query.Get("since"); text != "" {
		if q.Since, err = time.Parse(time.RFC3339, text); err != nil {
			return q, fault.Invalidf("The value of \"since\" is not a time.").WithHint("Write it as 2026-03-05T08:00:00Z.")
		}
	}
	q.Agent, q.Outcome = query.Get("agent"), query.Get("outcome")
	if q.Outcome != "" && !slices.Contains(api.Outcomes, q.Outcome) {
		return q, fault.Invalidf("%q is not an outcome of a step.", q.Outcome).WithHint("The outcomes are " + strings.Join(api.Outcomes, ", ") + ".")
	}
	return q, nil
}

func (s *Server) verifyJournal(c *call) (any, error) {
	if err := c.mayReadJournal(); err != nil {
		return nil, err
	}
	c.patient()
	return s.Journals.Verify(c.id)
}

func (s *Server) journalPicture(c *call) (any, error) {
	if err := c.mayReadJournal(); err != nil {
		return nil, err
	}
	raw, err := s.Journals.Picture(c.id, c.name)
	if err != nil {
		return nil, err
	}
	return page{"image/jpeg", raw}, nil
}
