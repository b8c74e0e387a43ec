package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// Setting returns a setting, or "" if it was never set.
func (d *DB) Setting(ctx context.Context, key string) (string, error) {
	var value string
	err := d.sql.QueryRowContext(ctx, `SELECT value FROM settings WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, diskFault(err)
}

// SetSetting stores a setting.
func (d *DB) SetSetting(ctx context.Context, key, value string) error {
	_, err := d.sql.ExecContext(ctx, `INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE `+
		`SET value = excluded.value`, key, value)
	return diskFault(err)
}
