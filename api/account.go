package api

import (
	"time"
)

// Me is who is logged in.
type Me struct {
	Success bool    `json:"success"`
	Data    Account `json:"data"`
}

// Account is a person's account.
type Account struct {
	Email      string    `json:"email"`
	Plan       string    `json:"plan"`
	Owner      bool      `json:"owner"`
	Automation bool      `json:"automation"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Login is a login by password.
type Login struct {
	Email string `json:"email"`
	// Username is what scripts for Dolphin call the email.
	Username string `json:"username,omitempty"`
	Password string `json:"password"`
}

// TokenLogin is a login by token.
type TokenLogin struct {
	Token string `json:"token"`
	// DolphinToken is another name of Token.
	DolphinToken string `json:"dolphinToken,omitempty"`
}

// LoggedIn answers a login.
type LoggedIn struct {
	Success bool `json:"success"`
	// Token is a new API token, for scripts that log in at /auth/login. It replaces the last one.
	Token string `json:"token,omitempty"`
}

// NewAccount describes an account to create.
type NewAccount struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Plan     string `json:"plan"`
}

// PlanChange sets the plan of an account. An empty Email means whoever is logged in.
type PlanChange struct {
	Email string `json:"email,omitempty"`
	Plan  string `json:"plan"`
}

// Accounts is a list of accounts.
type Accounts struct {
	Data []Account `json:"data"`
}

// NewToken describes a token to create.
type NewToken struct {
	Name string `json:"name"`
}

// Token is an API token. Its field Token holds the secret only in the answer that created it.
type Token struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	Email     string     `json:"email"`
	CreatedAt time.Time  `json:"createdAt"`
	UsedAt    *time.Time `json:"usedAt,omitempty"`
	Token     string     `json:"token,omitempty"`
}

// TokenData is one token.
type TokenData struct {
	Data Token `json:"data"`
}

// Tokens is a list of tokens.
type Tokens struct {
	Data []Token `json:"data"`
}
