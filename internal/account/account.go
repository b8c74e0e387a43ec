// Package account answers two questions: who is logged in, and what their plan includes.
package account

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	passwords "cove/internal/account/password"
	"cove/internal/fault"
)

// Account is a person's account.
type Account struct {
	Email   string
	Plan    Plan
	Owner   bool
	Created time.Time
}

// Token is what Cove knows of an API token after showing it once.
type Token struct {
	ID      int64
	Name    string
	Email   string
	Created time.Time
	Used    time.Time // zero for a token that was never used
}

// Authority knows accounts, logins and tokens. Local is the one inside the app; a team's server can be another.
type Authority interface {
	// Current returns the account that is logged in, or a fault of the kind Unauthenticated.
	Current(ctx context.Context) (Account, error)
	LoginPassword(ctx context.Context, email, password string) (Account, error)
	LoginToken(ctx context.Context, token string) (Account, error)
	// LoginOwner logs the owner in. The caller checks who may ask for that.
	LoginOwner(ctx context.Context) error
	Logout(ctx context.Context) error
	// Credential returns whose token it is, without logging anybody in.
	Credential(ctx context.Context, token string) (Account, error)
	// OwnersToken reports whether a token is the owner's own, as opposed to one for programs.
	OwnersToken(token string) bool

	Add(ctx context.Context, email, password string, plan Plan) (Account, error)
	List(ctx context.Context) ([]Account, error)
	SetPlan(ctx context.Context, email string, plan Plan) (Account, error)

	CreateToken(ctx context.Context, name string) (secret string, t Token, err error)
	// RenewLoginToken creates the token that a script gets when it logs an account in, in place of the last one.
	RenewLoginToken(ctx context.Context, email string) (secret string, err error)
	Tokens(ctx context.Context) ([]Token, error)
	RevokeToken(ctx context.Context, id int64) error
}

// Store stores what Local needs.
type Store interface {
	Account(ctx context.Context, email string) (a Account, passwordHash string, err error)
	Accounts(ctx context.Context) ([]Account, error)
	AddAccount(ctx context.Context, a Account, passwordHash string) error
	SetPlan(ctx context.Context, email string, plan Plan) error
	LoggedIn(ctx context.Context) (email string, err error) // "" for nobody
	SetLoggedIn(ctx context.Context, email string) error

	AddToken(ctx context.Context, t Token, hash string) (int64, error)
	// ReplaceToken adds a token and deletes those of the same name and account, all or nothing.
	ReplaceToken(ctx context.Context, t Token, hash string) (int64, error)
	TokenByHash(ctx context.Context, hash string, used time.Time) (Token, error)
	Tokens(ctx context.Context) ([]Token, error)
	DeleteToken(ctx context.Context, id int64) error
}

// OwnerEmail is the email of the account that the first run creates.
const OwnerEmail = "owner@localhost"

// NotLoggedIn is the error while nobody is logged in.
func NotLoggedIn() error {
	return fault.New(fault.CodeUnauthorized, "Nobody is logged in to Cove.", "Log in with: cove login --owner")
}

// NoAccount is the error for an email that no account has.
func NoAccount(email string) error {
	return fault.New(fault.CodeNotFound, "There is no account "+email+".", "`cove account list` shows the accounts.")
}

// LoginTokenName is the name of the tokens that scripts get when they log in. No other token has it, because the next
// login deletes the one before.
const LoginTokenName = "auth/login"

// CheckTokenName says what is wrong with a token's name.
func CheckTokenName(name string) error {
	if strings.TrimSpace(name) == LoginTokenName {
		return fault.Fieldf("name", "The token name %s is used for logins of scripts.", LoginTokenName).
			WithHint("Choose another name.")
	}
	if name = strings.TrimSpace(name); name == "" || utf8.RuneCountInString(name) > 100 {
		return fault.Fieldf("name", "A token needs a name of 1 to 100 characters.")
	}
	return nil
}

// CheckNew says what is wrong with the email or the password of a new account.
func CheckNew(email, password string) error {
	if err := CheckEmail(email); err != nil {
		return err
	}
	return passwords.CheckNew(password)
}

// CheckEmail says what is wrong with an email, before anybody types a password.
func CheckEmail(email string) error {
	_, err := cleanEmail(email)
	return err
}

func cleanEmail(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	name, host, ok := strings.Cut(email, "@")
	if !ok || name == "" || host == "" || len(email) > 254 || strings.ContainsAny(email, " \t\r\n,;<>\"") ||
		strings.Contains(host, "@") {
		return "", fault.Fieldf("email", "That is not an email address.").WithHint("Write it as name@example.com.")
	}
	return email, nil
}
