package agents

import (
	"io"
	"net/http"
	"net/url"
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
	// Read returns entries that begin as they were written, byte for byte, so that others can verify them.
	Read(id profile.ID, q api.JournalQuery) (api.Journal, error)
	Sessions(id profile.ID) ([]api.JournalSession, error)
	// Export writes one HTML file. It fails before it has written anything, or the file is cut off.
	Export(w io.Writer, p profile.Profile, session string, pictures bool) error
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
	return h.Journals.Read(c.ID, q)
}

// JournalSessions answers GET /browser_profiles/{id}/journal/sessions.
func (h *Handlers) JournalSessions(c *call.Call) (any, error) {
	if err := h.mayReadJournal(c); err != nil {
		return nil, err
	}
	c.AllowTime()
	found, err := h.Journals.Sessions(c.ID)
	return api.JournalSessions{Data: found}, err
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
	for name, field := range map[string]*time.Time{"since": &q.Since, "until": &q.Until} {
		text := query.Get(name)
		if text == "" {
			continue
		}
		if *field, err = time.Parse(time.RFC3339, text); err != nil {
			return q, fault.Fieldf(name, "%q must be a time.", name).
				WithHint("Use a format such as 2026-03-05T08:00:00Z.")
		}
	}
	return q, readFilters(&q, query)
}

// readFilters reads which of the entries are wanted, and in which order. Whoever uses a newer filter wants steps, and
// no entries that only have the screenshot of one.
func readFilters(q *api.JournalQuery, query url.Values) error {
	q.Agent, q.Session, q.Text = query.Get("agent"), query.Get("session"), query.Get("q")
	for _, one := range []struct {
		name, are string
		field     *string
		values    []string
	}{
		{"outcome", "outcomes", &q.Outcome, api.Outcomes},
		{"kind", "kinds", &q.Kind, api.JournalKinds},
	} {
		if *one.field = query.Get(one.name); *one.field != "" && !slices.Contains(one.values, *one.field) {
			return fault.Fieldf(one.name, "%q is not a valid value of %q.", *one.field, one.name).
				WithHint("The " + one.are + " are " + strings.Join(one.values, ", ") + ".")
		}
	}
	order := query.Get("order")
	switch order {
	case "", "asc":
	case "desc":
		q.Newest = true
	default:
		return fault.Fieldf("order", "%q is not an order.", order).WithHint("Use asc or desc.")
	}
	q.Steps = order != "" || q.Session != "" || q.Kind != "" || q.Text != ""
	return nil
}

// ExportJournal answers GET /browser_profiles/{id}/journal/export with a file.
func (h *Handlers) ExportJournal(c *call.Call) (any, error) {
	if err := c.CheckQuery(); err != nil {
		return nil, err
	}
	pictures := true
	if c.URL.Query().Has("pictures") {
		var err error
		if pictures, err = c.Flag("pictures"); err != nil {
			return nil, err
		}
	}
	if err := h.mayReadJournal(c); err != nil {
		return nil, err
	}
	p, err := h.Profiles.Get(c.Context(), c.ID)
	if err != nil {
		return nil, err
	}

	c.AllowTime()
	file := &fileAnswer{w: c.W, name: "cove-journal-" + c.ID.String() + ".html"}
	if err := h.Journals.Export(file, p, c.URL.Query().Get("session"), pictures); err != nil && !file.begun {
		return nil, err
	}
	return call.Streamed{}, nil
}

// fileAnswer is an answer that a browser saves as a file and never shows: its words are of many pages.
type fileAnswer struct {
	w     http.ResponseWriter
	name  string
	begun bool
}

func (f *fileAnswer) Write(p []byte) (int, error) {
	if !f.begun {
		f.begun = true
		f.w.Header().Set("Content-Type", "text/html; charset=utf-8")
		f.w.Header().Set("Content-Disposition", `attachment; filename="`+f.name+`"`)
		f.w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'")
	}
	return f.w.Write(p)
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
