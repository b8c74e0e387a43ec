package agents

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/profile"
)

// Journals reads what agents did in the profiles.
type Journals interface {
	// Read returns entries as they were written, byte for byte, so that others can verify them.
	Read(id profile.ID, q api.JournalQuery) ([]json.RawMessage, error)
	Image(id profile.ID, name string) ([]byte, error)
	Verify(id profile.ID) (api.JournalReport, error)
}

// mayReadJournal requires the owner: journals hold what agents did.
func (h *Handlers) mayReadJournal(c *call.Call) error {
	return call.First(c.RequireOwner, c.RequireLogin, func() error {
		_, err := h.Profiles.Get(c.Context(), c.ID)
		return err
	})
}

// Journal answers GET /browser_profiles/{id}/journal.
func (h *Handlers) Journal(c *call.Call) (any, error) {
	q, err := journalQuery(c)
	if err != nil {
		return nil, err
	}
	if err := h.mayReadJournal(c); err != nil {
		return nil, err
	}
	found, err := h.Journals.Read(c.ID, q)
	return api.Journal{Data: found}, err
}

// journalQuery reads which entries of a journal are asked for.
func journalQuery(c *call.Call) (q api.JournalQuery, err error) {
	if err := c.CheckQuery(); err != nil {
		return q, err
	}
	for name, field := range map[string]*int64{"after": &q.After, "before": &q.Before} {
		n, err := c.Number(name, 0)
		if err != nil {
			return q, err
		}
		if *field = int64(n); n < 0 {
			return q, fault.Fieldf(name, "%q must be the number of an entry.", name)
		}
	}
	if q.Limit, err = c.Number("limit", 100); err != nil {
		return q, err
	}
	if q.Limit < 1 || q.Limit > api.MaxJournal {
		return q, fault.Fieldf("limit", "You can read 1 to %d entries at a time.", api.MaxJournal)
	}
	if q.Newest, err = c.Flag("newest"); err != nil {
		return q, err
	}
	query := c.URL.Query()
	if text := query.Get("since"); text != "" {
		if q.Since, err = time.Parse(time.RFC3339, text); err != nil {
			return q, fault.Fieldf("since", "\"since\" must be a time.").
				WithHint("Use a format such as 2026-03-05T08:00:00Z.")
		}
	}
	q.Agent, q.Outcome = query.Get("agent"), query.Get("outcome")
	if q.Outcome != "" && !slices.Contains(api.Outcomes, q.Outcome) {
		return q, fault.Fieldf("outcome", "%q is not an outcome.", q.Outcome).
			WithHint("The outcomes are " + strings.Join(api.Outcomes, ", ") + ".")
	}
	return q, nil
}

// VerifyJournal answers GET /browser_profiles/{id}/journal/verify.
func (h *Handlers) VerifyJournal(c *call.Call) (any, error) {
	if err := h.mayReadJournal(c); err != nil {
		return nil, err
	}
	c.AllowTime()
	return h.Journals.Verify(c.ID)
}

// JournalImage answers GET /browser_profiles/{id}/journal/pictures/{name}.
func (h *Handlers) JournalImage(c *call.Call) (any, error) {
	if err := h.mayReadJournal(c); err != nil {
		return nil, err
	}
	raw, err := h.Journals.Image(c.ID, c.Name)
	if err != nil {
		return nil, err
	}
	return call.Page{Kind: "image/jpeg", Body: raw}, nil
}
