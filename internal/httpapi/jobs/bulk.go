package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/job"
	"cove/internal/profile"
	"cove/internal/session"
)

// How much a job does at a time. A batch is one transaction: large ones are fast, small ones show progress and can be
// cancelled soon. Browsers start and stop side by side.
const (
	editBatch   = 250
	deleteBatch = 25
	atOnce      = 4
)

// Change answers PATCH /browser_profiles. It starts a job and does not wait for it.
func (h *Handlers) Change(c *call.Call) (any, error) {
	raw, err := c.JSON()
	if err != nil {
		return nil, err
	}
	ids, ch, err := read(raw)
	if err != nil {
		return nil, err
	}
	if err := call.First(c.RequireCredential, c.RequireLogin); err != nil {
		return nil, err
	}
	if err := h.References.Find(c.Context(), &ch.fields, c.Cloud()); err != nil {
		return nil, fault.In("change", err)
	}
	granted, err := h.mayChange(c, ids, ch)
	if err != nil {
		return nil, err
	}
	return api.JobData{Data: Show(h.Jobs.Start(h.work(ids, ch, granted)))}, nil
}

// read reads the profiles and the change of a request.
func read(raw json.RawMessage) (ids []profile.ID, ch change, err error) {
	var in struct {
		IDs    api.IDList      `json:"ids"`
		Change json.RawMessage `json:"change"`
	}
	if raw != nil {
		if err := input.DecodeJSON(raw, &in); err != nil {
			return nil, ch, err
		}
	}
	if ch, err = readChange(in.Change); err != nil {
		return nil, ch, fault.In("change", err)
	}
	ids = slices.Clone([]profile.ID(in.IDs))
	slices.Sort(ids)
	if ids = slices.Compact(ids); len(ids) == 0 || len(ids) > api.MaxBulk {
		return nil, ch, fault.Fieldf("ids", "You can change 1 to %d profiles at a time.", api.MaxBulk).
			WithHint(`Send {"ids":[1,2],"change":{"addTags":["shop"]}}.`)
	}
	return ids, ch, nil
}

// mayChange refuses a change that only the person can make in one of the profiles. granted reports whether the person
// made it.
func (h *Handlers) mayChange(c *call.Call, ids []profile.ID, ch change) (granted bool, err error) {
	if ch.fields.Proxy == nil {
		return false, nil
	}
	query := profile.Query{IDs: ids, Sort: profile.ByID}
	err = profile.Each(c.Context(), h.Profiles, query, func(p profile.Profile) error {
		after, ok := ch.result(p)
		if granted || !ok {
			return nil
		}
		granted, err = permit.Edit(c, h.Browsers, p, after)
		return err
	})
	return granted, err
}

// work is what the job of a change does.
func (h *Handlers) work(ids []profile.ID, ch change, granted bool) job.Work {
	w := job.Work{Kind: ch.kind, IDs: ids, Batch: editBatch}
	switch ch.action {
	case "":
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.edit(ctx, ids, ch, granted) }
	case "trash":
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.Profiles.Trash(ctx, ids...) }
	case "restore":
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.Profiles.RestoreMany(ctx, ids...) }
	case "delete":
		w.Batch = deleteBatch
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.Profiles.Delete(ctx, ids...) }
	case "start":
		w.Batch, w.AtOnce = 1, atOnce
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.start(ctx, ids[0], ch) }
	case "stop":
		w.Batch, w.AtOnce = 1, atOnce
		w.Do = func(ctx context.Context, ids []profile.ID) error { return h.Sessions.Stop(ctx, ids[0]) }
	}
	return w
}

// edit changes the fields of profiles.
func (h *Handlers) edit(ctx context.Context, ids []profile.ID, ch change, granted bool) error {
	return h.Profiles.UpdateMany(ctx, ids, func(p *profile.Profile) error {
		before := *p
		if err := ch.apply(p); err != nil {
			return err
		}
		if !granted && permit.NeedsPerson(before, *p, true) != "" {
			return permit.ErrChanged()
		}
		return nil
	})
}

// start opens a profile. One that is open in this mode already is as it should be.
func (h *Handlers) start(ctx context.Context, id profile.ID, ch change) error {
	o := session.Options{Mode: session.Ordinary, Headless: ch.headless}
	if ch.automation {
		o.Mode = session.Automation
	}
	status, err := h.Sessions.Start(ctx, id, o)
	var f *fault.Error
	if errors.As(err, &f) && f.Code == fault.CodeBrowserRunDuplicate && status.Mode == o.Mode {
		return nil
	}
	return err
}
