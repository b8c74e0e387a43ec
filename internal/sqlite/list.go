package sqlite

import (
	"context"
	"strings"

	"cove/internal/profile"
)

// sortColumns are the columns that a list can be ordered by.
var sortColumns = map[profile.Sort]string{
	profile.ByID: "id", profile.ByName: "name COLLATE NOCASE", profile.ByFolder: "folder COLLATE NOCASE",
	profile.ByCreated: "created_at", profile.ByUpdated: "updated_at", profile.ByOpened: "opened_at",
}

// List returns one page of the profiles that a query selects.
func (s *Profiles) List(ctx context.Context, q profile.Query) (profile.Page, error) {
	where, args := conditions(q)
	var page profile.Page
	if err := s.db.sql.QueryRowContext(ctx, `SELECT count(*) FROM profiles WHERE `+where, args...).
		Scan(&page.Total); err != nil {
		return page, diskFault(err)
	}
	order := sortColumns[q.Sort]
	if order == "" {
		order = "id"
	}
	direction := " ASC"
	if q.Desc {
		direction = " DESC"
	}
	order += direction + ", id" + direction
	args = append(args, q.PerPage, (q.Page-1)*q.PerPage)
	rows, err := s.db.sql.QueryContext(ctx,
		`SELECT `+profileColumns+` FROM profiles WHERE `+where+` ORDER BY `+order+` LIMIT ? OFFSET ?`, args...)
	if err != nil {
		return page, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		p, err := scanProfile(rows)
		if err != nil {
			return page, err
		}
		page.Profiles = append(page.Profiles, p)
	}
	return page, diskFault(rows.Err())
}

func conditions(q profile.Query) (string, []any) {
	where, args := []string{"NOT temporary", "(trashed_at > 0) = ?"}, []any{q.Trashed}
	for _, word := range strings.Fields(q.Search) {
		low := strings.ToLower(word)
		if q.Public {
			where, args = append(where, `(instr(search, ?) > 0 OR id = ?)`), append(args, low, word)
			continue
		}
		where, args = append(where, `(instr(search, ?) > 0 OR instr(search_more, ?) > 0 OR id = ?)`),
			append(args, low, low, word)
	}
	for _, tag := range q.Tags {
		where = append(where, `EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)`)
		args = append(args, tag)
	}
	if q.Folder != "" {
		where = append(where, "folder = ? COLLATE NOCASE")
		args = append(args, q.Folder)
	}
	return strings.Join(where, " AND "), args
}
