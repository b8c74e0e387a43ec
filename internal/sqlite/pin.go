package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"cove/internal/account/pin"
)

var _ pin.Store = (*DB)(nil)

// PIN reads the record of the owner's PIN.
func (d *DB) PIN(ctx context.Context) (r pin.Record, err error) {
	var last int64
	err = d.sql.QueryRowContext(ctx, `SELECT hash, failures, last_at FROM pin`).Scan(&r.Hash, &r.Failures, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return pin.Record{}, nil
	}
	r.Last = fromMillis(last)
	return r, diskFault(err)
}

// SetPIN stores the record of the owner's PIN. A record without a hash removes it.
func (d *DB) SetPIN(ctx context.Context, r pin.Record) error {
	if r.Hash == "" {
		_, err := d.sql.ExecContext(ctx, `DELETE FROM pin`)
		return diskFault(err)
	}
	_, err := d.sql.ExecContext(ctx, `INSERT INTO pin (one, hash, failures, last_at) VALUES (1, ?, ?, ?)
		ON CONFLICT (one) DO UPDATE SET hash = excluded.hash, failures = excluded.failures, last_at = excluded.last_at`,
		r.Hash, r.Failures, millis(r.Last))
	return diskFault(err)
}
