package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// Views returns the profile.Views of the database.
func (d *DB) Views() *Views { return &Views{d} }

// Views stores the views that the person has given a name.
type Views struct{ db *DB }

var _ profile.Views = (*Views)(nil)

const selectViews = `SELECT id, name, address, created_at FROM views `

func scanView(row interface{ Scan(...any) error }) (v profile.View, err error) {
	var created int64
	err = row.Scan(&v.ID, &v.Name, &v.Address, &created)
	v.Created = fromMillis(created)
	return v, err
}

func viewExists() error {
	return fault.New(fault.CodeExists, "There is a view with this name already.",
		"Choose another name, or delete that view.").WithField("name")
}

// Create stores a new view. Two views cannot have one name.
func (s *Views) Create(ctx context.Context, v profile.View) (profile.View, error) {
	v.Created = time.Now().UTC().Truncate(time.Millisecond)
	err := s.db.sql.QueryRowContext(ctx,
		`INSERT INTO views (name, address, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
		v.Name, v.Address, millis(v.Created)).Scan(&v.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return v, viewExists()
	}
	return v, diskFault(err)
}

// List returns every view by its name.
func (s *Views) List(ctx context.Context) (all []profile.View, err error) {
	rows, err := s.db.sql.QueryContext(ctx, selectViews+`ORDER BY name COLLATE NOCASE`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		v, err := scanView(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, diskFault(rows.Err())
}

// Update applies edit to the stored view and stores the result unless edit fails.
func (s *Views) Update(ctx context.Context, id profile.ViewID, edit func(*profile.View) error) (
	v profile.View, err error,
) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		v, err = scanView(tx.QueryRowContext(ctx, selectViews+`WHERE id = ?`, id))
		if errors.Is(err, sql.ErrNoRows) {
			return profile.NoView(id)
		}
		if err != nil {
			return err
		}
		if err := edit(&v); err != nil {
			return err
		}
		v.ID = id
		n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE OR IGNORE views SET name = ?, address = ? WHERE id = ?`,
			v.Name, v.Address, id))
		if err == nil && n == 0 {
			return viewExists()
		}
		return err
	})
	return v, err
}

// Delete deletes a view.
func (s *Views) Delete(ctx context.Context, id profile.ViewID) error {
	n, err := rowsAffected(s.db.sql.ExecContext(ctx, `DELETE FROM views WHERE id = ?`, id))
	if err == nil && n == 0 {
		return profile.NoView(id)
	}
	return diskFault(err)
}
