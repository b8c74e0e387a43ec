package httpapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/account"
	"cove/internal/fault"
)

// body reads the request's body as JSON. It also reads forms, and returns nil for an empty body.
func (c *call) body() (json.RawMessage, error) {
	raw, err := io.ReadAll(c.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, errTooLarge()
		}
		return nil, fault.Invalidf("The request's body could not be read.").Because(err)
	}
	if len(strings.TrimSpace(string(raw))) == 0 {
		return nil, nil
	}
	if kind, _, _ := mime.ParseMediaType(c.Header.Get("Content-Type")); kind == "application/x-www-form-urlencoded" &&
		raw[0] != '{' {
		values, err := url.ParseQuery(string(raw))
		if err != nil {
			return nil, fault.Invalidf("The request's form could not be read.").Because(err)
		}
		fields, err := formValues(values)
		if err != nil {
			return nil, err
		}
		return json.Marshal(fields)
	}
	if !json.Valid(raw) {
		return nil, fault.Invalidf("The request's body is not valid JSON.").
			WithHint("Send JSON, or a form with the header Content-Type: application/x-www-form-urlencoded.")
	}
	return raw, nil
}

// formValues turns form names into the shape of JSON: proxy[host]=h becomes {"proxy":{"host":"h"}}, tags[]=a becomes
// ["a"], and a name that is sent twice becomes a list.
func formValues(values url.Values) (map[string]any, error) {
	out := map[string]any{}
	for key, vs := range values {
		name, rest, nested := strings.Cut(strings.TrimSuffix(key, "]"), "[")
		before, there := out[name]
		inner, object := before.(map[string]any)
		if there && (!nested || rest == "" || !object) {
			return nil, fault.Fieldf(clip(name), "The form sends %q in two ways.", clip(name)).
				WithHint("Send it in one.")
		}
		switch {
		case nested && rest == "", !nested && len(vs) > 1:
			out[name] = vs
		case nested:
			if !object {
				inner = map[string]any{}
				out[name] = inner
			}
			inner[rest] = vs[len(vs)-1]
			if len(vs) > 1 {
				inner[rest] = vs
			}
		default:
			out[key] = vs[0]
		}
	}
	return out, nil
}

// decode reads the body into v. An empty body leaves v unchanged.
func (c *call) decode(v any) error {
	raw, err := c.body()
	if err != nil || raw == nil {
		return err
	}
	return decodeJSON(raw, v)
}

// flag reads a yes or no from the query.
func (c *call) flag(name string) (bool, error) {
	for _, text := range c.URL.Query()[name] {
		value, ok := api.ParseFlag(text)
		if !ok {
			return false, fault.Fieldf(name, "The value of %q is not a yes or no.", name).
				WithHint("Use " + name + "=1 or " + name + "=0.")
		}
		if value {
			return true, nil
		}
	}
	return false, nil
}

// number reads a whole number from the query. It returns fallback when the name is absent or empty.
func (c *call) number(name string, fallback int) (int, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.Fieldf(name, "The value of %q is not a whole number.", name).
			WithHint("Write it as " + name + "=1.")
	}
	return n, nil
}

// query reports whether the query can be parsed at all.
func (c *call) query() error {
	if _, err := url.ParseQuery(c.URL.RawQuery); err != nil {
		return fault.Invalidf("The URL's query cannot be parsed.").
			WithHint("Separate its parts with & and write other characters than letters and digits as %XX.")
	}
	return nil
}

// credential returns whose token or window the call carries, and false without one that Cove knows. Scripts written for
// other local APIs send tokens of their own, so an unknown token does not fail a call that needs none.
func (c *call) credential() (account.Account, bool, error) {
	if !c.bearer() {
		a, _, ok := c.page()
		return a, ok, nil
	}
	_, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	a, err := c.server.config.Accounts.Credential(c.Context(), token)
	if fault.KindOf(err) == fault.Unauthenticated {
		return account.Account{}, false, nil
	}
	return a, err == nil, err
}

// bearer reports whether the call carries a token, known or not. A call with a token does not count as a page's.
func (c *call) bearer() bool {
	scheme, _, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer")
}

// requireCredential refuses a call without a credential.
func (c *call) requireCredential() error {
	_, ok, err := c.credential()
	if err != nil || ok {
		return err
	}
	c.w.Header().Set("WWW-Authenticate", "Bearer")
	text := "This call needs a credential."
	if wrong := c.wrongCredential(); wrong != "" {
		text = wrong
	}
	return fault.New(fault.CodeUnauthorized, text, sendCredential)
}

// sendCredential tells a program how to show who it is.
const sendCredential = "Send an API token (cove token create NAME) or the text of the file owner.token in the data " +
	"folder as the header Authorization: Bearer …"

// wrongCredential says why Cove does not know the call's credential. It returns "" when the call carries none.
func (c *call) wrongCredential() string {
	header := c.Header.Get("Authorization")
	_, token, _ := strings.Cut(header, " ")
	switch {
	case strings.TrimSpace(header) == "":
		return ""
	case !c.bearer():
		return "The header Authorization does not begin with Bearer."
	case strings.TrimSpace(token) == "":
		return "The header Authorization carries no token."
	}
	return "The token in the header Authorization is not one of Cove's: it was revoked, or belongs to another Cove."
}

// requireOwner refuses every caller but the owner of this Cove. Accounts, settings and the app itself belong to the
// owner.
func (c *call) requireOwner() error {
	a, ok, err := c.credential()
	if err != nil {
		return err
	}
	if !ok {
		return c.requireCredential()
	}
	if !a.Owner {
		return fault.New(fault.CodeNotOwner, "Only the owner of this Cove can do that.",
			"Use the owner's token: the text of the file owner.token.")
	}
	return nil
}

// openToPages are the calls that our own pages make before a person signs in or gives them a token.
var openToPages = []string{"/", "/docs", "/docs/docs.js", "/docs/docs.css", "/v1.0/openapi.json", "/v1.0/status"}

// checkPage refuses a call of our own page without a credential. An agent can open that page in its tab as well as a
// person can, and could then do whatever the page can.
func (c *call) checkPage() error {
	_, origin := c.Header["Origin"]
	_, site := c.Header["Sec-Fetch-Site"]
	if (!origin && !site) || c.URL.Path == "/" || c.openToPages() {
		return nil
	}
	_, ok, err := c.credential()
	if err != nil || ok {
		return err
	}
	return fault.New(fault.CodeForbiddenOrigin, "A page can make this call only with a token.",
		"Give the page an API token (cove token create NAME), or make the call from a program.")
}

func (c *call) openToPages() bool {
	path := strings.TrimSuffix(c.URL.Path, "/")
	switch c.Method {
	case http.MethodGet:
		return slices.Contains(openToPages, path) || (strings.HasPrefix(path, "/ui/") && path != "/ui/session")
	case http.MethodPost:
		return path == "/v1.0/ui/session" // it carries a code
	}
	return false
}

// mayDrive refuses start and stop without a credential when the setting require_token is on.
func (c *call) mayDrive() error {
	required, err := c.server.config.Machine.RequireToken(c.Context())
	if err != nil || !required {
		return err
	}
	return c.requireCredential()
}

// requireLogin refuses a call while nobody is logged in.
func (c *call) requireLogin() error {
	_, err := c.server.config.Accounts.Current(c.Context())
	return err
}

// first runs checks in order and returns the first failure.
func first(checks ...func() error) error {
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func address(host, path string) string { return fmt.Sprintf("http://%s%s", host, path) }
