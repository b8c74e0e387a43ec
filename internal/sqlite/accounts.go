package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"cove/internal/account"
	"cove/internal/fault"
)

// Accounts returns the account.Store of the database.
func (d *DB) Accounts() *Accounts { return &Accounts{d} }

// Accounts stores accounts, tokens and who is logged in.
type Accounts struct{ db *DB }

var _ account.Store = (*Accounts)(nil)

// Account returns an account and the hash of its password.
func (s *Accounts) Account(ctx context.Context, email string) (account.Account, string, error) {
	a := account.Account{Email: email}
	var hash string
	var created int64
	err := s.db.sql.QueryRowContext(ctx, `SELECT plan, owner, password, created_at FROM accounts WHERE email = ?`,
		email).Scan(&a.Plan, &a.Owner, &hash, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return a, "", account.NoAccount(email)
	}
	a.Created = fromMillis(created)
	return a, hash, diskFault(err)
}

// Accounts returns every account, the owner first.
func (s *Accounts) Accounts(ctx context.Context) ([]account.Account, error) {
	rows, err := s.db.sql.QueryContext(ctx,
		`SELECT email, plan, owner, created_at FROM accounts ORDER BY owner DESC, email`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	var out []account.Account
	for rows.Next() {
		var a account.Account
		var created int64
		if err := rows.Scan(&a.Email, &a.Plan, &a.Owner, &created); err != nil {
			return nil, err
		}
		a.Created = fromMillis(created)
		out = append(out, a)
	}
	return out, rows.Err()
}

// AddAccount stores a new account.
func (s *Accounts) AddAccount(ctx context.Context, a account.Account, hash string) error {
	n, err := rowsAffected(s.db.sql.ExecContext(ctx,
		`INSERT INTO accounts (email, plan, owner, password, created_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		a.Email, a.Plan, a.Owner, hash, millis(a.Created)))
	if err == nil && n == 0 {
		return fault.New(fault.CodeAccountExists, "The account "+a.Email+" already exists.",
			"Log in with: cove login "+a.Email)
	}
	return diskFault(err)
}

// SetPlan changes the plan of an account.
func (s *Accounts) SetPlan(ctx context.Context, email string, plan account.Plan) error {
	n, err := rowsAffected(s.db.sql.ExecContext(ctx, `UPDATE accounts SET plan = ? WHERE email = ?`, plan, email))
	if err == nil && n == 0 {
		return account.NoAccount(email)
	}
	return diskFault(err)
}

// LoggedIn returns the email of who is logged in, or "" for nobody.
func (s *Accounts) LoggedIn(ctx context.Context) (string, error) {
	var email string
	err := s.db.sql.QueryRowContext(ctx, `SELECT email FROM login`).Scan(&email)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return email, diskFault(err)
}

// SetLoggedIn stores who is logged in.
func (s *Accounts) SetLoggedIn(ctx context.Context, email string) error {
	_, err := s.db.sql.ExecContext(ctx, `INSERT INTO login (one, email) VALUES (1, ?) ON CONFLICT (one) DO UPDATE `+
		`SET email = excluded.email`, email)
	return diskFault(err)
}

// AddToken stores a token by its hash and returns its number.
func (s *Accounts) AddToken(ctx context.Context, t account.Token, hash string) (int64, error) {
	res, err := s.db.sql.ExecContext(ctx,
		`INSERT INTO tokens (name, email, hash, created_at, used_at) VALUES (?, ?, ?, ?, 0)`, t.Name, t.Email, hash,
		millis(t.Created))
	if err != nil {
		return 0, diskFault(err)
	}
	return res.LastInsertId()
}

// ReplaceToken stores a token and deletes those of the same name and account.
func (s *Accounts) ReplaceToken(ctx context.Context, t account.Token, hash string) (id int64, err error) {
	tx, err := s.db.sql.BeginTx(ctx, nil)
	if err != nil {
		return 0, diskFault(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(ctx, `DELETE FROM tokens WHERE name = ? AND email = ?`, t.Name, t.Email); err != nil {
		return 0, diskFault(err)
	}
	err = tx.QueryRowContext(ctx, `INSERT INTO tokens (name, email, hash, created_at, used_at) VALUES (?, ?, ?, ?, 0) `+
		`RETURNING id`, t.Name, t.Email, hash, millis(t.Created)).Scan(&id)
	if err != nil {
		return 0, diskFault(err)
	}
	return id, diskFault(tx.Commit())
}

// TokenByHash returns the token with a hash, and records when it was used.
func (s *Accounts) TokenByHash(ctx context.Context, hash string, used time.Time) (account.Token, error) {
	var t account.Token
	var created, last int64
	err := s.db.sql.QueryRowContext(ctx, `SELECT id, name, email, created_at, used_at FROM tokens WHERE hash = ?`,
		hash).Scan(&t.ID, &t.Name, &t.Email, &created, &last)
	if errors.Is(err, sql.ErrNoRows) {
		return t, fault.New(fault.CodeNotFound, "There is no such token.", "")
	}
	if err != nil {
		return t, diskFault(err)
	}
	t.Created, t.Used = fromMillis(created), used
	// Once a minute is exact enough to find unused tokens, and failing to record the time is no reason to refuse a
	// token.
	if used.Sub(fromMillis(last)) > time.Minute {
		_, _ = s.db.sql.ExecContext(ctx, `UPDATE tokens SET used_at = ? WHERE id = ?`, millis(used), t.ID)
	}
	return t, nil
}

// Tokens returns every token.
func (s *Accounts) Tokens(ctx context.Context) ([]account.Token, error) {
	rows, err := s.db.sql.QueryContext(ctx, `SELECT id, name, email, created_at, used_at FROM tokens ORDER BY id`)
	if err != nil {
		return nil, diskFault(err)
	}
	defer func() { _ = rows.Close() }()
	var out []account.Token
	for rows.Next() {
		var t account.Token
		var created, used int64
		if err := rows.Scan(&t.ID, &t.Name, &t.Email, &created, &used); err != nil {
			return nil, err
		}
		t.Created, t.Used = fromMillis(created), fromMillis(used)
		out = append(out, t)
	}
	return out, rows.Err()
}

// DeleteToken deletes a token.
func (s *Accounts) DeleteToken(ctx context.Context, id int64) error {
	n, err := rowsAffected(s.db.sql.ExecContext(ctx, `DELETE FROM tokens WHERE id = ?`, id))
	if err == nil && n == 0 {
		return fault.New(fault.CodeNotFound, "There is no such token.", "`cove token list` shows the tokens.")
	}
	return diskFault(err)
}
