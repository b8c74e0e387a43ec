package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"cove/internal/profile"
)

var _ profile.Batches = (*Profiles)(nil)

// errDry ends the transaction of a batch that is only tried.
var errDry = errors.New("dry run")

// CreateBatch stores profiles with what they refer to: all of it or nothing. With dry it stores nothing, and returns
// what it would make.
func (s *Profiles) CreateBatch(ctx context.Context, b profile.Batch, dry bool) (made profile.Made, err error) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		before, err := countLabels(ctx, tx)
		if err != nil {
			return err
		}
		for _, r := range b.Proxies {
			kept, _, err := saveProxy(ctx, tx, r, false)
			if err != nil {
				return err
			}
			if r.ChangeIPURL != "" && r.ChangeIPURL != kept.ChangeIPURL {
				made.UnchangedLinks++
			}
		}
		ps, err := labelled(ctx, tx, b.Profiles)
		if err != nil {
			return err
		}
		if made.Profiles, err = createProfiles(ctx, tx, ps); err != nil {
			return err
		}

		after, err := countLabels(ctx, tx)
		if err != nil {
			return err
		}
		made.Proxies, made.Folders, made.Statuses = after[0]-before[0], after[1]-before[1], after[2]-before[2]
		if dry {
			return errDry
		}
		return nil
	})
	if errors.Is(err, errDry) {
		err = nil
	}
	if err != nil {
		return profile.Made{}, err
	}
	return made, nil
}

// labelled returns profiles with the statuses of their names, which it makes if they are not there. Folders are found
// by their names anyway.
func labelled(ctx context.Context, tx *sql.Tx, in []profile.Profile) (ps []profile.Profile, err error) {
	statuses := map[string]profile.Status{}
	ps = slices.Clone(in)
	for i := range ps {
		p := &ps[i]
		if p.Status.ID != 0 || p.Status.Name == "" {
			continue
		}
		if found, known := statuses[p.Status.Name]; known {
			p.Status = found
			continue
		}
		if p.Status, err = statusNamed(ctx, tx, p.Status); err != nil {
			return nil, err
		}
		statuses[in[i].Status.Name] = p.Status
	}
	return ps, nil
}

// countLabels counts the proxies, the folders and the statuses.
func countLabels(ctx context.Context, tx *sql.Tx) (n [3]int, err error) {
	err = tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM proxies), (SELECT count(*) FROM folders), `+
		`(SELECT count(*) FROM statuses)`).Scan(&n[0], &n[1], &n[2])
	return n, err
}

// statusNamed returns the status of a name in any case, and makes it if it is not there.
func statusNamed(ctx context.Context, tx *sql.Tx, s profile.Status) (profile.Status, error) {
	found, err := scanStatus(tx.QueryRowContext(ctx,
		`SELECT `+statusColumns+` FROM statuses WHERE name = ? COLLATE NOCASE ORDER BY id LIMIT 1`, s.Name))
	if !errors.Is(err, sql.ErrNoRows) {
		return found, err
	}
	return createStatus(ctx, tx, s)
}
