// Package sqlite stores profiles, accounts and settings in one SQLite file.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"cove/internal/fault"
)

// DB is the open database. It has one connection: a desktop application has one writer, and readers wait microseconds.
type DB struct{ sql *sql.DB }

// longest is the longest file name that SQLite opens, less what SQLite appends to it.
const longest = 500

// Open opens or creates the database and migrates its tables. It refuses a database of a newer Cove and leaves it
// unchanged.
func Open(ctx context.Context, name string) (*DB, error) {
	if len(name) > longest {
		return nil, fault.New(fault.CodeHomeTooLong,
			fmt.Sprintf("The path of the data folder is %d bytes too long for its database.", len(name)-longest),
			"Choose a folder with a shorter path: --home DIR, or COVE_HOME.")
	}
	// Create the file first, so that no other user can ever read it.
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, notWritable(err)
	}
	err = f.Chmod(0o600)
	_ = f.Close()
	if err != nil {
		return nil, notWritable(err)
	}
	// Changes go from the log into the file at once: they are few, and a log can be lost or damaged.
	dsn := url.URL{Scheme: "file", OmitHost: true, Path: name,
		RawQuery: "_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(full)" +
			"&_pragma=foreign_keys(on)&_pragma=wal_autocheckpoint(1)"}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db); err != nil {
		_ = db.Close()
		return nil, diskFault(err)
	}
	// Not earlier: this setting stays in the file, and a database of a newer Cove must not be changed.
	if _, err := db.ExecContext(ctx, `PRAGMA journal_mode = wal`); err != nil {
		_ = db.Close()
		return nil, diskFault(err)
	}
	return &DB{db}, nil
}

// Close closes the database.
func (d *DB) Close() error { return d.sql.Close() }

// tx runs do in one transaction.
func (d *DB) tx(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := d.sql.BeginTx(ctx, nil)
	if err != nil {
		return diskFault(err)
	}
	defer func() { _ = tx.Rollback() }()
	if err := do(tx); err != nil {
		return diskFault(err)
	}
	return diskFault(tx.Commit())
}

// diskFault words the failures that a person can fix.
func diskFault(err error) error {
	var se *sqlite.Error
	if !errors.As(err, &se) {
		return err
	}
	switch se.Code() & 0xff {
	case lib.SQLITE_FULL:
		return fault.DiskFull("The disk is full, so nothing was changed.").Because(err)
	case lib.SQLITE_IOERR:
		if se.Code() == lib.SQLITE_IOERR_SHMSIZE {
			return fault.DiskFull("The disk is full, so Cove's database cannot be used.").Because(err)
		}
		return fault.New(fault.CodeDatabase, "Cove's database cannot be read or written: "+se.Error()+".",
			"Check whether the disk of the data folder is full or damaged.").Because(err)
	case lib.SQLITE_READONLY, lib.SQLITE_CANTOPEN, lib.SQLITE_PERM:
		return notWritable(err)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return fault.New(fault.CodeDatabase, "Cove's database is damaged: "+se.Error()+".",
			"Replace cove.db with a copy from a backup. The profiles' own data is elsewhere and safe.").
			Because(err)
	}
	return err
}

func notWritable(err error) error {
	return fault.New(fault.CodeDatabase, "Cove's database cannot be written: "+err.Error()+".",
		"Check that the data folder belongs to you and is writable.").Because(err)
}

// Times are stored as milliseconds, 0 for never.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func placeholders(n int) string {
	s := make([]byte, 0, 2*n)
	for i := range n {
		if i > 0 {
			s = append(s, ',')
		}
		s = append(s, '?')
	}
	return string(s)
}

func rowsAffected(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("count changed rows: %w", err)
	}
	return n, nil
}
