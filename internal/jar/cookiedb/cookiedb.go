// Package cookiedb merges the cookie databases of closed browsers. It copies rows as they are, encrypted values
// included, so both databases must come from the same browser on the same computer.
package cookiedb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver
)

// File returns the cookie database in a data folder.
func File(dataDir string) string {
	// Chromium on Windows keeps it in the second place.
	for _, name := range []string{"Cookies", filepath.Join("Network", "Cookies")} {
		file := filepath.Join(dataDir, "Default", name)
		if _, err := os.Stat(file); err == nil {
			return file
		}
	}
	return filepath.Join(dataDir, "Default", "Cookies")
}

// key names the columns that make two rows the same cookie to a browser.
const key = "t.host_key = s.host_key AND t.top_frame_site_key = s.top_frame_site_key AND " +
	"t.has_cross_site_ancestor = s.has_cross_site_ancestor AND t.name = s.name AND t.path = s.path"

// errSchema says that two databases do not come from the same browser.
var errSchema = errors.New("the cookie databases have different tables")

// Merge adds the cookies of other databases to the one in file, all of them or none. A cookie that exists is replaced.
// Cookies that no site has used yet count as used now: a browser with many cookies drops the others first.
func Merge(ctx context.Context, file string, others []string) (err error) {
	if _, err := os.Stat(file); err != nil {
		return err // the driver would make an empty one
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(file), OmitHost: true,
		RawQuery: "_pragma=busy_timeout(2000)&_pragma=synchronous(full)"}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()

	for i, other := range others {
		if _, err := conn.ExecContext(ctx, fmt.Sprintf("ATTACH ? AS other%d", i), other); err != nil {
			return err
		}
		if err := sameTable(ctx, conn, i); err != nil {
			return err
		}
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	for i := range others {
		for _, statement := range []string{
			"DELETE FROM main.cookies AS t WHERE EXISTS (SELECT 1 FROM other%d.cookies s WHERE " + key + ")",
			"INSERT INTO main.cookies SELECT * FROM other%d.cookies",
		} {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf(statement, i)); err != nil {
				return errors.Join(err, tx.Rollback())
			}
		}
	}
	const used = "UPDATE main.cookies SET last_access_utc = creation_utc WHERE last_access_utc = 0"
	if _, err := tx.ExecContext(ctx, used); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Row is what is known of a cookie without its value.
type Row struct {
	Host string
	// TopSite is the site in whose pages alone the cookie is visible; "" for all.
	TopSite string
	// Lock is how the value is encrypted: three letters, and "" if it is not.
	Lock string
}

// openToRead opens the database of a closed browser. It changes nothing, and makes no file beside it.
func openToRead(file string) (*sql.DB, error) {
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(file), OmitHost: true, RawQuery: "mode=ro&immutable=1"}
	return sql.Open("sqlite", dsn.String())
}

// Rows lists the cookies of a closed browser.
func Rows(ctx context.Context, file string) (list []Row, err error) {
	db, err := openToRead(file)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	const query = "SELECT host_key, top_frame_site_key, cast(substr(encrypted_value, 1, 3) AS text) FROM cookies"
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var r Row
		if err := rows.Scan(&r.Host, &r.TopSite, &r.Lock); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// Version returns the version of the tables of a closed browser.
func Version(ctx context.Context, file string) (version int, err error) {
	db, err := openToRead(file)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT value FROM meta WHERE key = 'version'").Scan(&version)
	return version, err
}

// sameTable makes sure that rows can be copied.
func sameTable(ctx context.Context, conn *sql.Conn, i int) error {
	const table = "SELECT sql FROM %s.sqlite_master WHERE type = 'table' AND name = 'cookies'"
	var ours, theirs string
	if err := conn.QueryRowContext(ctx, fmt.Sprintf(table, "main")).Scan(&ours); err != nil {
		return err
	}
	if err := conn.QueryRowContext(ctx, fmt.Sprintf(table, fmt.Sprintf("other%d", i))).Scan(&theirs); err != nil {
		return err
	}
	if ours != theirs {
		return errSchema
	}
	return nil
}
