package call

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"unicode/utf8"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/input"
)

// JSON reads the request's body as JSON. It also reads forms, and returns nil for an empty body. A body is what it
// begins like, whatever its type says: some HTTP clients label every text as a form, and some scripts every form as
// JSON.
func (c *Call) JSON() (json.RawMessage, error) {
	raw, err := io.ReadAll(c.Body)
	if err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			return nil, ErrTooLarge(large.Limit)
		}
		return nil, fault.Invalidf("The request's body could not be read.").Because(err)
	}
	raw = bytes.TrimSpace(bytes.TrimPrefix(raw, []byte("\ufeff")))
	if len(raw) == 0 {
		return nil, nil
	}
	kind, options, _ := mime.ParseMediaType(c.Header.Get("Content-Type"))
	boundary := input.Boundary(raw)
	if kind == "multipart/form-data" {
		boundary = cmp.Or(options["boundary"], boundary)
	}
	switch {
	case raw[0] == '{', raw[0] == '[':
	case kind == "multipart/form-data", boundary != "":
		return input.Multipart(raw, boundary)
	case kind == "application/x-www-form-urlencoded":
		return input.URLEncoded(raw)
	}
	if !json.Valid(raw) {
		return nil, fault.Invalidf("The request's body is not valid JSON.").
			WithHint("Send JSON, or a form with the header Content-Type: application/x-www-form-urlencoded.")
	}
	if !utf8.Valid(raw) {
		return nil, fault.Invalidf("The request's body is not UTF-8.").WithHint("Encode it in UTF-8.")
	}
	return input.Nested(raw)
}

// Decode reads the body into v. An empty body leaves v unchanged.
func (c *Call) Decode(v any) error {
	raw, err := c.JSON()
	if err != nil || raw == nil {
		return err
	}
	return input.DecodeJSON(raw, v)
}

// Flag reads a yes or no from the query.
func (c *Call) Flag(name string) (bool, error) {
	for _, text := range c.URL.Query()[name] {
		value, ok := api.ParseFlag(text)
		if !ok {
			return false, fault.Fieldf(name, "%q must be true or false.", name).
				WithHint("Use " + name + "=1 or " + name + "=0.")
		}
		if value {
			return true, nil
		}
	}
	return false, nil
}

// Number reads a whole number from the query. It returns fallback when the name is absent or empty.
func (c *Call) Number(name string, fallback int) (int, error) {
	text := c.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, fault.Fieldf(name, "%q must be a whole number.", name).
			WithHint("For example: " + name + "=1")
	}
	return n, nil
}

// CheckQuery reports whether the query can be parsed at all.
func (c *Call) CheckQuery() error {
	if _, err := url.ParseQuery(c.URL.RawQuery); err != nil {
		return fault.Invalidf("The URL's query cannot be parsed.").
			WithHint("Separate parameters with & and percent-encode special characters.")
	}
	return nil
}
