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

// body reads the request's body as JSON, from a form too; nil when there is none.
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
	if kind, _, _ := mime.ParseMediaType(c.Header.Get("Content-Type")); kind == "application/x-www-form-urlencoded" && raw[0] != '{' {
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
		return nil, fault.Invalidf("The request's body is not valid JSON.").WithHint("Send JSON, or a form with the header Content-Type: application/x-www-form-urlencoded.")
	}
	return raw, nil
}

// formValues turns the names of a form into the shape of JSON: proxy[host]=h is {"proxy":{"host":"h"}}, tags[]=a is ["a"], and so is a name that is
// there twice.
func formValues(values url.Values) (map[string]any, error) {
	out := map[string]any{}
	for key, vs := range values {
		name, rest, nested := strings.Cut(strings.TrimSuffix(key, "]"), "[")
		before, there := out[name]
		inner, object := before.(map[string]any)
		if there && (!nested || rest == "" || !object) {
			return nil, fault.Invalidf("The form says %q in two ways.", clip(name)).WithHint("Send it in one.")
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

// decode reads the body into v; an empty body leaves v as it is.
func (c *call) decode(v any) error {
	raw, err := c.body()
	if err != nil || raw == nil {
		return err
	}
	return decodeJSON(raw, v)
}

func decodeJSON(raw json.RawMessage, v any) error {
	err := json.Unmarshal(raw, v)
	var wrong *json.UnmarshalTypeError
	var told *api.InputError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &told):
		return fault.Invalidf("%s", told.Text).WithHint(told.Hint)
	case errors.As(err, &wrong) && wrong.Field != "":
		return fault.Invalidf("The field %q may not be of the type %s.", wrong.Field, wrong.Value).WithHint("The calls are described at /docs.")
	case errors.As(err, &wrong):
		return fault.Invalidf("The request's body may not be of the type %s.", wrong.Value).WithHint("The calls are described at /docs.")
	default:
		return fault.Invalidf("The request's body does not fit: %s.", err).WithHint("The calls are described at /docs.")
	}
}

// flag reads a yes or no of the query.
func (c *call) flag(name string) (bool, error) {
	for _, text := range c.URL.Query()[name] {
		value, ok := api.ParseFlag(text)
		if !ok {
			return false, fault.Invalidf("The value of %q is not a yes or no.", name).WithHint("Use " + name + "=1 or " + name + "=0.")
		}
		if value {
			return true, nil
		}
	}
	return false, nil
}

// number reads a whole number of the query, fallback when it is absent or empty.
func (c *call) number(name string, fallback int) (int, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.Invalidf("The value of %q is not a whole number.", name).WithHint("Write it as " + name + "=1.")
	}
	return n, nil
}

// query checks that the query can be read at all.
func (c *call) query() error {
	if _, err := url.ParseQuery(c.URL.RawQuery); err != nil {
		return fault.Invalidf("The address's query cannot be read.").WithHint("Separate its parts with & and write other characters than letters and digits as %XX.")
	}
	return nil
}

// credential tells whose token, or whose window, the call carries; false without one that Cove knows. Scripts written for other local APIs send
// tokens of their own, which are no reason to refuse a call that needs none.
func (c *call) credential() (account.Account, bool, error) {
	if !c.bearer() {
		a, _, ok := c.page()
		return a, ok, nil
	}
	_, token, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	a, err := c.server.Accounts.Credential(c.Context(), token)
	if fault.KindOf(err) == fault.Unauthenticated {
		return account.Account{}, false, nil
	}
	return a, err == nil, err
}

// bearer tells whether the call carries a token, known or not: then its page, if any, does not count.
func (c *call) bearer() bool {
	scheme, _, _ := strings.Cut(c.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer")
}

// mustOwn refuses a call without a credential.
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
	return fault.New(fault.Unauthenticated, "E_UNAUTHORIZED", text, sendCredential)
}

// sendCredential is how a program shows who it is.
const sendCredential = "Send an API token (cove token create NAME) or the text of the file owner.token in the data folder as the header Authorization: Bearer …"

// wrongCredential says what is wrong with the credential of a call that has none that Cove knows; "" when it has none at all.
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

// mustBeOwner refuses everybody but the owner of this Cove: accounts, settings and the app itself are theirs.
func (c *call) requireOwner() error {
	a, ok, err := c.credential()
	if err != nil {
		return err
	}
	if !ok {
		return c.requireCredential()
	}
	if !a.Owner {
		return fault.New(fault.Denied, "E_NOT_OWNER", "Only the owner of this Cove may do that.", "Use the owner's token: the text of the file owner.token.")
	}
	return nil
}

// openToPages are the calls that our own pages need before a person has signed them in or given them a token.
var openToPages = []string{"/", "/docs", "/docs/docs.js", "/docs/docs.css", "/v1.0/openapi.json", "/v1.0/status"}

// pageMay refuses a call of our own page without a credential: an agent can send its tab to that page as well as a person
// can, and what the page may do the agent may do then.
func (c *call) pageMay() error {
	_, origin := c.Header["Origin"]
	_, site := c.Header["Sec-Fetch-Site"]
	if (!origin && !site) || c.URL.Path == "/" || c.openToPages() {
		return nil
	}
	_, ok, err := c.credential()
	if err != nil || ok {
		return err
	}
	return fault.New(fault.Denied, "E_FORBIDDEN_ORIGIN", "A page may make this call only with a token.",
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

// mayDrive refuses start and stop without a credential when the person wants it so.
func (c *call) mayDrive() error {
	required, err := c.server.Machine.RequireToken(c.Context())
	if err != nil || !required {
		return err
	}
	return c.requireCredential()
}

// mustLogIn refuses a call while nobody is logged in.
func (c *call) mustLogIn() error {
	_, err := c.server.Accounts.Current(c.Context())
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
