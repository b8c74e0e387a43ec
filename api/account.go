package api

import (
	"time"
)

// Me is who is logged in.
type Me struct {
	Success bool    `json:"success"`
	Data    Account `json:"data"`
}

// Account is a person.
type Account struct {
	Email      string    `json:"email"`
	Plan       string    `json:"plan"`
	Owner      bool      `json:"owner"`
	Automation bool      `json:"automation"`
	CreatedAt  time.Time `json:"createdAt"`
}

// Login is a login by password.
type Login struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

// TokenLogin is a login by token.
type TokenLogin struct {
	Token string `json:"token"`
}

// NewAccount is an account to be made.
type NewAccount struct {
	Email    string `json:"email"`
	Password string `json:"password"`
	Plan     string `json:"plan"`
}

// PlanChange is the new plan of an account; of whoever is logged in when Email is empty.
type PlanChange struct {
	Email string `json:"email,omitempty"`
	Plan  string `json:"plan"`
}

// Accounts is a list of accounts.
type Accounts struct {
	Data []Account `json:"data"`
}

// NewToken is a token to be made.
type NewToken struct {
	Name string `json:"name"`
}

// Token is an API token; Token holds the secret only in the answer that made it.
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
