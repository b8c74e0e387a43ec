package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// Proxies returns the proxy.Store of the database.
func (d *DB) Proxies() *Proxies { return &Proxies{d} }

// Proxies stores proxies.
type Proxies struct{ db *DB }

var _ proxy.Store = (*Proxies)(nil)

const proxyColumns = `SELECT id, name, type, host, port, login, password, change_ip_url, saved, last_check, ` +
	`created_at, updated_at, (SELECT count(*) FROM profiles WHERE proxy_id = proxies.id), `

// selectProxy and selectProxies are what scanProxy reads. A list leaves out the policies: with them it takes twice the
// time.
const (
	selectProxy = proxyColumns +
		`(SELECT json_group_array(DISTINCT policy) FROM profiles WHERE proxy_id = proxies.id) FROM proxies `
	selectProxies = proxyColumns + `'[]' FROM proxies `
)

func scanProxy(row interface{ Scan(...any) error }) (r proxy.Record, err error) {
	var check, policies string
	var created, updated int64
	err = row.Scan(&r.ID, &r.Name, &r.Type, &r.Host, &r.Port, &r.Login, &r.Password, &r.ChangeIPURL, &r.Saved, &check,
		&created, &updated, &r.Profiles, &policies)
	if err != nil {
		return r, err
	}
	r.Created, r.Updated = fromMillis(created), fromMillis(updated)
	if r.Bound, err = binds(policies); err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(check), &r.LastCheck)
}

// binds reports whether one of the policies, a JSON array of JSON texts, binds its profile.
func binds(policies string) (bool, error) {
	var texts []string
	if err := json.Unmarshal([]byte(policies), &texts); err != nil {
		return false, err
	}
	for _, text := range texts {
		var p profile.Profile
		if err := json.Unmarshal([]byte(text), &p.Policy); err != nil {
			return false, err
		}
		if p.Policy.Binds() {
			return true, nil
		}
	}
	return false, nil
}

func proxySearch(r proxy.Record) string {
	return strings.ToLower(r.Name + "\n" + r.Host + "\n" + r.Login)
}

// createProxy stores a new proxy.
func createProxy(ctx context.Context, q querier, r proxy.Record, now time.Time) (proxy.Record, error) {
	now = now.UTC().Truncate(time.Millisecond)
	r.Created, r.Updated, r.Profiles, r.Bound, r.LastCheck = now, now, 0, false, proxy.Check{}
	err := q.QueryRowContext(ctx, `INSERT INTO proxies (name, type, host, port, login, password, change_ip_url, `+
		`saved, last_check, created_at, updated_at, search) VALUES (`+placeholders(12)+`) RETURNING id`,
		r.Name, r.Type, r.Host, r.Port, r.Login, r.Password, r.ChangeIPURL, r.Saved, "{}", millis(now), millis(now),
		proxySearch(r)).Scan(&r.ID)
	return r, err
}

// Create stores new proxies: all of them or none.
func (s *Proxies) Create(ctx context.Context, rs ...proxy.Record) ([]proxy.Record, error) {
	out := make([]proxy.Record, len(rs))
	err := s.db.tx(ctx, func(tx *sql.Tx) (err error) {
		now := time.Now()
		for i, r := range rs {
			if out[i], err = createProxy(ctx, tx, r, now); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

// Get returns a proxy.
func (s *Proxies) Get(ctx context.Context, id proxy.ID) (proxy.Record, error) {
	return getProxy(ctx, s.db.sql, id)
}

func getProxy(ctx context.Context, q querier, id proxy.ID) (proxy.Record, error) {
	r, err := scanProxy(q.QueryRowContext(ctx, selectProxy+`WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return r, proxy.NotFound(id)
	}
	return r, diskFault(err)
}

// List returns one page of the proxies that a query selects.
func (s *Proxies) List(ctx context.Context, q proxy.Query) (page proxy.Page, err error) {
	where, args := []string{"true"}, []any{}
	for _, word := range strings.Fields(q.Search) {
		where, args = append(where, `(instr(search, ?) > 0 OR id = ?)`), append(args, strings.ToLower(word), word)
	}
	if len(q.IDs) > 0 {
		where = append(where, `id IN (`+joined(q.IDs)+`)`)
	}
	condition := strings.Join(where, " AND ")
	if err := s.db.sql.QueryRowContext(ctx, `SELECT count(*) FROM proxies WHERE `+condition, args...).
		Scan(&page.Total); err != nil {
		return page, diskFault(err)
	}

	direction := " ASC"
	if q.Desc {
		direction = " DESC"
	}
	order := "id" + direction
	if q.ByName {
		order = "name COLLATE NOCASE" + direction + ", " + order
	}
	if q.ExactFirst && q.Search != "" {
		order, args = "name <> ? COLLATE NOCASE, "+order, append(args, strings.TrimSpace(q.Search))
	}
	rows, err := s.db.sql.QueryContext(ctx, selectProxies+`WHERE `+condition+` ORDER BY `+order+` LIMIT ? OFFSET ?`,
		append(args, q.PerPage, int64(q.Page-1)*int64(q.PerPage))...)
	if err != nil {
		return page, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		r, err := scanProxy(rows)
		if err != nil {
			return page, err
		}
		page.Proxies = append(page.Proxies, r)
	}
	return page, diskFault(rows.Err())
}

// Update applies edit to the stored proxy and stores the result unless edit fails.
func (s *Proxies) Update(ctx context.Context, id proxy.ID, edit func(*proxy.Record) error) (r proxy.Record, err error) {
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		before, err := getProxy(ctx, tx, id)
		if err != nil {
			return err
		}
		r = before
		if err := edit(&r); err != nil {
			return err
		}
		r.ID, r.Created, r.Profiles, r.Bound = before.ID, before.Created, before.Profiles, before.Bound
		r.Updated = time.Now().UTC().Truncate(time.Millisecond)
		if r.Proxy != before.Proxy { // what was found out about another address says nothing about this one
			r.LastCheck = proxy.Check{}
		}
		_, err = tx.ExecContext(ctx, `UPDATE proxies SET name = ?, type = ?, host = ?, port = ?, login = ?, `+
			`password = ?, change_ip_url = ?, saved = ?, last_check = ?, updated_at = ?, search = ? WHERE id = ?`,
			r.Name, r.Type, r.Host, r.Port, r.Login, r.Password, r.ChangeIPURL, r.Saved, toJSON(r.LastCheck),
			millis(r.Updated), proxySearch(r), id)
		return err
	})
	return r, err
}

// Import stores proxies that stay without profiles: all of them or none.
func (s *Proxies) Import(ctx context.Context, rs ...proxy.Record) (stored []proxy.Record, created int, err error) {
	stored = make([]proxy.Record, len(rs))
	err = s.db.tx(ctx, func(tx *sql.Tx) error {
		for i, r := range rs {
			kept, isNew, err := saveProxy(ctx, tx, r, true)
			if err != nil {
				return err
			}
			if stored[i] = kept; isNew {
				created++
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	return stored, created, nil
}

// saveProxy stores a proxy that stays without profiles. One that is there already stays as it is, but for a name and a
// link that it does not have; with replace it takes another link, too. No link of a profile with rules is changed.
func saveProxy(ctx context.Context, tx *sql.Tx, r proxy.Record, replace bool) (kept proxy.Record, isNew bool,
	err error) {
	var id proxy.ID
	err = tx.QueryRowContext(ctx, findEqualProxy, r.Type, r.Host, r.Port, r.Login, r.Password).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		r.Saved = true
		kept, err = createProxy(ctx, tx, r, time.Now())
		return kept, true, err
	}
	if err != nil {
		return kept, false, err
	}

	kept, err = getProxy(ctx, tx, id)
	if err != nil {
		return kept, false, err
	}
	before := kept
	kept.Saved, kept.Name = true, cmp.Or(kept.Name, r.Name)
	if !kept.Bound && r.ChangeIPURL != "" && (replace || kept.ChangeIPURL == "") {
		kept.ChangeIPURL = r.ChangeIPURL
	}
	if kept == before {
		return kept, false, nil
	}
	kept.Updated = time.Now().UTC().Truncate(time.Millisecond)
	_, err = tx.ExecContext(ctx, `UPDATE proxies SET name = ?, change_ip_url = ?, saved = ?, search = ?, `+
		`updated_at = ? WHERE id = ?`, kept.Name, kept.ChangeIPURL, kept.Saved, proxySearch(kept),
		millis(kept.Updated), id)
	return kept, false, err
}

// SetCheck stores the result of a check of x, unless the stored proxy is another one by now, or gone.
func (s *Proxies) SetCheck(ctx context.Context, id proxy.ID, x proxy.Proxy, c proxy.Check) error {
	_, err := s.db.sql.ExecContext(ctx, `UPDATE proxies SET last_check = ? WHERE id = ? AND `+equalsProxy,
		toJSON(c), id, x.Type, x.Host, x.Port, x.Login, x.Password)
	return diskFault(err)
}

// Delete deletes proxies, all of them or none. It refuses one that a profile uses, in the trash or not.
func (s *Proxies) Delete(ctx context.Context, ids ...proxy.ID) error {
	return s.db.tx(ctx, func(tx *sql.Tx) error {
		for _, id := range sorted(ids) {
			r, err := getProxy(ctx, tx, id)
			if err != nil {
				return err
			}
			if r.Profiles > 0 {
				return inUse(ctx, tx, r)
			}
			if _, err := tx.ExecContext(ctx, `DELETE FROM proxies WHERE id = ?`, id); err != nil {
				return err
			}
		}
		return nil
	})
}

// inUse is the error for a proxy that profiles use. It names one of them.
func inUse(ctx context.Context, q querier, r proxy.Record) error {
	var id int
	var trashed bool
	if err := q.QueryRowContext(ctx,
		`SELECT id, trashed_at > 0 FROM profiles WHERE proxy_id = ? ORDER BY trashed_at > 0, id LIMIT 1`, r.ID).
		Scan(&id, &trashed); err != nil {
		return err
	}
	user := fmt.Sprintf("profile %d", id)
	if trashed {
		user += ", which is in the trash,"
	}
	if r.Profiles > 1 {
		user = fmt.Sprintf("%d profiles", r.Profiles)
	}
	return fault.New(fault.CodeInUse, fmt.Sprintf("Proxy %d is in use: %s would lose it.", r.ID, user),
		fmt.Sprintf("Give them another proxy first, for example: cove profile edit %d --proxy …", id))
}
