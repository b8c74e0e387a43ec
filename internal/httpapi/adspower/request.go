package adspower

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/httpapi/call"
	"cove/internal/httpapi/input"
)

// request is one call while it is answered, with what it says.
type request struct {
	*call.Call
	// fields are the members of the body and the parameters of the URL, by their names in lower case.
	fields map[string]json.RawMessage
	// items is the body if that is an array.
	items []json.RawMessage
}

// keyField is the field that can hold the key.
const keyField = "api_key"

// read reads what a request says, and finds its key.
func (s *Server) read(w http.ResponseWriter, r *http.Request, limit int64) (*request, error) {
	limit = max(limit, maxBody)
	if r.ContentLength > limit {
		// Read on: a client that is still sending would see a broken connection instead of the answer.
		_, _ = io.CopyN(io.Discard, r.Body, limit+16*maxBody)
		return nil, call.ErrTooLarge(limit)
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	r.Header.Del(call.HeaderSession) // it belongs to another API
	c := &request{Call: s.credentials.New(w, r), fields: map[string]json.RawMessage{}}
	if err := c.CheckQuery(); err != nil {
		return nil, err
	}
	query, err := input.URLEncoded([]byte(r.URL.RawQuery))
	if err != nil {
		return nil, err
	}
	if err := c.add(query); err != nil {
		return nil, err
	}
	delete(c.fields, keyField) // URLs end up in logs
	body, err := c.JSON()
	if err != nil {
		return nil, err
	}
	if err := c.add(body); err != nil {
		return nil, err
	}

	key := r.Header.Get("api-key")
	if key == "" {
		key, _ = scalar(c.fields[keyField])
	}
	delete(c.fields, keyField)
	if key != "" { // beside the Authorization header, which counts, too
		r.Header.Set(call.HeaderSession, key)
	}
	return c, nil
}

// add adds the members of an object. A name that is there already must say the same.
func (c *request) add(raw json.RawMessage) error {
	if raw == nil {
		return nil
	}
	if raw[0] == '[' {
		return input.DecodeJSON(raw, &c.items)
	}
	var members map[string]json.RawMessage
	if err := input.DecodeJSON(raw, &members); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		low := strings.TrimSuffix(strings.ToLower(name), "[]")
		if string(members[name]) == "null" { // scripts send what they have no value for
			continue
		}
		before, twice := c.fields[low]
		if twice && !sameValue(before, members[name]) {
			return fault.Fieldf(input.Clip(low), "The field %q is sent twice, with different values.", input.Clip(low)).
				WithHint("Send it once.")
		}
		c.fields[low] = members[name]
	}
	return nil
}

// sameValue reports whether two values say the same: 1 and "1" do.
func sameValue(a, b json.RawMessage) bool {
	x, okX := scalar(a)
	y, okY := scalar(b)
	return okX && okY && x == y || bytes.Equal(a, b)
}

// says reports whether a field is there and holds something.
func (c *request) says(name string) bool {
	switch string(bytes.TrimSpace(c.fields[name])) {
	case "", `""`, "[]", "{}":
		return false
	}
	return true
}

// sends reports whether a list is there, even an empty one. An empty text says nothing.
func (c *request) sends(name string) bool {
	raw, there := c.fields[name]
	return there && string(raw) != `""`
}

// scalar reads a text, a number or a flag as a text. null is "". ok is false for anything else.
func scalar(raw json.RawMessage) (text string, ok bool) {
	var value any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&value) != nil {
		return "", false
	}
	switch v := value.(type) {
	case nil:
		return "", true
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// word reads a field that holds one value, without the spaces around it.
func (c *request) word(name string) (string, error) {
	text, err := c.text(name)
	return strings.TrimSpace(text), err
}

// text reads a field that holds one value. A field that is not there is "".
func (c *request) text(name string) (string, error) {
	raw, there := c.fields[name]
	if !there {
		return "", nil
	}
	text, ok := scalar(raw)
	if !ok {
		return "", fault.Fieldf(name, "The field %q must be a text.", name)
	}
	return text, nil
}

// list reads a field that holds a list: an array, the JSON text of one, or one value. commas says that the value may
// hold several with commas in between.
func (c *request) list(name string, commas bool) ([]string, error) {
	raw, there := c.fields[name]
	if !there {
		return nil, nil
	}
	one, isOne := scalar(raw)
	if one = strings.TrimSpace(one); isOne && strings.HasPrefix(one, "[") {
		raw, isOne = json.RawMessage(one), false
	}
	switch {
	case isOne && one == "":
		return nil, nil
	case isOne && commas:
		return strings.Split(one, ","), nil
	case isOne:
		return []string{one}, nil
	}

	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil, fault.Fieldf(name, "The field %q must be a list of texts.", name)
	}
	out := make([]string, len(items))
	for i, item := range items {
		text, ok := scalar(item)
		if !ok || string(item) == "null" {
			return nil, fault.Fieldf(name+"."+strconv.Itoa(i), "The field %q must be a list of texts.", name)
		}
		out[i] = text
	}
	return out, nil
}

// number reads a whole number of 32 bits from 1 on. A field that is empty or not there is fallback.
func (c *request) number(name string, fallback int) (int, error) {
	text, err := c.word(name)
	if err != nil || text == "" {
		return fallback, err
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		return 0, fault.Fieldf(name, "The field %q must be a whole number from 1 on.", name)
	}
	return int(n), nil
}

// flag reads a yes or no.
func (c *request) flag(name string) (bool, error) {
	text, err := c.word(name)
	if err != nil {
		return false, err
	}
	yes, ok := api.ParseFlag(text)
	if !ok {
		return false, fault.Fieldf(name, "The field %q must be 1 or 0.", name)
	}
	return yes, nil
}

// object reads a field that holds an object, or the JSON text of one.
func (c *request) object(name string) (map[string]json.RawMessage, error) {
	raw := c.fields[name]
	if text, ok := scalar(raw); ok {
		raw = json.RawMessage(text)
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return nil, fault.Fieldf(name, "The field %q must be an object.", name)
	}
	out := make(map[string]json.RawMessage, len(members))
	for member, value := range members {
		out[strings.ToLower(member)] = value
	}
	return out, nil
}
