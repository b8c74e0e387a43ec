// Package accounts answers the calls about who uses this Cove: accounts, plans, tokens, the PIN and the sign-in of the
// window.
package accounts

import (
	"cmp"
	"strconv"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/signin"
	"cove/internal/httpapi/wire"
)

// Handlers answers the calls about accounts, the PIN and the window's sign-in.
type Handlers struct {
	Accounts account.Authority
	PIN      PIN
	Pages    *signin.Pages
	Unlocks  *signin.Unlocks
	Port     int // of the API
}

func showAccount(a account.Account) api.Account {
	return api.Account{Email: a.Email, Plan: string(a.Plan), Owner: a.Owner, Automation: a.MayAutomate() == nil,
		CreatedAt: a.Created}
}

// Login answers POST /auth/login. Scripts that know it from Dolphin's cloud, where it has no version, get a token.
func (h *Handlers) Login(c *call.Call) (any, error) {
	var in api.Login
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	c.AllowTime()
	who, err := h.Accounts.LoginPassword(c.Context(), cmp.Or(in.Email, in.Username), in.Password)
	if err != nil {
		return nil, err
	}
	out := api.LoggedIn{Success: true}
	if c.Prefix != "/v1.0" {
		out.Token, err = h.Accounts.RenewLoginToken(c.Context(), who.Email)
	}
	return out, err
}

// LoginWithToken answers POST /auth/login-with-token.
func (h *Handlers) LoginWithToken(c *call.Call) (any, error) {
	var in api.TokenLogin
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	token, _ := call.TokenOf(cmp.Or(in.Token, in.DolphinToken))
	if _, err := h.Accounts.LoginToken(c.Context(), token); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, nil
}

// LoginOwner answers POST /auth/login-owner. It logs the owner in again. The window has the owner's credential, so
// nobody needs a terminal for it.
func (h *Handlers) LoginOwner(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Accounts.LoginOwner(c.Context())
}

// Logout answers POST /auth/logout. It ends everybody's work, so it needs a credential.
func (h *Handlers) Logout(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Accounts.Logout(c.Context())
}

// Me answers GET /auth/me.
func (h *Handlers) Me(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	a, err := h.Accounts.Current(c.Context())
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

// List answers GET /accounts.
func (h *Handlers) List(c *call.Call) (any, error) {
	if err := c.RequireOwner(); err != nil {
		return nil, err
	}
	all, err := h.Accounts.List(c.Context())
	if err != nil {
		return nil, err
	}
	out := api.Accounts{Data: make([]api.Account, 0, len(all))}
	for _, a := range all {
		out.Data = append(out.Data, showAccount(a))
	}
	return out, nil
}

// Add answers POST /accounts. Accounts, plans and tokens are only for the person: an account that a program made for
// itself would outlive the program's token.
func (h *Handlers) Add(c *call.Call) (any, error) {
	var in api.NewAccount
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	plan, err := account.ParsePlan(in.Plan)
	if err != nil {
		return nil, err
	}
	if err := account.CheckNew(in.Email, in.Password); err != nil {
		return nil, err
	}
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	a, err := h.Accounts.Add(c.Context(), in.Email, in.Password, plan)
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

// SetPlan answers POST /accounts/plan.
func (h *Handlers) SetPlan(c *call.Call) (any, error) {
	var in api.PlanChange
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	plan, err := account.ParsePlan(in.Plan)
	if err != nil {
		return nil, err
	}
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	a, err := h.Accounts.SetPlan(c.Context(), in.Email, plan)
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

func showToken(t account.Token) api.Token {
	return api.Token{ID: t.ID, Name: t.Name, Email: t.Email, CreatedAt: t.Created, UsedAt: wire.Moment(t.Used)}
}

// ListTokens answers GET /tokens.
func (h *Handlers) ListTokens(c *call.Call) (any, error) {
	if err := c.RequireCredential(); err != nil {
		return nil, err
	}
	all, err := h.Accounts.Tokens(c.Context())
	if err != nil {
		return nil, err
	}
	out := api.Tokens{Data: make([]api.Token, 0, len(all))}
	for _, t := range all {
		out.Data = append(out.Data, showToken(t))
	}
	return out, nil
}

// CreateToken answers POST /tokens.
func (h *Handlers) CreateToken(c *call.Call) (any, error) {
	var in api.NewToken
	if err := c.Decode(&in); err != nil {
		return nil, err
	}
	if err := account.CheckTokenName(in.Name); err != nil {
		return nil, err
	}
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	secret, t, err := h.Accounts.CreateToken(c.Context(), in.Name)
	if err != nil {
		return nil, err
	}
	shown := showToken(t)
	shown.Token = secret
	return api.TokenData{Data: shown}, nil
}

// RevokeToken answers DELETE /tokens/{name}.
func (h *Handlers) RevokeToken(c *call.Call) (any, error) {
	id, err := strconv.ParseInt(c.Name, 10, 64)
	if err != nil || id < 1 {
		return nil, fault.Fieldf("name", "%q is not a token ID.", c.Name).
			WithHint("`cove token list` lists them.")
	}
	if err := c.RequirePerson(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, h.Accounts.RevokeToken(c.Context(), id)
}
