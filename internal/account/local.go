package account

import (
	"context"
	"strings"
	"time"

	"cove/internal/fault"
)

// Local is the authority inside the app.
type Local struct {
	store      Store
	ownerToken string
	throttle   throttle
}

var _ Authority = (*Local)(nil)

// NewLocal opens the authority; on the first run it makes the owner's account and logs it in.
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
	// In this order: what fails in between is done again at the next start.
	if err := store.SetLoggedIn(ctx, OwnerEmail); err != nil {
		return nil, err
	}
	return l, store.AddAccount(ctx, owner, "")
}

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

func (l *Local) LoginPassword(ctx context.Context, email, password string) (Account, error) {
	wrong := fault.New(fault.Unauthenticated, "E_UNAUTHORIZED", "The email or the password is wrong.", "Check both, or log in as the owner with: cove login --owner")
	email, err := cleanEmail(email)
	if err != nil {
		return Account{}, wrong
	}
	a, hash, err := l.store.Account(ctx, email)
	if err != nil && fault.KindOf(err) != fault.NotFound {
		return Account{}, err
	}
	ok, err := l.throttle.try(ctx, email, func() bool { return checkPassword(hash, password) })
	if err != nil {
		return Account{}, err
	}
	if !ok {
		return Account{}, wrong
	}
	return a, l.store.SetLoggedIn(ctx, email)
}

func (l *Local) LoginToken(ctx context.Context, token string) (Account, error) {
	a, err := l.Credential(ctx, token)
	if err != nil {
		return Account{}, err
	}
	return a, l.store.SetLoggedIn(ctx, a.Email)
}

func (l *Local) Credential(ctx context.Context, token string) (Account, error) {
	wrong := fault.New(fault.Unauthenticated, "E_UNAUTHORIZED", "The token is not one of Cove's.", "Make one with: cove token create NAME")
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

func (l *Local) OwnersToken(token string) bool {
	token = strings.TrimSpace(token)
	return token != "" && sameToken(token, l.ownerToken)
}

func (l *Local) LoginOwner(ctx context.Context) error { return l.store.SetLoggedIn(ctx, OwnerEmail) }

func (l *Local) Logout(ctx context.Context) error { return l.store.SetLoggedIn(ctx, "") }

func (l *Local) Add(ctx context.Context, email, password string, plan Plan) (Account, error) {
	email, err := cleanEmail(email)
	if err != nil {
		return Account{}, err
	}
	if plan, err = ParsePlan(string(plan)); err != nil {
		return Account{}, err
	}
	hash, err := hashPassword(password)
	if err != nil {
		return Account{}, err
	}
	a := Account{Email: email, Plan: plan, Created: time.Now()}
	if err := l.store.AddAccount(ctx, a, hash); err != nil {
		return Account{}, err
	}
	return a, nil
}

func (l *Local) List(ctx context.Context) ([]Account, error) { return l.store.Accounts(ctx) }

// SetPlan changes the plan of email, or of whoever is logged in when email is empty.
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

// CreateToken makes a token of whoever is logged in; the secret is not kept.
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

func (l *Local) Tokens(ctx context.Context) ([]Token, error) { return l.store.Tokens(ctx) }

func (l *Local) RevokeToken(ctx context.Context, id int64) error { return l.store.DeleteToken(ctx, id) }
