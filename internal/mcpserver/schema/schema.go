// Package schema describes the input of a tool by its Go type: it writes the JSON schema that agents read, and reads
// what agents send into a value of the type.
package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"

	"cove/internal/wording"
)

// field is one parameter of a tool, as the tags of its struct field describe it.
type field struct {
	name     string
	typ      reflect.Type
	required bool
	text     string
	options  []string
}

// fieldsOf lists the parameters of an input type. The tag json has the name (omitempty: the agent may leave it out),
// the tag say has the description, and the tag enum has the words that are accepted.
func fieldsOf(t reflect.Type) (all []field) {
	for _, f := range reflect.VisibleFields(t) {
		name, rest, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}

		p := field{name: name, typ: f.Type, required: !strings.Contains(rest, "omitempty"), text: f.Tag.Get("say")}
		if words := f.Tag.Get("enum"); words != "" {
			p.options = strings.Split(words, "|")
		}
		all = append(all, p)
	}
	return all
}

// Of writes the JSON schema of an input type. It is as short as it can be: every agent pays for it in tokens.
func Of(t reflect.Type) json.RawMessage {
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
			b.WriteString(wording.Quoted(f.name) + ":")
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

func writeType(b *bytes.Buffer, f field) {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}

	switch t.Kind() {
	case reflect.String:
		b.WriteString(`{"type":"string"`)
	case reflect.Bool:
		b.WriteString(`{"type":"boolean"`)
	case reflect.Int, reflect.Float64:
		b.WriteString(`{"type":"number"`)
	case reflect.Slice:
		b.WriteString(`{"type":"array","items":`)
		if t.Elem().Kind() == reflect.Struct {
			writeObject(b, t.Elem(), false)
		} else {
			writeType(b, field{typ: t.Elem(), options: f.options})
		}
	case reflect.Map:
		b.WriteString(`{"type":"object"`)
	default:
		panic("no schema for " + t.String())
	}

	if f.text != "" {
		b.WriteString(`,"description":` + wording.Quoted(f.text))
	}
	if f.options != nil && t.Kind() == reflect.String {
		raw, _ := json.Marshal(f.options)
		b.WriteString(`,"enum":` + string(raw))
	}
	b.WriteByte('}')
}
