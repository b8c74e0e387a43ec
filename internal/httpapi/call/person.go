package call

import (
	"errors"

	"cove/internal/account"
	"cove/internal/fault"
	"cove/internal/httpapi/signin"
)

// HeaderPIN carries the PIN. URLs and bodies end up in logs, so the PIN is never sent there.
const HeaderPIN = "Cove-Pin"

// RequirePerson refuses everybody but the person, who has the owner's own token or the window. API tokens are given to
// programs, so they do not count.
func (c *Call) RequirePerson() error {
	if err := c.RequireOwner(); err != nil {
		return err
	}
	token, err := c.Token()
	if err != nil {
		return err
	}
	if c.Window() != "" || c.credentials.Accounts.OwnersToken(token) {
		return nil
	}
	return fault.New(fault.CodeNotPerson, "Only the user can do that, in Cove's window or on the command line.",
		"An API token is not enough.")
}

// Window names the signed-in window that sent the call. It returns "" for a program.
func (c *Call) Window() string {
	if c.sendsToken() {
		return ""
	}
	if _, session, ok := c.page(); ok {
		return session
	}
	return ""
}

// Confirm requires the PIN, where there is one, before agents are allowed more than before.
func (c *Call) Confirm() error {
	if c.credentials.Unlocks.Has(c.Window()) {
		return nil
	}
	if c.confirmed == nil { // a wrong PIN is counted once for each call
		err := c.credentials.PIN.Check(c.Context(), c.Header.Get(HeaderPIN))
		c.confirmed = &err
	}
	return *c.confirmed
}

// ConfirmAgain requires the PIN from an unlocked window too: whoever sits down at it must not change the PIN.
func (c *Call) ConfirmAgain() error {
	return c.credentials.PIN.Check(c.Context(), c.Header.Get(HeaderPIN))
}

// RequirePIN requires a PIN with this very call, and that there is one. why is a sentence.
func (c *Call) RequirePIN(why string) error {
	set, err := c.credentials.PIN.IsSet(c.Context())
	if err != nil {
		return err
	}
	if !set {
		return fault.New(fault.CodePINUnset, why+" It needs a PIN.", "Set a PIN with cove pin set, and try again.")
	}
	return c.ConfirmAgain()
}

// page returns whose page sent the call, and the name of its session.
func (c *Call) page() (who account.Account, session string, ok bool) {
	cookie, err := c.Cookie(signin.CookieName(c.credentials.Port))
	if err != nil {
		return account.Account{}, "", false
	}
	who, ok = c.credentials.Pages.Who(cookie.Value, c.Header.Get(signin.Header))
	return who, signin.SessionOf(cookie.Value), ok
}

// RequirePersonFor requires the person and the PIN, and says what for.
func (c *Call) RequirePersonFor(action string) error {
	err := First(c.RequirePerson, c.Confirm)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == fault.CodeNotPerson {
		return fault.New(f.Code, "Only the user can "+action+".",
			"Do it in Cove's window or on the command line; an API token is not enough.")
	}
	return err
}

// RequireCredentialFor refuses a caller without a credential who sends a field that decides more than how to open a
// profile.
func (c *Call) RequireCredentialFor(field string) error {
	err := c.RequireCredential()
	if fault.KindOf(err) != fault.Unauthenticated {
		return err
	}
	f := fault.From(err)
	if c.WrongCredential() == "" {
		f = fault.New(f.Code, "The field \""+field+"\" needs a credential.", f.Hint).WithField(field)
	}
	return f
}
