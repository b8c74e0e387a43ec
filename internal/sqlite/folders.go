package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
)

// Folders returns the profile.Folders of the database.
func (d *DB) Folders() *Folders { return &Folders{d} }

// Folders stores the folders of profiles.
type Folders struct{ db *DB }

var _ profile.Folders = (*Folders)(nil)

const selectFolders = `SELECT id, name, remark, color, defaults, created_at, (SELECT count(*) FROM profiles WHERE ` +
	`folder_id = folders.id AND trashed_at = 0 AND NOT temporary) FROM folders `

func scanFolder(row interface{ Scan(...any) error }) (f profile.Folder, err error) {
	var created int64
	var defaults string
	if err := row.Scan(&f.ID, &f.Name, &f.Remark, &f.Color, &defaults, &created, &f.Profiles); err != nil {
		return f, err
	}
	f.Created = fromMillis(created)
	return f, json.Unmarshal([]byte(defaults), &f.Defaults)
}

// findFolder returns id and name of the folder of a name. It does not count the profiles in it: to create many profiles
// in one folder would take as many steps as their square.
func findFolder(ctx context.Context, q querier, name string) (f profile.Folder, err error) {
	row := q.QueryRowContext(ctx, `SELECT id, name FROM folders WHERE name = ? COLLATE NOCASE`, name)
	err = row.Scan(&f.ID, &f.Name)
	return f, err
}

// createFolder stores a new folder behind the others.
func createFolder(ctx context.Context, q querier, f profile.Folder) (profile.Folder, error) {
	defaults, err := json.Marshal(f.Defaults)
	if err != nil {
		return f, err
	}
	f.Created, f.Profiles = time.Now().UTC().Truncate(time.Millisecond), 0
	err = q.QueryRowContext(ctx,
		`INSERT INTO folders (name, search, remark, color, defaults, position, created_at) `+
			`SELECT ?, ?, ?, ?, ?, coalesce(max(position), 0) + 1, ? FROM folders RETURNING id`,
		f.Name, strings.ToLower(f.Name), f.Remark, f.Color, string(defaults), millis(f.Created)).Scan(&f.ID)
	return f, err
}

// Create stores a new folder. Two folders cannot have one name.
func (s *Folders) Create(ctx context.Context, f profile.Folder) (made profile.Folder, err error) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		if err := nameIsFree(ctx, tx, f.Name, 0); err != nil {
			return err
		}
		made, err = createFolder(ctx, tx, f)
		return err
	})
	return made, err
}

// nameIsFree refuses a name that another folder than id has.
func nameIsFree(ctx context.Context, tx *sql.Tx, name string, id profile.FolderID) error {
	other, err := findFolder(ctx, tx, name)
	if errors.Is(err, sql.ErrNoRows) || (err == nil && other.ID == id) {
		return nil
	}
	if err != nil {
		return err
	}
	return fault.New(fault.CodeExists, "There is a folder with this name already.",
		"Choose another name, or use that folder.").WithField("name")
}

// Get returns a folder.
func (s *Folders) Get(ctx context.Context, id profile.FolderID) (profile.Folder, error) {
	return getFolder(ctx, s.db.sql, id)
}

func getFolder(ctx context.Context, q querier, id profile.FolderID) (profile.Folder, error) {
	f, err := scanFolder(q.QueryRowContext(ctx, selectFolders+`WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return f, profile.NoFolder(id)
	}
	return f, diskFault(err)
}

// Defaults returns what the new profiles of a folder get, by its id or, with id 0, by its name. It does not count the
// profiles in it, for the same reason as findFolder.
func (s *Folders) Defaults(ctx context.Context, id profile.FolderID, name string) (d profile.Defaults, err error) {
	query, key := `SELECT defaults FROM folders WHERE id = ?`, any(id)
	if id == 0 {
		query, key = `SELECT defaults FROM folders WHERE name = ? COLLATE NOCASE`, name
	}
	var text string
	err = s.db.sql.QueryRowContext(ctx, query, key).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return d, nil
	}
	if err != nil {
		return d, diskFault(err)
	}
	return d, json.Unmarshal([]byte(text), &d)
}

// List returns every folder in the person's order.
func (s *Folders) List(ctx context.Context) (all []profile.Folder, err error) {
	rows, err := s.db.sql.QueryContext(ctx, selectFolders+`ORDER BY position, id`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		f, err := scanFolder(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, diskFault(rows.Err())
}

// Update applies edit to the stored folder and stores the result unless edit fails.
func (s *Folders) Update(ctx context.Context, id profile.FolderID, edit func(*profile.Folder) error) (
	f profile.Folder, err error,
) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		if f, err = getFolder(ctx, tx, id); err != nil {
			return err
		}
		if err := edit(&f); err != nil {
			return err
		}
		f.ID = id
		if err := nameIsFree(ctx, tx, f.Name, id); err != nil {
			return err
		}
		defaults, err := json.Marshal(f.Defaults)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`UPDATE folders SET name = ?, search = ?, remark = ?, color = ?, defaults = ? WHERE id = ?`,
			f.Name, strings.ToLower(f.Name), f.Remark, f.Color, string(defaults), id)
		return err
	})
	return f, err
}

// Delete deletes folders, all of them or none. Their profiles stay, and are in no folder.
func (s *Folders) Delete(ctx context.Context, ids ...profile.FolderID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range sorted(ids) {
			_, err := tx.ExecContext(ctx, `UPDATE profiles SET folder_id = NULL WHERE folder_id = ?`, id)
			if err != nil {
				return err
			}
			n, err := rowsAffected(tx.ExecContext(ctx, `DELETE FROM folders WHERE id = ?`, id))
			if err != nil {
				return err
			}
			if n == 0 {
				return profile.NoFolder(id)
			}
		}
		return nil
	})
}

// Order puts these folders first, in this order.
func (s *Folders) Order(ctx context.Context, ids ...profile.FolderID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE folders SET position = position + ?`, len(ids)); err != nil {
			return err
		}
		for i, id := range ids {
			n, err := rowsAffected(tx.ExecContext(ctx, `UPDATE folders SET position = ? WHERE id = ?`, i, id))
			if err != nil {
				return err
			}
			if n == 0 {
				return profile.NoFolder(id)
			}
		}
		return nil
	})
}

// Members lists the profiles in a folder, without the trash.
func (s *Folders) Members(ctx context.Context, id profile.FolderID) ([]profile.ID, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return nil, err
	}
	return s.db.Profiles().ids(ctx,
		`SELECT id FROM profiles WHERE folder_id = ? AND trashed_at = 0 AND NOT temporary ORDER BY id`, id)
}

// Move puts profiles into a folder, all of them or none. Folder 0 takes them out of theirs.
func (s *Folders) Move(ctx context.Context, to profile.FolderID, ids ...profile.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		if to != 0 {
			if _, err := getFolder(ctx, tx, to); err != nil {
				return err
			}
		}
		return each(ctx, tx, ids, `UPDATE profiles SET folder_id = ?, updated_at = ? WHERE id = ? AND trashed_at = 0`,
			orNull(to), time.Now().UnixMilli())
	})
}
