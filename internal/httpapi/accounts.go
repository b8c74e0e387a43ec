package httpapi

import (
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

func showAccount(a account.Account) api.Account {
	return api.Account{Email: a.Email, Plan: string(a.Plan), Owner: a.Owner, Automation: a.MayAutomate() == nil, CreatedAt: a.Created}
}

func (s *Server) login(c *call) (any, error) {
	var in api.Login
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	c.patient()
	if _, err := s.Accounts.LoginPassword(c.Context(), in.Email, in.Password); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, nil
}

func (s *Server) loginWithToken(c *call) (any, error) {
	var in api.TokenLogin
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	token := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(in.Token), "Bearer "))
	if _, err := s.Accounts.LoginToken(c.Context(), token); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, nil
}

// loginOwner logs the owner in again: the window has their credential, and nobody should need a terminal for it.
func (s *Server) loginOwner(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, s.Accounts.LoginOwner(c.Context())
}

// logout ends everybody's work, so not everybody on this computer may.
func (s *Server) logout(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, s.Accounts.Logout(c.Context())
}

func (s *Server) me(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	a, err := s.Accounts.Current(c.Context())
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

func (s *Server) accounts(c *call) (any, error) {
	if err := c.requireOwner(); err != nil {
		return nil, err
	}
	all, err := s.Accounts.List(c.Context())
	if err != nil {
		return nil, err
	}
	out := api.Accounts{Data: make([]api.Account, 0, len(all))}
	for _, a := range all {
		out.Data = append(out.Data, showAccount(a))
	}
	return out, nil
}

// addAccount is the person's, as are plans and tokens: what a program made for itself would outlive its token.
func (s *Server) addAccount(c *call) (any, error) {
	var in api.NewAccount
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	plan, err := account.ParsePlan(in.Plan)
	if err != nil {
		return nil, err
	}
	if err := account.CheckNew(in.Email, in.Password); err != nil {
		return nil, err
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	a, err := s.Accounts.Add(c.Context(), in.Email, in.Password, plan)
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

func (s *Server) setPlan(c *call) (any, error) {
	var in api.PlanChange
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	plan, err := account.ParsePlan(in.Plan)
	if err != nil {
		return nil, err
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	a, err := s.Accounts.SetPlan(c.Context(), in.Email, plan)
	if err != nil {
		return nil, err
	}
	return api.Me{Success: true, Data: showAccount(a)}, nil
}

func showToken(t account.Token) api.Token {
	return api.Token{ID: t.ID, Name: t.Name, Email: t.Email, CreatedAt: t.Created, UsedAt: moment(t.Used)}
}

func (s *Server) tokens(c *call) (any, error) {
	if err := c.requireCredential(); err != nil {
		return nil, err
	}
	all, err := s.Accounts.Tokens(c.Context())
	if err != nil {
		return nil, err
	}
	out := api.Tokens{Data: make([]api.Token, 0, len(all))}
	for _, t := range all {
		out.Data = append(out.Data, showToken(t))
	}
	return out, nil
}

func (s *Server) createToken(c *call) (any, error) {
	var in api.NewToken
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if err := account.CheckTokenName(in.Name); err != nil {
		return nil, err
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	secret, t, err := s.Accounts.CreateToken(c.Context(), in.Name)
	if err != nil {
		return nil, err
	}
	shown := showToken(t)
	shown.Token = secret
	return api.TokenData{Data: shown}, nil
}

func (s *Server) revokeToken(c *call) (any, error) {
	id, err := strconv.ParseInt(c.name, 10, 64)
	if err != nil || id < 1 {
		return nil, fault.Invalidf("%q is not a token's number.", c.name).WithHint("`cove token list` shows them.")
	}
	if err := c.requirePerson(); err != nil {
		return nil, err
	}
	return api.OK{Success: true}, s.Accounts.RevokeToken(c.Context(), id)
}
