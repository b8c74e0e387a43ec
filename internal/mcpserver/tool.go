package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"cove/internal/fault"
)

// tool is one tool: its name, its sentence, its input and what it does stand in one place.
type tool struct {
	Name string
	Text string
	// Reads says that it changes nothing.
	Reads bool
	// Set is the group that it belongs to; the groups of the default list have none.
	Set string
	// Needs are the rights that every call of it asks for, beside that to act.
	Needs []need
	// Holds says that it only runs other tools, each of which asks for itself. Types says that its arguments may be a password.
	Holds, Types bool
	// Schema describes the input. It is made when it is first needed: every command of the program would wait for it.
	Schema func() json.RawMessage

	// check looks at arguments without running the tool.
	check func(raw json.RawMessage) error
	run   func(ctx context.Context, c *call, raw json.RawMessage) error
}

// define makes a tool from the Go type of its input.
func define[In any](name, text string, run func(ctx context.Context, c *call, in In) error) tool {
	in := reflect.TypeFor[In]()
	return tool{Name: name, Text: text, Schema: sync.OnceValue(func() json.RawMessage { return schemaOf(in) }), check: func(raw json.RawMessage) error { return readInput(name, raw, new(In)) }, run: func(ctx context.Context, c *call, raw json.RawMessage) error {
		var input In
		if err := readInput(name, raw, &input); err != nil {
			return err
		}
		return run(ctx, c, input)
	}}
}

// reads marks a tool that changes nothing.
func (t tool) reads() tool { t.Reads = true; return t }

// in puts a tool into a group that is not on the default list.
func (t tool) in(set string) tool { t.Set = set; return t }

// types marks a tool whose arguments may be a password.
func (t tool) types() tool { t.Types = true; return t }

// onPage tells that a tool works on one page, which pageId may name.
func (t tool) onPage() bool { return bytes.Contains(t.Schema(), []byte(`"pageId"`)) }

// number takes 3 and "3": models write both.
type number float64

func (n *number) UnmarshalJSON(raw []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(raw), `"`), 64)
	if err != nil {
		return &json.UnmarshalTypeError{Value: kindOf(raw), Type: reflect.TypeFor[float64]()}
	}
	*n = number(f)
	return nil
}

// kindOf names what a JSON value is.
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

// field is one parameter of a tool, as its struct tags tell it.
type field struct {
	name     string
	typ      reflect.Type
	required bool
	text     string
	options  []string
	index    []int
}

// fieldsOf lists the parameters of an input type. Tags: json for the name (omitempty: may be left out), say for its sentence,
// enum for the words that it takes.
func fieldsOf(t reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		p := field{name: name, typ: f.Type, required: !strings.Contains(rest, "omitempty"), text: f.Tag.Get("say"), index: f.Index}
		if words := f.Tag.Get("enum"); words != "" {
			p.options = strings.Split(words, "|")
		}
		all = append(all, p)
	}
	return all
}

// schemaOf writes the JSON schema of an input type, as short as it can be.
func schemaOf(t reflect.Type) json.RawMessage {
	var b bytes.Buffer
	writeObject(&b, t, true)
	return b.Bytes()
}

func writeObject(b *bytes.Buffer, t reflect.Type, closed bool) {
	fields := fieldsOf(t)
	b.WriteString(`{"type":"object"`)
	if len(fields) > 0 || closed {
		b.WriteString(`,"properties":{`)
		for i, f := range fields {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(quoted(f.name) + ":")
			writeType(b, f)
		}
		b.WriteByte('}')
	}
	var required []string
	for _, f := range fields {
		if f.required {
			required = append(required, f.name)
		}
	}
	if len(required) > 0 {
		raw, _ := json.Marshal(required)
		b.WriteString(`,"required":` + string(raw))
	}
	if closed {
		b.WriteString(`,"additionalProperties":false`)
	}
	b.WriteByte('}')
}

func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s)
	return strings.TrimSpace(b.String())
}

func writeType(b *bytes.Buffer, f field) {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	say := func() {
		if f.text != "" {
			b.WriteString(`,"description":` + quoted(f.text))
		}
		if f.options != nil && t.Kind() == reflect.String {
			raw, _ := json.Marshal(f.options)
			b.WriteString(`,"enum":` + string(raw))
		}
		b.WriteByte('}')
	}
	switch t.Kind() {
	case reflect.String:
		b.WriteString(`{"type":"string"`)
		say()
	case reflect.Bool:
		b.WriteString(`{"type":"boolean"`)
		say()
	case reflect.Int, reflect.Float64:
		b.WriteString(`{"type":"number"`)
		say()
	case reflect.Slice:
		b.WriteString(`{"type":"array","items":`)
		if t.Elem().Kind() == reflect.Struct {
			writeObject(b, t.Elem(), false)
		} else {
			writeType(b, field{typ: t.Elem(), options: f.options})
		}
		f.options = nil
		say()
	case reflect.Map:
		b.WriteString(`{"type":"object"`)
		say()
	default:
		panic("no schema for " + t.String())
	}
}

// readInput reads a tool's arguments and says in plain words what is wrong with them.
func readInput(name string, raw json.RawMessage, in any) error {
	if len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	bad := func(format string, args ...any) error {
		return fault.New(fault.CodeArguments, "Invalid arguments for tool "+name+": "+fmt.Sprintf(format, args...)+".", "")
	}
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return bad("expected an object")
	}
	fields := fieldsOf(reflect.TypeOf(in).Elem())
	for key, value := range given {
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		if i < 0 {
			return bad("unrecognized key %q", key)
		}
		if string(value) == "null" {
			delete(given, key)
			continue
		}
		if err := checkOptions(fields[i], value); err != nil {
			return bad("%s: %v", key, err)
		}
	}
	for _, f := range fields {
		if _, ok := given[f.name]; f.required && !ok {
			return bad("%s is required", f.name)
		}
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	if err := d.Decode(in); err != nil && !errors.Is(err, io.EOF) {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) && wrong.Field != "" {
			name := wrong.Field
			for !slices.ContainsFunc(fields, func(f field) bool { return f.name == name || strings.HasPrefix(name, f.name+".") }) {
				_, rest, ok := strings.Cut(name, ".")
				if !ok {
					break
				}
				name = rest // what is shared between tools has a name of its own, which is not the agent's business
			}
			return bad("%s: expected %s, received %s", name, jsonType(wrong.Type), wrong.Value)
		}
		for _, f := range fields { // a number's own error does not name it
			value, ok := given[f.name]
			if ok && json.Unmarshal(value, reflect.New(f.typ).Interface()) != nil {
				return bad("%s: expected %s", f.name, jsonType(f.typ))
			}
		}
		return bad("%v", err)
	}
	return nil
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
		return nil //nolint:nilerr // the type is wrong, which is told better elsewhere
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
