package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/proxy"
)

// renamed removes the ids from p whose meaning an edit has changed: a new name of a folder means another folder.
func renamed(before profile.Profile, p *profile.Profile) *profile.Profile {
	if p.FolderID == before.FolderID && p.Folder != before.Folder {
		p.FolderID = 0
	}
	if p.ProxyID == before.ProxyID && p.Proxy != before.Proxy {
		p.ProxyID = 0
	}
	return p
}

// refer finds what a profile refers to, by id or by what it says, and refuses an id that nothing has.
func refer(ctx context.Context, tx *sql.Tx, p *profile.Profile) error {
	if err := referToFolder(ctx, tx, p); err != nil {
		return err
	}
	if err := referToStatus(ctx, tx, p); err != nil {
		return err
	}
	return referToProxy(ctx, tx, p)
}

func referToFolder(ctx context.Context, tx *sql.Tx, p *profile.Profile) error {
	if p.FolderID != 0 {
		err := tx.QueryRowContext(ctx, `SELECT name FROM folders WHERE id = ?`, p.FolderID).Scan(&p.Folder)
		return unknown(err, "folder", int(p.FolderID))
	}
	if p.Folder == "" {
		return nil
	}
	f, err := findFolder(ctx, tx, p.Folder)
	if errors.Is(err, sql.ErrNoRows) {
		f, err = createFolder(ctx, tx, profile.Folder{Name: p.Folder})
	}
	p.FolderID, p.Folder = f.ID, f.Name
	return err
}

func referToStatus(ctx context.Context, tx *sql.Tx, p *profile.Profile) error {
	if p.Status.ID == 0 {
		p.Status = profile.Status{}
		return nil
	}
	s, err := scanStatus(tx.QueryRowContext(ctx, `SELECT `+statusColumns+` FROM statuses WHERE id = ?`, p.Status.ID))
	if err != nil {
		return unknown(err, "status", int(p.Status.ID))
	}
	p.Status = s
	return nil
}

// equalsProxy is the condition that a stored proxy equals another one.
const equalsProxy = `type = ? AND host = ? AND port = ? AND login = ? AND password = ?`

// findEqualProxy finds the stored proxy that equals one, a saved one first.
const findEqualProxy = `SELECT id FROM proxies WHERE ` + equalsProxy + ` ORDER BY saved DESC, id LIMIT 1`

// referToProxy refers p to the stored proxy of its id or, without an id, to one that equals its proxy.
func referToProxy(ctx context.Context, tx *sql.Tx, p *profile.Profile) error {
	if p.ProxyID != 0 {
		var x proxy.Proxy
		err := tx.QueryRowContext(ctx, `SELECT type, host, port, login, password FROM proxies WHERE id = ?`, p.ProxyID).
			Scan(&x.Type, &x.Host, &x.Port, &x.Login, &x.Password)
		if err == nil && p.Proxy.Set() && p.Proxy != x {
			return fault.New(fault.CodeProfileChanged, "The proxy was changed in the meantime.",
				"Review it and try again.")
		}
		p.Proxy = x
		return unknown(err, "proxy", int(p.ProxyID))
	}
	if !p.Proxy.Set() {
		p.Proxy = proxy.Proxy{}
		return nil
	}

	x := p.Proxy
	err := tx.QueryRowContext(ctx, findEqualProxy, x.Type, x.Host, x.Port, x.Login, x.Password).Scan(&p.ProxyID)
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	r, err := createProxy(ctx, tx, proxy.Record{Proxy: x}, time.Now())
	p.ProxyID = r.ID
	return err
}

// unknown words the failure to find what an input refers to.
func unknown(err error, what string, id int) error {
	if !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	list := map[string]string{"folder": "/v1.0/folders", "status": "/v1.0/browser_profiles/statuses",
		"proxy": "/v1.0/proxy"}[what]
	return fault.Unprocessablef(what, "There is no %s %s.", what, strconv.Itoa(id)).
		WithHint("GET " + list + " lists what there is.")
}

// dropUnused deletes a proxy that came with a profile and that no profile uses any more.
func dropUnused(ctx context.Context, tx *sql.Tx, id proxy.ID) error {
	_, err := tx.ExecContext(ctx, `DELETE FROM proxies WHERE id = ? AND NOT saved AND NOT EXISTS `+
		`(SELECT 1 FROM profiles WHERE proxy_id = proxies.id)`, id)
	return err
}

// joined writes ids for a list in SQL. They are numbers, so that nothing has to be escaped.
func joined[T ~int32](ids []T) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.Itoa(int(id))
	}
	return strings.Join(texts, ",")
}
