package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"time"

	"cove/internal/extension"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Extensions returns the store of extensions and of the profiles that have them.
func (d *DB) Extensions() *Extensions { return &Extensions{d} }

// Extensions stores extensions, and which profile has which.
type Extensions struct{ db *DB }

const extensionColumns = `id, browser_id, key, name, title, version, description, manifest_version, permissions, ` +
	`hosts, background, content, size, created_at, updated_at`

func scanExtension(row interface{ Scan(...any) error }, more ...any) (e extension.Extension, err error) {
	var permissions, hosts string
	var created, updated int64
	err = row.Scan(append([]any{&e.ID, &e.BrowserID, &e.Key, &e.Name, &e.Title, &e.Version, &e.Description,
		&e.ManifestVersion, &permissions, &hosts, &e.Background, &e.Content, &e.Size, &created, &updated}, more...)...)
	if err != nil {
		return e, err
	}
	e.Created, e.Updated = fromMillis(created), fromMillis(updated)
	return e, errors.Join(json.Unmarshal([]byte(permissions), &e.Permissions), json.Unmarshal([]byte(hosts), &e.Hosts))
}

// Save stores an extension under its browser's id. A newer version takes the place of the stored one, in all profiles
// that have it. The given profiles get it, enabled, if they do not have it.
func (s *Extensions) Save(ctx context.Context, e extension.Extension, in ...profile.ID) (extension.Extension, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	e.Created, e.Updated = now, now
	err := s.db.tx(ctx, func(tx *sql.Tx) error {
		var created int64
		err := tx.QueryRowContext(ctx, `INSERT INTO extensions (browser_id, key, name, title, version, description, `+
			`manifest_version, permissions, hosts, background, content, size, created_at, updated_at) VALUES (`+
			placeholders(14)+`) ON CONFLICT (browser_id) DO UPDATE SET key = excluded.key, name = excluded.name, `+
			`title = excluded.title, version = excluded.version, description = excluded.description, `+
			`manifest_version = excluded.manifest_version, permissions = excluded.permissions, `+
			`hosts = excluded.hosts, background = excluded.background, content = excluded.content, `+
			`size = excluded.size, updated_at = excluded.updated_at RETURNING id, created_at`,
			e.BrowserID, e.Key, e.Name, e.Title, e.Version, e.Description, e.ManifestVersion, toJSON(e.Permissions),
			toJSON(e.Hosts), e.Background, e.Content, e.Size, millis(now), millis(now)).Scan(&e.ID, &created)
		if err != nil {
			return err
		}
		e.Created = fromMillis(created)
		return attach(ctx, tx, []extension.ID{e.ID}, in, nil)
	})
	return e, err
}

// Get returns an extension.
func (s *Extensions) Get(ctx context.Context, id extension.ID) (extension.Extension, error) {
	e, err := scanExtension(s.db.sql.QueryRowContext(ctx,
		`SELECT `+extensionColumns+` FROM extensions WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return e, extension.NotFound(id)
	}
	return e, diskFault(err)
}

// ByBrowserID returns the extension that browsers know by an id; ok is false if there is none.
func (s *Extensions) ByBrowserID(ctx context.Context, id string) (e extension.Extension, ok bool, err error) {
	e, err = scanExtension(s.db.sql.QueryRowContext(ctx,
		`SELECT `+extensionColumns+` FROM extensions WHERE browser_id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return e, false, nil
	}
	return e, err == nil, diskFault(err)
}

// List returns every extension, and how many profiles have each.
func (s *Extensions) List(ctx context.Context) (all []extension.Extension, profiles []int, err error) {
	rows, err := s.db.sql.QueryContext(ctx, `SELECT `+extensionColumns+`, (SELECT count(*) FROM profile_extensions `+
		`WHERE extension_id = id) FROM extensions ORDER BY id`)
	if err != nil {
		return nil, nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var n int
		e, err := scanExtension(rows, &n)
		if err != nil {
			return nil, nil, err
		}
		all, profiles = append(all, e), append(profiles, n)
	}
	return all, profiles, diskFault(rows.Err())
}

// Of returns the extensions of a profile.
func (s *Extensions) Of(ctx context.Context, id profile.ID) (all []extension.InProfile, err error) {
	rows, err := s.db.sql.QueryContext(ctx, `SELECT `+extensionColumns+`, enabled FROM extensions `+
		`JOIN profile_extensions ON extension_id = id WHERE profile_id = ? ORDER BY id`, id)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var one extension.InProfile
		if one.Extension, err = scanExtension(rows, &one.Enabled); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, diskFault(rows.Err())
}

// Profiles returns the profiles that have one of the extensions, in the trash or not.
func (s *Extensions) Profiles(ctx context.Context, extensions ...extension.ID) (all []profile.Profile, err error) {
	args := make([]any, len(extensions))
	for i, id := range extensions {
		args[i] = id
	}
	rows, err := s.db.sql.QueryContext(ctx, `SELECT `+profileColumns+` FROM `+profileTables+` WHERE p.id IN (SELECT `+
		`profile_id FROM profile_extensions WHERE extension_id IN (`+placeholders(len(args))+`)) `+
		`ORDER BY p.id`, args...)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		p, err := scanProfile(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, diskFault(rows.Err())
}

// Delete deletes extensions, all of them or none, also from their profiles.
func (s *Extensions) Delete(ctx context.Context, ids ...extension.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range sorted(ids) {
			n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM extensions WHERE id = ?`, id))
			if err != nil {
				return err
			}
			if n == 0 {
				return extension.NotFound(id)
			}
		}
		return nil
	})
}

// Attach gives profiles extensions, all of them or none. enabled may be nil: those that a profile has already stay as
// they are, and new ones are enabled.
func (s *Extensions) Attach(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled *bool,
) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error { return attach(ctx, tx, extensions, profiles, enabled) })
}

func attach(ctx context.Context, tx *sql.Tx, extensions []extension.ID, profiles []profile.ID, enabled *bool) error {
	if err := known(ctx, tx, extensions, profiles); err != nil {
		return err
	}
	statement, value := `INSERT INTO profile_extensions (profile_id, extension_id, enabled) VALUES (?, ?, ?) `, true
	if enabled == nil {
		statement += `ON CONFLICT DO NOTHING`
	} else {
		statement += `ON CONFLICT DO UPDATE SET enabled = excluded.enabled`
		value = *enabled
	}
	for _, p := range profiles {
		for _, e := range extensions {
			if _, err := tx.ExecContext(ctx, statement, p, e, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// Detach takes extensions from profiles, all of them or none. A profile need not have them.
func (s *Extensions) Detach(ctx context.Context, extensions []extension.ID, profiles []profile.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		if err := known(ctx, tx, extensions, profiles); err != nil {
			return err
		}
		for _, p := range profiles {
			for _, e := range extensions {
				if _, err := tx.ExecContext(ctx,
					`DELETE FROM profile_extensions WHERE profile_id = ? AND extension_id = ?`, p, e); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Enable enables or disables extensions that profiles have, in all of them or in none.
func (s *Extensions) Enable(ctx context.Context, extensions []extension.ID, profiles []profile.ID, enabled bool) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		if err := known(ctx, tx, extensions, profiles); err != nil {
			return err
		}
		for _, p := range profiles {
			for _, e := range extensions {
				n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE profile_extensions SET enabled = ? WHERE `+
					`profile_id = ? AND extension_id = ?`, enabled, p, e))
				if err != nil {
					return err
				}
				if n == 0 {
					return fault.New(fault.CodeNotFound,
						"Profile "+p.String()+" does not have extension "+strconv.Itoa(int(e))+".",
						"`cove extension list "+p.String()+"` shows the extensions that it has.")
				}
			}
		}
		return nil
	})
}

// Copy gives a profile the extensions of another one.
func (s *Extensions) Copy(ctx context.Context, from, to profile.ID) error {
	_, err := s.db.sql.ExecContext(ctx, `INSERT OR IGNORE INTO profile_extensions (profile_id, extension_id, enabled) `+
		`SELECT ?, extension_id, enabled FROM profile_extensions WHERE profile_id = ?`, to, from)
	return diskFault(err)
}

// known refuses extensions and profiles that do not exist, and profiles in the trash.
func known(ctx context.Context, tx *sql.Tx, extensions []extension.ID, profiles []profile.ID) error {
	for _, id := range extensions {
		var n int
		if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM extensions WHERE id = ?`, id).Scan(&n); err != nil {
			return err
		}
		if n == 0 {
			return extension.NotFound(id)
		}
	}
	for _, id := range profiles {
		if _, err := get(ctx, tx, id, false); err != nil {
			return err
		}
	}
	return nil
}
