package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"cove/internal/fault"
)

// Bounds of a form. Five thousand cookies, field by field, fit.
const (
	maxFields = 100_000
	maxDepth  = 16
)

// field is one value of a form, under its name as it was sent.
type field struct {
	name  string
	value any // a text, or JSON
}

// URLEncoded reads a form of the type application/x-www-form-urlencoded and returns it as a JSON object.
func URLEncoded(raw []byte) (json.RawMessage, error) {
	var fields []field
	for pair := range strings.SplitSeq(strings.TrimSpace(string(raw)), "&") {
		if pair == "" {
			continue
		}
		left, right, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(left)
		if err != nil {
			return nil, unreadable(err)
		}
		value, err := url.QueryUnescape(right)
		if err != nil {
			return nil, unreadable(err)
		}
		fields = append(fields, field{name, value})
		if len(fields) > maxFields {
			return nil, tooMany()
		}
	}
	return object(fields)
}

// Boundary returns the boundary of a form that begins like one of the type multipart/form-data, and "" for anything
// else. Some scripts send such a form with the type of JSON.
func Boundary(raw []byte) string {
	first, rest, _ := bytes.Cut(raw, []byte("\n"))
	boundary, dashed := bytes.CutPrefix(bytes.TrimRight(first, "\r"), []byte("--"))
	const header, longest = "content-disposition:", 70
	if !dashed || len(boundary) > longest || len(rest) < len(header) ||
		!strings.EqualFold(string(rest[:len(header)]), header) {
		return ""
	}
	return string(boundary)
}

// Multipart reads a form of the type multipart/form-data and returns it as a JSON object. It takes no files.
func Multipart(raw []byte, boundary string) (json.RawMessage, error) {
	if boundary == "" {
		return nil, fault.Invalidf("The request's form could not be read: the header Content-Type has no boundary.").
			WithHint("Let the HTTP client set the header, or send JSON.")
	}
	if !bytes.Contains(raw, []byte("--"+boundary)) {
		return nil, unreadable(errors.New("the boundary is not in the body"))
	}
	var fields []field
	for r := multipart.NewReader(bytes.NewReader(raw), boundary); ; {
		part, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return object(fields)
		}
		if err != nil {
			return nil, unreadable(err)
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, unreadable(err)
		}
		// Python's requests gives a plain value a file name, too: the name of its field.
		name := part.FormName()
		if file := part.FileName(); file != "" && file != name {
			return nil, fault.Fieldf(Clip(name), "This call takes no file in %q.", Clip(name)).
				WithHint("Send the contents as a field, or send JSON.")
		}
		fields = append(fields, field{name, string(value)})
		if len(fields) > maxFields {
			return nil, tooMany()
		}
	}
}

func unreadable(err error) error {
	return fault.Invalidf("The request's form could not be read.").
		WithHint("Percent-encode the form, or send JSON.").Because(err)
}

func tooMany() error {
	return fault.Invalidf("The request's form has more than %d fields.", maxFields).WithHint("Send less at a time.")
}

// object returns the fields of a form as one JSON object.
func object(fields []field) (json.RawMessage, error) {
	root := &node{}
	for _, f := range fields {
		text, _ := f.value.(string)
		if !utf8.ValidString(f.name) || !utf8.ValidString(text) {
			return nil, fault.Fieldf(Clip(strings.ToValidUTF8(f.name, "?")), "The request's form is not UTF-8.").
				WithHint("Encode the form in UTF-8.")
		}
		path, err := splitName(f.name)
		if err != nil {
			return nil, err
		}
		if hint := root.add(path, f.value); hint != "" {
			return nil, fault.Fieldf(Clip(path[0]), "The form sends %q twice, in different formats.", Clip(path[0])).
				WithHint(hint)
		}
	}
	return json.Marshal(root.object())
}

// Nested resolves the names of a form in a JSON object: some scripts send {"proxy[type]":"http"}. It returns anything
// else as it is.
func Nested(raw json.RawMessage) (json.RawMessage, error) {
	if !bytes.Contains(raw, []byte(`[`)) || raw[0] != '{' {
		return raw, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, asFault(err, "")
	}
	names := slices.Sorted(maps.Keys(all))
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "[") }) {
		return raw, nil
	}
	fields := make([]field, len(names))
	for i, name := range names {
		fields[i] = field{name, all[name]}
	}
	return object(fields)
}

// splitName returns the steps that a name such as items[0][name] takes into the object. The step of [] is "".
func splitName(name string) ([]string, error) {
	first, rest, nested := strings.Cut(name, "[")
	path := []string{first}
	bad := fault.Fieldf(Clip(name), "The form's name %q is not valid.", Clip(name)).
		WithHint("Write names as tags[], proxy[host] or items[0][name].")
	for nested {
		step, after, closed := strings.Cut(rest, "]")
		if !closed || strings.Contains(step, "[") || (after != "" && after[0] != '[') {
			return nil, bad
		}
		path = append(path, step)
		_, rest, nested = strings.Cut(after, "[")
	}
	if first == "" {
		return nil, bad
	}
	if len(path) > maxDepth {
		return nil, fault.Fieldf(Clip(name), "The form's name %q is nested too deep.", Clip(name)).
			WithHint("Send JSON.")
	}
	return path, nil
}
