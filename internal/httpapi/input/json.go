// Package input reads what requests say: JSON and forms, and the names of fields and parameters that Cove does not
// know.
package input

import (
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
)

// DecodeJSON reads raw into v. A refusal names the member that does not fit.
func DecodeJSON(raw json.RawMessage, v any) error {
	err := json.Unmarshal(raw, v)
	if err == nil {
		return nil
	}
	if name, inner := misfit(raw, v); inner != nil {
		return fault.In(name, asFault(inner, name))
	}
	return asFault(err, "")
}

// asFault words an error of the decoder. name is the member that was decoded, "" for the whole body.
func asFault(err error, name string) error {
	const hint = "See the API reference at /docs."
	what := "The request's body"
	if name != "" {
		what = "The field \"" + Clip(name) + "\""
	}

	var wrong *json.UnmarshalTypeError
	var f *fault.Error
	switch {
	case errors.As(err, &f):
		if f.Hint == "" {
			return f.WithHint(hint)
		}
		return f
	case errors.As(err, &wrong) && wrong.Field != "":
		full := strings.TrimPrefix(name+"."+wrong.Field, ".")
		return fault.Fieldf(wrong.Field, "The field %q cannot be of the type %s.", full, wrong.Value).WithHint(hint)
	case errors.As(err, &wrong):
		return fault.Invalidf("%s cannot be of the type %s.", what, wrong.Value).WithHint(hint)
	default:
		return fault.Invalidf("%s does not fit: %s.", what, err).WithHint(hint)
	}
}

// misfit finds the member of the object raw that does not fit the struct that v points to. The decoder does not name
// the member when the member's own UnmarshalJSON refuses it.
func misfit(raw json.RawMessage, v any) (name string, err error) {
	target := reflect.TypeOf(v).Elem()
	var members map[string]json.RawMessage
	if _, reads := v.(json.Unmarshaler); reads || target.Kind() != reflect.Struct {
		return "", nil
	}
	_ = json.Unmarshal(raw, &members) // what is no object has no member to name

	for _, name := range slices.Sorted(maps.Keys(members)) {
		for _, field := range reflect.VisibleFields(target) {
			known, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !strings.EqualFold(known, name) {
				continue
			}
			member := reflect.New(field.Type).Interface()
			if err := json.Unmarshal(members[name], member); err != nil {
				if at, inner := misfitItem(members[name], field.Type); inner != nil {
					return known + "." + at, inner
				}
				return known, err
			}
		}
	}
	return "", nil
}

// misfitItem finds the item of the list raw, and its member, that does not fit the slice of structs list.
func misfitItem(raw json.RawMessage, list reflect.Type) (name string, err error) {
	var items []json.RawMessage
	if list.Kind() != reflect.Slice || list.Elem().Kind() != reflect.Struct {
		return "", nil
	}
	_ = json.Unmarshal(raw, &items) // what is no list has no item to name
	for i, item := range items {
		if name, err := misfit(item, reflect.New(list.Elem()).Interface()); err != nil {
			return strconv.Itoa(i) + "." + name, err
		}
	}
	return "", nil
}
