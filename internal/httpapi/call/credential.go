package call

import (
	"net/http"
	"slices"
	"strings"

	"cove/internal/account"
	"cove/internal/fault"
)

// HeaderSession carries a token, too: scripts for Dolphin send it to its local API.
const HeaderSession = "X-Anty-Session-Token"

// Credential returns whose token or window the call carries, and false without one that Cove knows. Scripts written for
// other local APIs send tokens of their own, so an unknown token does not fail a call that needs none.
func (c *Call) Credential() (account.Account, bool, error) {
	a, _, ok, err := c.credential()
	return a, ok, err
}

// credential is Credential. It also returns the token by which Cove knows the sender, "" for a window.
func (c *Call) credential() (who account.Account, token string, ok bool, err error) {
	if !c.sendsToken() {
		who, _, ok = c.page()
		return who, "", ok, nil
	}
	for _, token := range c.tokens() {
		who, err := c.credentials.Accounts.Credential(c.Context(), token)
		if fault.KindOf(err) == fault.Unauthenticated {
			continue
		}
		return who, token, err == nil, err
	}
	return account.Account{}, "", false, nil
}

// Token returns the token by which Cove knows the sender, "" for a window and for a sender that it does not know.
func (c *Call) Token() (string, error) {
	_, token, _, err := c.credential()
	return token, err
}

// sendsToken reports whether the call carries a token, known or not. A call with a token does not count as a page's.
func (c *Call) sendsToken() bool { return len(c.tokens()) > 0 }

// tokens returns the tokens that the call carries, known or not.
func (c *Call) tokens() (all []string) {
	if token, ok := TokenOf(c.Header.Get("Authorization")); ok {
		all = append(all, token)
	}
	if token, ok := TokenOf(c.Header.Get(HeaderSession)); ok {
		all = append(all, token)
	}
	return all
}

// TokenOf returns the token in the value of a header or a field: "Bearer T", or T alone. Another scheme, such as Basic,
// holds no token.
func TokenOf(value string) (token string, ok bool) {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(value), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case strings.EqualFold(scheme, "Bearer"):
		return rest, true
	case scheme == "" || rest != "":
		return "", false
	}
	return scheme, true
}

// RequireCredential refuses a call without a credential.
func (c *Call) RequireCredential() error {
	_, ok, err := c.Credential()
	if err != nil || ok {
		return err
	}
	c.W.Header().Set("WWW-Authenticate", "Bearer")
	text := "This call needs a credential."
	if wrong := c.WrongCredential(); wrong != "" {
		text = wrong
	}
	return fault.New(fault.CodeUnauthorized, text, SendCredential)
}

// SendCredential tells a program how to show who it is.
const SendCredential = "Send an API token (cove token create NAME) or the contents of owner.token in the data " +
	"folder in the header Authorization: Bearer …"

// WrongCredential says why Cove does not know the call's credential. It returns "" when the call carries none.
func (c *Call) WrongCredential() string {
	name := "Authorization"
	if strings.TrimSpace(c.Header.Get(name)) == "" {
		name = HeaderSession
	}
	token, ok := TokenOf(c.Header.Get(name))
	switch {
	case strings.TrimSpace(c.Header.Get(name)) == "":
		return ""
	case !ok:
		return "The header " + name + " is not a Bearer token."
	case token == "":
		return "The header " + name + " has no token."
	}
	return "The token in the header " + name + " is not valid: it was revoked, or belongs to another Cove."
}

// RequireOwner refuses every caller but the owner of this Cove. Accounts, settings and the app itself belong to the
// owner.
func (c *Call) RequireOwner() error {
	a, ok, err := c.Credential()
	if err != nil {
		return err
	}
	if !ok {
		return c.RequireCredential()
	}
	if !a.Owner {
		return fault.New(fault.CodeNotOwner, "Only the owner of this Cove can do that.",
			"Use the owner's token from the file owner.token.")
	}
	return nil
}

// HeaderRequestKey carries the key of one request: the page of that request has it from its address.
const HeaderRequestKey = "Cove-Ask"

// RequestKey returns the key of a request that the call carries. A call with a token or of a window needs none.
func (c *Call) RequestKey() string {
	if _, ok, err := c.Credential(); err != nil || ok {
		return ""
	}
	return c.Header.Get(HeaderRequestKey)
}

// openToPages are the calls that our own pages make before a person signs in or gives them a token.
var openToPages = []string{"/", "/docs", "/docs/docs.js", "/docs/docs.css", "/v1.0/openapi.json", "/v1.0/status"}

// CheckPage refuses a call of our own page without a credential. An agent can open that page in its tab as well as a
// person can, and could then do whatever the page can.
func (c *Call) CheckPage() error {
	_, origin := c.Header["Origin"]
	_, site := c.Header["Sec-Fetch-Site"]
	if (!origin && !site) || c.URL.Path == "/" || c.openToPages() {
		return nil
	}
	_, ok, err := c.Credential()
	if err != nil || ok {
		return err
	}
	return fault.New(fault.CodeForbiddenOrigin, "A page can make this call only with a token.",
		"Give the page an API token (cove token create NAME), or make the call from a program.")
}

func (c *Call) openToPages() bool {
	path := strings.TrimSuffix(c.URL.Path, "/")
	if c.RequestKey() != "" && strings.HasPrefix(path, "/v1.0/asks/") {
		return true // the call checks the key
	}
	switch c.Method {
	case http.MethodGet:
		return slices.Contains(openToPages, path) || strings.HasPrefix(path, "/ask/") ||
			(strings.HasPrefix(path, "/ui/") && path != "/ui/session")
	case http.MethodPost:
		return path == "/v1.0/ui/session" // it carries a code
	}
	return false
}

// MayDrive refuses start and stop without a credential when the setting require_token is on.
func (c *Call) MayDrive() error {
	required, err := c.credentials.RequireToken(c.Context())
	if err != nil || !required {
		return err
	}
	return c.RequireCredential()
}

// RequireLogin refuses a call while nobody is logged in.
func (c *Call) RequireLogin() error {
	_, err := c.credentials.Accounts.Current(c.Context())
	return err
}
