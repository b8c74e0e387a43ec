package account

import (
	"context"
	"strings"
	"time"

	passwords "cove/internal/account/password"
	"cove/internal/account/throttle"
	"cove/internal/fault"
)

// Local is the authority inside the app. It is safe for concurrent use.
type Local struct {
	store      Store
	ownerToken string
	throttle   throttle.Throttle
}

var _ Authority = (*Local)(nil)

// NewLocal opens the authority. On the first run it creates the owner's account and logs the owner in.
func NewLocal(ctx context.Context, store Store, ownerToken string) (*Local, error) {
	l := &Local{store: store, ownerToken: ownerToken}
	_, _, err := store.Account(ctx, OwnerEmail)
	if err == nil {
		return l, nil
	}
	if fault.KindOf(err) != fault.NotFound {
		return nil, err
	}
	owner := Account{Email: OwnerEmail, Plan: Solo, Owner: true, Created: time.Now()}
	// The order matters: if one step fails, the next start repeats them.
	if err := store.SetLoggedIn(ctx, OwnerEmail); err != nil {
		return nil, err
	}
	return l, store.AddAccount(ctx, owner, "")
}

// Current returns the account that is logged in.
func (l *Local) Current(ctx context.Context) (Account, error) {
	email, err := l.store.LoggedIn(ctx)
	if err != nil {
		return Account{}, err
	}
	if email == "" {
		return Account{}, NotLoggedIn()
	}
	a, _, err := l.store.Account(ctx, email)
	if fault.KindOf(err) == fault.NotFound {
		return Account{}, NotLoggedIn()
	}
	return a, err
}

// LoginPassword logs an account in by its password. Repeated wrong ones take longer.
func (l *Local) LoginPassword(ctx context.Context, email, password string) (Account, error) {
	wrong := fault.New(fault.CodeUnauthorized, "The email or password is incorrect.",
		"Check both, or log in as the owner with: cove login --owner")
	email, err := cleanEmail(email)
	if err != nil {
		return Account{}, wrong
	}
	a, hash, err := l.store.Account(ctx, email)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return Account{}, err
	}
	ok, err := l.throttle.Try(ctx, email, func() bool { return passwords.Matches(hash, password) })
	if err != nil {
		return Account{}, err
	}
	if !ok {
		return Account{}, wrong
	}
	return a, l.store.SetLoggedIn(ctx, email)
}

// LoginToken logs in the account that a token belongs to.
func (l *Local) LoginToken(ctx context.Context, token string) (Account, error) {
	a, err := l.Credential(ctx, token)
	if err != nil {
		return Account{}, err
	}
	return a, l.store.SetLoggedIn(ctx, a.Email)
}

// Credential returns whose token it is, without logging anybody in.
func (l *Local) Credential(ctx context.Context, token string) (Account, error) {
	wrong := fault.New(fault.CodeUnauthorized, "The token is not valid.",
		"Create one with: cove token create NAME")
	token = strings.TrimSpace(token)
	if token == "" {
		return Account{}, wrong
	}
	email := OwnerEmail
	if !l.OwnersToken(token) {
		t, err := l.store.TokenByHash(ctx, hashToken(token), time.Now())
		if fault.KindOf(err) == fault.NotFound {
			return Account{}, wrong
		}
		if err != nil {
			return Account{}, err
		}
		email = t.Email
	}
	a, _, err := l.store.Account(ctx, email)
	return a, err
}

// OwnersToken reports whether a token is the owner's own, as opposed to one for programs.
func (l *Local) OwnersToken(token string) bool {
	token = strings.TrimSpace(token)
	return token != "" && sameToken(token, l.ownerToken)
}

// LoginOwner logs the owner in.
func (l *Local) LoginOwner(ctx context.Context) error { return l.store.SetLoggedIn(ctx, OwnerEmail) }

// Logout logs out whoever is logged in.
func (l *Local) Logout(ctx context.Context) error { return l.store.SetLoggedIn(ctx, "") }

// Add creates an account. It logs nobody in.
func (l *Local) Add(ctx context.Context, email, password string, plan Plan) (Account, error) {
	email, err := cleanEmail(email)
	if err != nil {
		return Account{}, err
	}
	if plan, err = ParsePlan(string(plan)); err != nil {
		return Account{}, err
	}
	if err := passwords.CheckNew(password); err != nil {
		return Account{}, err
	}
	a := Account{Email: email, Plan: plan, Created: time.Now()}
	if err := l.store.AddAccount(ctx, a, passwords.Hash(password)); err != nil {
		return Account{}, err
	}
	return a, nil
}

// List returns every account.
func (l *Local) List(ctx context.Context) ([]Account, error) { return l.store.Accounts(ctx) }

// SetPlan changes the plan of an account. An empty email means whoever is logged in.
func (l *Local) SetPlan(ctx context.Context, email string, plan Plan) (Account, error) {
	plan, err := ParsePlan(string(plan))
	if err != nil {
		return Account{}, err
	}
	if email == "" {
		a, err := l.Current(ctx)
		if err != nil {
			return Account{}, err
		}
		email = a.Email
	}
	if email, err = cleanEmail(email); err != nil {
		return Account{}, err
	}
	if err := l.store.SetPlan(ctx, email, plan); err != nil {
		return Account{}, err
	}
	a, _, err := l.store.Account(ctx, email)
	return a, err
}

// CreateToken creates a token for whoever is logged in. The secret itself is not stored.
func (l *Local) CreateToken(ctx context.Context, name string) (string, Token, error) {
	name = strings.TrimSpace(name)
	if err := CheckTokenName(name); err != nil {
		return "", Token{}, err
	}
	a, err := l.Current(ctx)
	if err != nil {
		return "", Token{}, err
	}
	secret := NewToken()
	t := Token{Name: name, Email: a.Email, Created: time.Now()}
	if t.ID, err = l.store.AddToken(ctx, t, hashToken(secret)); err != nil {
		return "", Token{}, err
	}
	return secret, t, nil
}

// RenewLoginToken creates the token that a script gets when it logs an account in, in place of the last one.
func (l *Local) RenewLoginToken(ctx context.Context, email string) (string, error) {
	secret := NewToken()
	t := Token{Name: LoginTokenName, Email: email, Created: time.Now()}
	if _, err := l.store.ReplaceToken(ctx, t, hashToken(secret)); err != nil {
		return "", err
	}
	return secret, nil
}

// Tokens returns every API token.
func (l *Local) Tokens(ctx context.Context) ([]Token, error) { return l.store.Tokens(ctx) }

// RevokeToken makes a token useless.
func (l *Local) RevokeToken(ctx context.Context, id int64) error { return l.store.DeleteToken(ctx, id) }
