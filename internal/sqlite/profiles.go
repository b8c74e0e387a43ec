package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// Profiles returns the profile.Store of the database.
func (d *DB) Profiles() *Profiles { return &Profiles{d} }

// Profiles stores profiles.
type Profiles struct{ db *DB }

var _ profile.Store = (*Profiles)(nil)

// storedColumns are the columns of a profile without its id, in the order of profileValues.
const storedColumns = `name, folder_id, status_id, notes, tags, start_pages, width, height, locale, timezone, ` +
	`proxy_id, args, policy, page_tools, browser, external, temporary, created_at, updated_at, opened_at, ` +
	`trashed_at, search, search_more`

// profileColumns are what scanProfile reads from profileTables.
const profileColumns = `p.id, p.name, f.id, f.name, s.id, s.name, s.color, s.created_at, p.notes, p.tags, ` +
	`p.start_pages, p.width, p.height, p.locale, p.timezone, p.proxy_id, x.type, x.host, x.port, x.login, ` +
	`x.password, p.args, p.policy, p.page_tools, p.browser, p.external, p.temporary, p.created_at, p.updated_at, ` +
	`p.opened_at, p.trashed_at`

// profileTables are the profiles with what they refer to.
const profileTables = `profiles p LEFT JOIN folders f ON f.id = p.folder_id ` +
	`LEFT JOIN statuses s ON s.id = p.status_id LEFT JOIN proxies x ON x.id = p.proxy_id`

// Create stores new profiles and gives them their ids: all of them or none.
func (s *Profiles) Create(ctx context.Context, ps ...profile.Profile) (made []profile.Profile, err error) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		made, err = createProfiles(ctx, tx, ps)
		return err
	})
	return made, err
}

// createProfiles stores new profiles with what they refer to.
func createProfiles(ctx context.Context, tx *sql.Tx, ps []profile.Profile) ([]profile.Profile, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	out := make([]profile.Profile, len(ps))
	values := placeholders(strings.Count(storedColumns, ",") + 1)
	insert, err := tx.PrepareContext(ctx, `INSERT INTO profiles (`+storedColumns+`) VALUES (`+values+`)`)
	if err != nil {
		return out, err
	}
	defer func() { _ = insert.Close() }()

	for i, p := range ps {
		p.Created, p.Updated, p.Opened, p.Trashed = now, now, time.Time{}, time.Time{}
		if err := refer(ctx, tx, &p); err != nil {
			return out, err
		}
		res, err := insert.ExecContext(ctx, profileValues(p)...)
		if err != nil {
			return out, err
		}
		id, err := res.LastInsertId()
		if err != nil {
			return out, err
		}
		if id > 1<<31-1 {
			return out, fault.New(fault.CodeFull, "Cove has no profile ids left.", "")
		}
		p.ID = profile.ID(id)
		out[i] = p
	}
	return out, nil
}

// profileValues returns the columns of p without the id, in the order of storedColumns. The last two are the text that
// a search looks at.
func profileValues(p profile.Profile) []any {
	return []any{
		p.Name, orNull(p.FolderID), orNull(p.Status.ID), p.Notes, toJSON(p.Tags), toJSON(p.StartPages),
		p.Window.Width, p.Window.Height, p.Locale, p.Timezone, orNull(p.ProxyID), toJSON(p.Args), toJSON(p.Policy),
		p.PageTools, p.Browser, externalText(p.External), p.Temporary,
		millis(p.Created), millis(p.Updated), millis(p.Opened), millis(p.Trashed),
		searchText(p), strings.ToLower(p.Notes),
	}
}

// externalText returns the browser that a profile stands for as a column holds it: "" for none.
func externalText(e profile.External) string {
	if !e.Set() {
		return ""
	}
	return toJSON(e)
}

// searchText is what a search for names and tags looks at.
func searchText(p profile.Profile) string {
	return strings.ToLower(p.Name + "\n" + strings.Join(p.Tags, "\n"))
}

// orNull returns an id as a column holds it: NULL for none.
func orNull[T ~int32](id T) any {
	if id == 0 {
		return nil
	}
	return int64(id)
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
	var tags, pages, args, policy, external string
	var folderID, statusID, statusCreated, proxyID, port sql.NullInt64
	var folder, status, color, kind, host, login, password sql.NullString
	var created, updated, opened, trashed int64
	err := row.Scan(&p.ID, &p.Name, &folderID, &folder, &statusID, &status, &color, &statusCreated, &p.Notes, &tags,
		&pages, &p.Window.Width, &p.Window.Height, &p.Locale, &p.Timezone, &proxyID, &kind, &host, &port, &login,
		&password, &args, &policy, &p.PageTools, &p.Browser, &external, &p.Temporary,
		&created, &updated, &opened, &trashed)
	if err != nil {
		return p, err
	}

	p.FolderID, p.Folder = profile.FolderID(folderID.Int64), folder.String
	p.Status = profile.Status{ID: profile.StatusID(statusID.Int64), Name: status.String, Color: color.String,
		Created: fromMillis(statusCreated.Int64)}
	p.ProxyID = proxy.ID(proxyID.Int64)
	p.Proxy = proxy.Proxy{Type: kind.String, Host: host.String, Port: int(port.Int64), Login: login.String,
		Password: password.String}
	p.Created, p.Updated, p.Opened, p.Trashed = fromMillis(created), fromMillis(updated), fromMillis(opened),
		fromMillis(trashed)

	if external == "" {
		external = "{}"
	}

	return p, errors.Join(json.Unmarshal([]byte(external), &p.External), json.Unmarshal([]byte(tags), &p.Tags),
		json.Unmarshal([]byte(pages), &p.StartPages), json.Unmarshal([]byte(args), &p.Args),
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
	p, err := scanProfile(q.QueryRowContext(ctx, selectProfile, id, trashed))
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
func (s *Profiles) Update(ctx context.Context, id profile.ID, edit func(*profile.Profile) error) (
	p profile.Profile, err error,
) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		p, err = update(ctx, tx, id, edit)
		return err
	})
	return p, err
}

// UpdateMany applies edit to several profiles and stores the results unless it fails for one of them.
func (s *Profiles) UpdateMany(ctx context.Context, ids []profile.ID, edit func(*profile.Profile) error) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		store, err := tx.PrepareContext(ctx, updateProfile)
		if err != nil {
			return err
		}
		defer func() { _ = store.Close() }()
		read, err := tx.PrepareContext(ctx, selectKept)
		if err != nil {
			return err
		}
		defer func() { _ = read.Close() }()
		for _, id := range sorted(ids) {
			p, err := scanProfile(read.QueryRowContext(ctx, id))
			if errors.Is(err, sql.ErrNoRows) {
				p, err = get(ctx, tx, id, false) // it says why
			}
			if err != nil {
				return err
			}
			if _, err := change(ctx, tx, p, edit, store.ExecContext); err != nil {
				return err
			}
		}
		return nil
	})
}

const selectProfile = `SELECT ` + profileColumns + ` FROM ` + profileTables +
	` WHERE p.id = ? AND (p.trashed_at > 0) = ?`

// selectKept selects a profile that is not in the trash. SQLite would plan the statement above anew for each value.
const selectKept = `SELECT ` + profileColumns + ` FROM ` + profileTables + ` WHERE p.id = ? AND p.trashed_at = 0`

var updateProfile = `UPDATE profiles SET ` + strings.ReplaceAll(storedColumns, ",", " = ?,") + ` = ? WHERE id = ?`

// update applies edit to one profile in a transaction.
func update(ctx context.Context, tx *sql.Tx, id profile.ID, edit func(*profile.Profile) error) (
	profile.Profile, error,
) {
	p, err := get(ctx, tx, id, false)
	if err != nil {
		return p, err
	}
	return change(ctx, tx, p, edit, func(ctx context.Context, values ...any) (sql.Result, error) {
		return tx.ExecContext(ctx, updateProfile, values...)
	})
}

// change applies edit to a profile that was read, and stores the result with store.
func change(ctx context.Context, tx *sql.Tx, p profile.Profile, edit func(*profile.Profile) error,
	store func(ctx context.Context, values ...any) (sql.Result, error),
) (profile.Profile, error) {
	fixed := p
	if err := edit(&p); err != nil {
		return p, err
	}
	p.ID, p.Created, p.Opened, p.Trashed, p.Temporary = fixed.ID, fixed.Created, fixed.Opened, fixed.Trashed,
		fixed.Temporary
	p.Updated = time.Now().UTC().Truncate(time.Millisecond)
	if refersElsewhere(fixed, p) {
		if err := refer(ctx, tx, renamed(fixed, &p)); err != nil {
			return p, err
		}
	}
	_, err := store(ctx, append(profileValues(p), p.ID)...)
	if err == nil && fixed.ProxyID != p.ProxyID {
		err = dropUnused(ctx, tx, fixed.ProxyID)
	}
	return p, err
}

// refersElsewhere reports whether an edit has changed what a profile refers to.
func refersElsewhere(before, after profile.Profile) bool {
	return before.FolderID != after.FolderID || before.Folder != after.Folder || before.Status != after.Status ||
		before.ProxyID != after.ProxyID || before.Proxy != after.Proxy
}

// ReplaceTags gives tags other names in every profile that has them, also in the trash: in all of them or none.
func (s *Profiles) ReplaceTags(ctx context.Context, names map[string]string) (changed []profile.ID, err error) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		all, err := withTags(ctx, tx, slices.Collect(maps.Keys(names)))
		if err != nil {
			return err
		}
		now := time.Now().UnixMilli()
		for _, p := range all {
			p.ReplaceTags(names)
			_, err := tx.ExecContext(ctx, `UPDATE profiles SET tags = ?, search = ?, updated_at = ? WHERE id = ?`,
				toJSON(p.Tags), searchText(p), now, p.ID)
			if err != nil {
				return err
			}
			changed = append(changed, p.ID)
		}
		return nil
	})
	return changed, err
}

// withTags returns the ids, names and tags of all profiles that have one of these tags, in the trash or not.
func withTags(ctx context.Context, tx *sql.Tx, tags []string) (all []profile.Profile, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, name, tags FROM profiles WHERE EXISTS (SELECT 1 FROM `+
		`json_each(profiles.tags) AS has JOIN json_each(?) AS wanted ON has.value = wanted.value) ORDER BY id`,
		toJSON(tags))
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var p profile.Profile
		var tags string
		if err := rows.Scan(&p.ID, &p.Name, &tags); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(tags), &p.Tags); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, rows.Err()
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

// RestoreMany takes profiles out of the trash: all of them or none.
func (s *Profiles) RestoreMany(ctx context.Context, ids ...profile.ID) error {
	return s.each(ctx, ids, `UPDATE profiles SET trashed_at = 0 WHERE id = ?`)
}

// Delete deletes profiles permanently, in the trash or not.
func (s *Profiles) Delete(ctx context.Context, ids ...profile.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range sorted(ids) {
			var used sql.NullInt64
			err := tx.QueryRowContext(ctx, `DELETE FROM profiles WHERE id = ? RETURNING proxy_id`, id).Scan(&used)
			if errors.Is(err, sql.ErrNoRows) {
				return profile.NotFound(id)
			}
			if err != nil {
				return err
			}
			if err := dropUnused(ctx, tx, proxy.ID(used.Int64)); err != nil {
				return err
			}
		}
		return nil
	})
}

// each runs a statement for every id, for all or none. An id whose row it does not change is not found.
func (s *Profiles) each(ctx context.Context, ids []profile.ID, statement string, args ...any) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error { return each(ctx, tx, ids, statement, args...) })
}

func each(ctx context.Context, tx *sql.Tx, ids []profile.ID, statement string, args ...any) error {
	for _, id := range sorted(ids) {
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
}

// sorted returns each id once.
func sorted[T cmp.Ordered](ids []T) []T {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
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
