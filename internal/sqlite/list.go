package sqlite

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"cove/internal/profile"
)

// sortColumns are the columns that a list can be ordered by.
var sortColumns = map[profile.Sort]string{
	profile.ByID: "p.id", profile.ByName: "p.name COLLATE NOCASE", profile.ByCreated: "p.created_at",
	profile.ByUpdated: "p.updated_at", profile.ByOpened: "p.opened_at", profile.ByProxy: "p.proxy_id",
}

// List returns one page of the profiles that a query selects.
func (s *Profiles) List(ctx context.Context, q profile.Query) (profile.Page, error) {
	where, args := conditions(q)
	var page profile.Page
	if err := s.db.sql.QueryRowContext(ctx, `SELECT count(*) FROM profiles p WHERE `+where, args...).
		Scan(&page.Total); err != nil {
		return page, diskFault(err)
	}

	// First only the ids: to sort and to skip whole rows costs more than to find the few of one page again.
	query, args := selectIDs(q, where, args)
	ids, err := s.ids(ctx, query, append(args, q.PerPage, int64(q.Page-1)*int64(q.PerPage))...)
	if err != nil {
		return page, err
	}
	page.Profiles, err = s.rows(ctx, ids)
	return page, err
}

// selectIDs selects the ids of the profiles that meet a condition, in the order of a query. The values of LIMIT and
// OFFSET come last.
func selectIDs(q profile.Query, where string, args []any) (string, []any) {
	exact, direction := "", "ASC"
	var name []any
	if q.ExactFirst && q.Search != "" {
		exact, name = "p.name <> ? COLLATE NOCASE", []any{strings.TrimSpace(q.Search)}
	}
	if q.Desc {
		direction = "DESC"
	}
	switch q.Sort {
	case profile.ByFolder:
		return selectByLabel("p.folder_id", "folders", exact, direction, where), slices.Concat(name, args, name, args)
	case profile.ByStatus:
		return selectByLabel("p.status_id", "statuses", exact, direction, where), slices.Concat(name, args, name, args)
	}
	order := cmp.Or(sortColumns[q.Sort], "p.id") + " " + direction + ", p.id " + direction
	if exact != "" {
		order = exact + ", " + order
	}
	return `SELECT p.id FROM profiles p WHERE ` + where + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?`,
		slices.Concat(args, name)
}

// selectByLabel selects ids in the order of the names in another table. Profiles with a name and those without one come
// from an index in this order and are merged: that is twice as fast as to join them all and to sort them.
func selectByLabel(column, table, exact, direction, where string) string {
	columns, order := ", p.id", "1 COLLATE NOCASE "+direction+", 2 "+direction
	if exact != "" {
		columns, order = columns+", "+exact, "3, "+order
	}
	return `SELECT id FROM (` +
		`SELECT ` + column + ` AS label` + columns + ` FROM profiles p WHERE ` + column + ` IS NULL AND ` + where +
		` UNION ALL SELECT l.name` + columns + ` FROM ` + table + ` l CROSS JOIN profiles p ON ` + column + ` = l.id ` +
		`WHERE ` + where + ` ORDER BY ` + order + ` LIMIT ? OFFSET ?)`
}

// rows returns the profiles of these ids, in their order.
func (s *Profiles) rows(ctx context.Context, ids []profile.ID) ([]profile.Profile, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.db.sql.QueryContext(ctx,
		`SELECT `+profileColumns+` FROM `+profileTables+` WHERE p.id IN (`+joined(ids)+`)`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	found := make(map[profile.ID]profile.Profile, len(ids))
	for rows.Next() {
		p, err := scanProfile(rows)
		if err != nil {
			return nil, err
		}
		found[p.ID] = p
	}

	out := make([]profile.Profile, 0, len(ids))
	for _, id := range ids {
		if p, ok := found[id]; ok { // otherwise it was deleted in between
			out = append(out, p)
		}
	}
	return out, diskFault(rows.Err())
}

func conditions(q profile.Query) (string, []any) {
	where, args := []string{"NOT p.temporary", "(p.trashed_at > 0) = ?"}, []any{q.Trashed}
	for _, word := range strings.Fields(q.Search) {
		found, values := searchCondition(word, q.Public)
		where, args = append(where, found), append(args, values...)
	}
	for _, word := range strings.Fields(q.Notes) {
		where, args = append(where, `instr(p.search_more, ?) > 0`), append(args, strings.ToLower(word))
	}
	for _, tag := range q.Tags {
		where = append(where, `EXISTS (SELECT 1 FROM json_each(p.tags) WHERE value = ?)`)
		args = append(args, tag)
	}
	where, args = tagConditions(q, where, args)
	if q.Name != "" {
		where, args = append(where, lowName+` > 0`), append(args, strings.ToLower(q.Name))
	}
	if q.WithoutName != "" {
		where, args = append(where, lowName+` = 0`), append(args, strings.ToLower(q.WithoutName))
	}
	if q.Folder != "" {
		where = append(where, `p.folder_id IN (SELECT id FROM folders WHERE name = ? COLLATE NOCASE)`)
		args = append(args, q.Folder)
	}
	where = append(where, oneOf("p.id", q.IDs), oneOf("p.folder_id", q.Folders), oneOf("p.status_id", q.Statuses),
		oneOf("p.proxy_id", q.Proxies))
	return strings.Join(where, " AND "), args
}

// searchCondition is the condition that a profile has a word in what a search looks at, or that the word is its id.
func searchCondition(word string, public bool) (string, []any) {
	low := strings.ToLower(word)
	found, values := `instr(p.search, ?) > 0`, []any{low}
	if !public {
		found += ` OR instr(p.search_more, ?) > 0 OR p.folder_id IN (SELECT id FROM folders WHERE instr(search, ?) > 0)`
		values = append(values, low, low)
	}
	if id, err := strconv.ParseInt(word, 10, 32); err == nil { // asked of every row, which a word need not cost
		found, values = found+` OR p.id = ?`, append(values, id)
	}
	return "(" + found + ")", values
}

// lowName finds a text in the name in lower case, which is the first line of what a search looks at. SQLite's own lower
// knows only English letters.
const lowName = `instr(substr(p.search, 1, instr(p.search, char(10)) - 1), ?)`

// tagConditions adds the conditions that a profile has one of some tags, or none of them.
func tagConditions(q profile.Query, where []string, args []any) ([]string, []any) {
	for verb, tags := range map[string][]string{"EXISTS": q.AnyTags, "NOT EXISTS": q.WithoutTags} {
		if len(tags) == 0 {
			continue
		}
		where = append(where,
			verb+` (SELECT 1 FROM json_each(p.tags) WHERE value IN (`+placeholders(len(tags))+`))`)
		for _, tag := range tags {
			args = append(args, tag)
		}
	}
	return where, args
}

// oneOf is the condition that a column holds one of these ids. The id 0 stands for a column that holds none, and no
// ids at all for every row.
func oneOf[T ~int32](column string, ids []T) string {
	if len(ids) == 0 {
		return "true"
	}
	return "coalesce(" + column + ", 0) IN (" + joined(ids) + ")"
}
