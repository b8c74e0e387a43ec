package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// arguments are the arguments of one call of a tool, before they are read.
type arguments struct {
	tool   string
	raw    json.RawMessage
	given  map[string]json.RawMessage
	fields []field
}

// Read reads a tool's arguments into a struct. Its error says in plain words what is wrong with them.
func Read(tool string, raw json.RawMessage, in any) error {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}

	a := arguments{tool: tool, raw: raw, fields: fieldsOf(reflect.TypeOf(in).Elem())}
	if json.Unmarshal(raw, &a.given) != nil {
		return a.wrong("expected an object")
	}
	if err := a.check(); err != nil {
		return err
	}

	err := json.NewDecoder(bytes.NewReader(raw)).Decode(in)
	if err != nil && !errors.Is(err, io.EOF) {
		return a.explain(err)
	}
	return nil
}

func (a *arguments) wrong(format string, args ...any) error {
	text := "Invalid arguments for tool " + a.tool + ": " + fmt.Sprintf(format, args...) + "."
	return fault.New(fault.CodeArguments, text, "")
}

// check finds unknown, missing and impossible arguments.
func (a *arguments) check() error {
	for key, value := range a.given {
		i := slices.IndexFunc(a.fields, func(f field) bool { return f.name == key })
		if i < 0 {
			return a.wrong("unrecognized key %q", key)
		}
		if string(value) == "null" {
			delete(a.given, key)
			continue
		}
		if err := checkOptions(a.fields[i], value); err != nil {
			return a.wrong("%s: %v", key, err)
		}
	}

	for _, f := range a.fields {
		if _, ok := a.given[f.name]; f.required && !ok {
			return a.wrong("%s is required", f.name)
		}
	}
	return nil
}

// explain turns an error of the decoder into a sentence that names the argument.
func (a *arguments) explain(err error) error {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		return a.wrong("%s: expected %s, received %s", a.nameIn(wrong.Field), jsonType(wrong.Type), wrong.Value)
	}

	for _, f := range a.fields { // the error of a Number does not name it
		value, ok := a.given[f.name]
		if ok && json.Unmarshal(value, reflect.New(f.typ).Interface()) != nil {
			return a.wrong("%s: expected %s", f.name, jsonType(f.typ))
		}
	}
	return a.wrong("%v", err)
}

// nameIn returns the part of a decoder's path that begins with an argument. Before it stand the names of embedded
// structs, which agents do not know.
func (a *arguments) nameIn(path string) string {
	for {
		known := slices.ContainsFunc(a.fields, func(f field) bool {
			return f.name == path || strings.HasPrefix(path, f.name+".")
		})
		if known {
			return path
		}
		_, rest, ok := strings.Cut(path, ".")
		if !ok {
			return path
		}
		path = rest
	}
}

func checkOptions(f field, raw json.RawMessage) error {
	if f.options == nil {
		return nil
	}

	var words []string
	var word string
	if json.Unmarshal(raw, &word) == nil {
		words = []string{word}
	} else if json.Unmarshal(raw, &words) != nil {
		return nil //nolint:nilerr // the type is wrong, and the decoder says so
	}

	for _, w := range words {
		if !slices.Contains(f.options, w) {
			return fmt.Errorf("%q is not one of %s", w, strings.Join(f.options, ", "))
		}
	}
	return nil
}

func jsonType(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Int, reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Bool:
		return "boolean"
	case reflect.Struct, reflect.Map:
		return "object"
	}
	return t.Kind().String()
}

// Number is a number in the input of a tool. It reads 3 and "3": models write both.
type Number float64

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		return &json.UnmarshalTypeError{Value: kindOf(raw), Type: reflect.TypeFor[float64]()}
	}
	*n = Number(f)
	return nil
}

// kindOf names the kind of a JSON value.
func kindOf(raw []byte) string {
	switch raw[0] {
	case '"':
		return "string"
	case '{':
		return "object"
	case '[':
		return "array"
	case 't', 'f':
		return "boolean"
	}
	return "number"
}
