package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// Profiles returns the profile.Store of the database.
func (d *DB) Profiles() *Profiles { return &Profiles{d} }

// Profiles stores profiles.
type Profiles struct{ db *DB }

var _ profile.Store = (*Profiles)(nil)

const profileColumns = `id, name, folder, notes, tags, start_pages, width, height, locale, timezone, proxy, args, ` +
	`policy, browser, temporary, created_at, updated_at, opened_at, trashed_at`

// Create stores new profiles and gives them their ids: all of them or none.
func (s *Profiles) Create(ctx context.Context, ps ...profile.Profile) ([]profile.Profile, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	out := make([]profile.Profile, len(ps))
	err := s.db.tx(ctx, func(tx *sql.Tx) error {
		insert, err := tx.PrepareContext(ctx,
			`INSERT INTO profiles (`+strings.TrimPrefix(profileColumns, "id, ")+`, search, search_more) VALUES (`+
				placeholders(20)+`)`)
		if err != nil {
			return err
		}
		defer func() { _ = insert.Close() }()
		for i, p := range ps {
			p.Created, p.Updated, p.Opened, p.Trashed = now, now, time.Time{}, time.Time{}
			res, err := insert.ExecContext(ctx, profileValues(p)...)
			if err != nil {
				return err
			}
			id, err := res.LastInsertId()
			if err != nil {
				return err
			}
			if id > 1<<31-1 {
				return fault.New(fault.CodeFull, "Cove has no profile ids left.", "")
			}
			p.ID = profile.ID(id)
			out[i] = p
		}
		return nil
	})
	return out, err
}

// profileValues returns the columns of p without the id, in the order of profileColumns, and the text that a search
// looks at.
func profileValues(p profile.Profile) []any {
	return []any{p.Name, p.Folder, p.Notes, toJSON(p.Tags), toJSON(p.StartPages), p.Window.Width, p.Window.Height,
		p.Locale, p.Timezone,
		toJSON(p.Proxy), toJSON(p.Args), toJSON(p.Policy), p.Browser, p.Temporary, millis(p.Created), millis(p.Updated),
		millis(p.Opened), millis(p.Trashed),
		strings.ToLower(p.Name + "\n" + strings.Join(p.Tags, "\n")), strings.ToLower(p.Folder + "\n" + p.Notes)}
}

func toJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers only
	}
	return string(b)
}

func scanProfile(row interface{ Scan(...any) error }) (profile.Profile, error) {
	var p profile.Profile
	var tags, pages, proxy, args, policy string
	var created, updated, opened, trashed int64
	err := row.Scan(&p.ID, &p.Name, &p.Folder, &p.Notes, &tags, &pages, &p.Window.Width, &p.Window.Height, &p.Locale,
		&p.Timezone,
		&proxy, &args, &policy, &p.Browser, &p.Temporary, &created, &updated, &opened, &trashed)
	if err != nil {
		return p, err
	}
	p.Created, p.Updated, p.Opened, p.Trashed = fromMillis(created), fromMillis(updated), fromMillis(opened),
		fromMillis(trashed)
	return p, errors.Join(json.Unmarshal([]byte(tags), &p.Tags), json.Unmarshal([]byte(pages), &p.StartPages),
		json.Unmarshal([]byte(proxy), &p.Proxy), json.Unmarshal([]byte(args), &p.Args),
		json.Unmarshal([]byte(policy), &p.Policy))
}

// Get returns a profile that is not in the trash.
func (s *Profiles) Get(ctx context.Context, id profile.ID) (profile.Profile, error) {
	return get(ctx, s.db.sql, id, false)
}

// querier is a database or a transaction.
type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func get(ctx context.Context, q querier, id profile.ID, trashed bool) (profile.Profile, error) {
	p, err := scanProfile(q.QueryRowContext(ctx,
		`SELECT `+profileColumns+` FROM profiles WHERE id = ? AND (trashed_at > 0) = ?`, id, trashed))
	if !errors.Is(err, sql.ErrNoRows) {
		return p, diskFault(err)
	}
	if !trashed {
		if _, err := get(ctx, q, id, true); err == nil {
			return p, fault.New(fault.CodeNotFound, "Profile "+id.String()+" is in the trash.",
				"Restore it with: cove profile restore "+id.String())
		}
	}
	return p, profile.NotFound(id)
}

// Update applies edit to the stored profile and stores the result unless edit fails.
func (s *Profiles) Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (profile.Profile,
	error) {
	var p profile.Profile
	err := s.db.tx(ctx, func(tx *sql.Tx) (err error) {
		if p, err = get(ctx, tx, id, false); err != nil {
			return err
		}
		fixed := p
		if err := edit(&p); err != nil {
			return err
		}
		p.ID, p.Created, p.Opened, p.Trashed, p.Temporary = fixed.ID, fixed.Created, fixed.Opened, fixed.Trashed,
			fixed.Temporary
		p.Updated = time.Now().UTC().Truncate(time.Millisecond)
		columns := strings.Join(strings.Split(profileColumns, ", ")[1:], " = ?, ") + " = ?, search = ?, search_more = ?"
		_, err = tx.ExecContext(ctx, `UPDATE profiles SET `+columns+` WHERE id = ?`, append(profileValues(p), id)...)
		return err
	})
	return p, err
}

// Trash moves profiles to the trash.
func (s *Profiles) Trash(ctx context.Context, ids ...profile.ID) error {
	return s.each(ctx, ids, `UPDATE profiles SET trashed_at = ? WHERE id = ? AND trashed_at = 0`, time.Now().
		UnixMilli())
}

// Restore takes a profile out of the trash.
func (s *Profiles) Restore(ctx context.Context, id profile.ID) (profile.Profile, error) {
	if p, err := s.Get(ctx, id); err == nil {
		return p, nil
	}
	if err := s.each(ctx, []profile.ID{id},
		`UPDATE profiles SET trashed_at = 0 WHERE id = ? AND trashed_at > 0`); err != nil {
		return profile.Profile{}, err
	}
	return s.Get(ctx, id)
}

// Delete deletes profiles permanently, in the trash or not.
func (s *Profiles) Delete(ctx context.Context, ids ...profile.ID) error {
	return s.each(ctx, ids, `DELETE FROM profiles WHERE id = ?`)
}

// each runs a statement for every id, for all or none. An id whose row it does not change is not found.
func (s *Profiles) each(ctx context.Context, ids []profile.ID, statement string, args ...any) error {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range slices.Compact(ids) {
			n, err := rowsAffected(tx.ExecContext(ctx, statement, append(args[:len(args):len(args)], id)...))
			if err != nil {
				return err
			}
			if n == 0 {
				if _, err := get(ctx, tx, id, false); err != nil {
					return err // the profile does not exist, or is in the trash
				}
				return profile.NotFound(id)
			}
		}
		return nil
	})
}

// Known reports whether a profile exists, in the trash or not.
func (s *Profiles) Known(ctx context.Context, id profile.ID) (bool, error) {
	var n int
	err := s.db.sql.QueryRowContext(ctx, `SELECT count(*) FROM profiles WHERE id = ?`, id).Scan(&n)
	return n > 0, diskFault(err)
}

// Temporary lists the temporary profiles.
func (s *Profiles) Temporary(ctx context.Context) ([]profile.ID, error) {
	return s.ids(ctx, `SELECT id FROM profiles WHERE temporary`)
}

// MakePermanent makes a temporary profile a permanent one.
func (s *Profiles) MakePermanent(ctx context.Context, id profile.ID) error {
	return s.each(ctx, []profile.ID{id}, `UPDATE profiles SET temporary = 0 WHERE id = ? AND temporary`)
}

func (s *Profiles) ids(ctx context.Context, query string, args ...any) (ids []profile.ID, err error) {
	rows, err := s.db.sql.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id profile.ID
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// MarkOpened stores when a profile was opened.
func (s *Profiles) MarkOpened(ctx context.Context, id profile.ID, at time.Time) error {
	_, err := s.db.sql.ExecContext(ctx, `UPDATE profiles SET opened_at = ? WHERE id = ?`, at.UnixMilli(), id)
	return diskFault(err)
}

// ReserveThrough reserves every id up to last. After a lost database the folders of old profiles are still there, and a
// new profile must not get somebody else's logins.
func (s *Profiles) ReserveThrough(ctx context.Context, last profile.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		n, err := rowsAffected(tx.ExecContext(ctx,
			`UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'profiles'`, last))
		if err != nil || n > 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `INSERT INTO sqlite_sequence (name, seq) VALUES ('profiles', ?)`, last)
		return err
	})
}
