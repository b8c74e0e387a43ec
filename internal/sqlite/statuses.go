package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// Statuses returns the profile.Statuses of the database.
func (d *DB) Statuses() *Statuses { return &Statuses{d} }

// Statuses stores the statuses that profiles can have.
type Statuses struct{ db *DB }

var _ profile.Statuses = (*Statuses)(nil)

const statusColumns = `id, name, color, created_at`

func scanStatus(row interface{ Scan(...any) error }) (s profile.Status, err error) {
	var created int64
	err = row.Scan(&s.ID, &s.Name, &s.Color, &created)
	s.Created = fromMillis(created)
	return s, err
}

// Create stores a new status. Two statuses cannot have one name.
func (s *Statuses) Create(ctx context.Context, one profile.Status) (profile.Status, error) {
	one, err := createStatus(ctx, s.db.sql, one)
	return one, diskFault(err)
}

func createStatus(ctx context.Context, q querier, one profile.Status) (profile.Status, error) {
	one.Created = time.Now().UTC().Truncate(time.Millisecond)
	err := q.QueryRowContext(ctx,
		`INSERT INTO statuses (name, color, created_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING id`,
		one.Name, one.Color, millis(one.Created)).Scan(&one.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return one, statusExists()
	}
	return one, err
}

func statusExists() error {
	return fault.New(fault.CodeExists, "There is a status with this name already.",
		"Choose another name, or use that status.").WithField("name")
}

// Get returns a status.
func (s *Statuses) Get(ctx context.Context, id profile.StatusID) (profile.Status, error) {
	return getStatus(ctx, s.db.sql, id)
}

func getStatus(ctx context.Context, q querier, id profile.StatusID) (profile.Status, error) {
	one, err := scanStatus(q.QueryRowContext(ctx, `SELECT `+statusColumns+` FROM statuses WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return one, profile.NoStatus(id)
	}
	return one, diskFault(err)
}

// List returns every status.
func (s *Statuses) List(ctx context.Context) (all []profile.Status, err error) {
	rows, err := s.db.sql.QueryContext(ctx, `SELECT `+statusColumns+` FROM statuses ORDER BY id`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		one, err := scanStatus(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, diskFault(rows.Err())
}

// Update applies edit to the stored status and stores the result unless edit fails.
func (s *Statuses) Update(ctx context.Context, id profile.StatusID, edit func(*profile.Status) error) (
	one profile.Status, err error,
) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		if one, err = getStatus(ctx, tx, id); err != nil {
			return err
		}
		if err := edit(&one); err != nil {
			return err
		}
		one.ID = id
		n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE OR IGNORE statuses SET name = ?, color = ? WHERE id = ?`,
			one.Name, one.Color, id))
		if err == nil && n == 0 {
			return statusExists()
		}
		return err
	})
	return one, err
}

// Delete deletes statuses, all of them or none. Their profiles stay, and have none.
func (s *Statuses) Delete(ctx context.Context, ids ...profile.StatusID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range sorted(ids) {
			_, err := tx.ExecContext(ctx, `UPDATE profiles SET status_id = NULL WHERE status_id = ?`, id)
			if err != nil {
				return err
			}
			n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM statuses WHERE id = ?`, id))
			if err != nil {
				return err
			}
			if n == 0 {
				return profile.NoStatus(id)
			}
		}
		return nil
	})
}

// Give gives profiles a status, all of them or none. Status 0 takes theirs away.
func (s *Statuses) Give(ctx context.Context, status profile.StatusID, ids ...profile.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		if status != 0 {
			if _, err := getStatus(ctx, tx, status); err != nil {
				return err
			}
		}
		return each(ctx, tx, ids, `UPDATE profiles SET status_id = ?, updated_at = ? WHERE id = ? AND trashed_at = 0`,
			orNull(status), time.Now().UnixMilli())
	})
}
