package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"cove/internal/fault"
)

// migrations[i] brings the database from version i to i+1. A released migration never changes; new ones are appended.
var migrations = []string{
	`CREATE TABLE profiles (
		id          INTEGER PRIMARY KEY AUTOINCREMENT,
		name        TEXT NOT NULL,
		folder      TEXT NOT NULL,
		notes       TEXT NOT NULL,
		tags        TEXT NOT NULL, -- JSON
		start_pages TEXT NOT NULL, -- JSON
		width       INTEGER NOT NULL,
		height      INTEGER NOT NULL,
		locale      TEXT NOT NULL,
		timezone    TEXT NOT NULL,
		proxy       TEXT NOT NULL, -- JSON
		args        TEXT NOT NULL, -- JSON
		browser     TEXT NOT NULL,
		temporary   INTEGER NOT NULL,
		created_at  INTEGER NOT NULL,
		updated_at  INTEGER NOT NULL,
		opened_at   INTEGER NOT NULL,
		trashed_at  INTEGER NOT NULL,
		search      TEXT NOT NULL, -- name and tags in lower case
		search_more TEXT NOT NULL  -- folder and notes in lower case
	) STRICT;
	CREATE INDEX profiles_name ON profiles (name COLLATE NOCASE, id);
	CREATE INDEX profiles_folder ON profiles (folder COLLATE NOCASE, id);
	CREATE TABLE accounts (
		email      TEXT PRIMARY KEY,
		plan       TEXT NOT NULL,
		owner      INTEGER NOT NULL,
		password   TEXT NOT NULL, -- argon2id, '' for none
		created_at INTEGER NOT NULL
	) STRICT;
	CREATE TABLE tokens (
		id         INTEGER PRIMARY KEY AUTOINCREMENT,
		name       TEXT NOT NULL,
		email      TEXT NOT NULL REFERENCES accounts (email),
		hash       TEXT NOT NULL UNIQUE,
		created_at INTEGER NOT NULL,
		used_at    INTEGER NOT NULL
	) STRICT;
	CREATE TABLE login (
		one   INTEGER PRIMARY KEY CHECK (one = 1),
		email TEXT NOT NULL
	) STRICT;
	CREATE TABLE settings (
		key   TEXT PRIMARY KEY,
		value TEXT NOT NULL
	) STRICT;`,
	`ALTER TABLE profiles ADD COLUMN policy TEXT NOT NULL DEFAULT '{}'; -- JSON
	CREATE TABLE pin (
		one      INTEGER PRIMARY KEY CHECK (one = 1),
		hash     TEXT NOT NULL,    -- argon2id
		failures INTEGER NOT NULL, -- wrong ones in a row
		last_at  INTEGER NOT NULL  -- when the last of them was tried
	) STRICT;`,
}

func migrate(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var version int
	if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil {
		return err
	}
	if version > len(migrations) {
		return fault.New(fault.CodeNewerData,
			fmt.Sprintf("The data folder was written by a newer Cove (data version %d, this one knows %d).", version,
				len(migrations)),
			"Use the newer version, or choose another data folder with --home.")
	}
	for i := version; i < len(migrations); i++ {
		if _, err := tx.ExecContext(ctx, migrations[i]); err != nil {
			return fmt.Errorf("migrate to version %d: %w", i+1, err)
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`PRAGMA user_version = %d`, i+1)); err != nil {
			return err
		}
	}
	return tx.Commit()
}
