// Package account answers two questions: who is logged in, and what does their plan include.
package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"cove/internal/fault"
)

// Account is a person.
type Account struct {
	Email   string
	Plan    Plan
	Owner   bool
	Created time.Time
}

// Token is what is known of an API token after it was shown once.
type Token struct {
	ID      int64
	Name    string
	Email   string
	Created time.Time
	Used    time.Time // zero until then
}

// Authority is who the app asks. The embedded one is Local; a team's server can be another.
type Authority interface {
	// Current is the account that is logged in, or a fault of kind Unknown.
	Current(ctx context.Context) (Account, error)
	LoginPassword(ctx context.Context, email, password string) (Account, error)
	LoginToken(ctx context.Context, token string) (Account, error)
	// LoginOwner logs the owner in; who may ask for that is the caller's to check.
	LoginOwner(ctx context.Context) error
	Logout(ctx context.Context) error
	// Credential tells whose token it is, without logging anybody in.
	Credential(ctx context.Context, token string) (Account, error)
	// OwnersToken tells the owner's own token from those that were made for programs.
	OwnersToken(token string) bool

	Add(ctx context.Context, email, password string, plan Plan) (Account, error)
	List(ctx context.Context) ([]Account, error)
	SetPlan(ctx context.Context, email string, plan Plan) (Account, error)

	CreateToken(ctx context.Context, name string) (secret string, t Token, err error)
	Tokens(ctx context.Context) ([]Token, error)
	RevokeToken(ctx context.Context, id int64) error
}

// Store keeps what Local needs.
type Store interface {
	Account(ctx context.Context, email string) (a Account, passwordHash string, err error)
	Accounts(ctx context.Context) ([]Account, error)
	AddAccount(ctx context.Context, a Account, passwordHash string) error
	SetPlan(ctx context.Context, email string, plan Plan) error
	LoggedIn(ctx context.Context) (email string, err error) // "" when nobody is
	SetLoggedIn(ctx context.Context, email string) error

	AddToken(ctx context.Context, t Token, hash string) (int64, error)
	TokenByHash(ctx context.Context, hash string, used time.Time) (Token, error)
	Tokens(ctx context.Context) ([]Token, error)
	DeleteToken(ctx context.Context, id int64) error
}

// OwnerEmail names the account that the app makes on its first run.
const OwnerEmail = "owner@localhost"

// NotLoggedIn is the answer when nobody is.
func NotLoggedIn() error {
	return fault.New(fault.Unauthenticated, "E_UNAUTHORIZED", "Nobody is logged in to Cove.", "Log in with: cove login --owner")
}

// NoAccount is the answer for an email that no account has.
func NoAccount(email string) error {
	return fault.New(fault.NotFound, "E_NOT_FOUND", "There is no account "+email+".", "`cove account list` shows the accounts.")
}

// CheckTokenName says what is wrong with a token's name.
func CheckTokenName(name string) error {
	if name = strings.TrimSpace(name); name == "" || utf8.RuneCountInString(name) > 100 {
		return fault.Invalidf("A token needs a name of at most 100 characters, so that you know it again.")
	}
	return nil
}

// CheckNew says what is wrong with the email or the password of a new account.
func CheckNew(email, password string) error {
	if err := CheckEmail(email); err != nil {
		return err
	}
	return checkNewPassword(password)
}

// CheckEmail says what is wrong with an email, before anybody types a password.
func CheckEmail(email string) error {
	_, err := cleanEmail(email)
	return err
}

func cleanEmail(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	name, host, ok := strings.Cut(email, "@")
	if !ok || name == "" || host == "" || len(email) > 254 || strings.ContainsAny(email, " \t\r\n,;<>\"") || strings.Contains(host, "@") {
		return "", fault.Invalidf("That is not an email address.").WithHint("Write it as name@example.com.")
	}
	return email, nil
}
