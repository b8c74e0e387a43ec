package bundle

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// schema is what the types need of a JSON schema.
type schema struct {
	Ref         string     `json:"$ref"`
	Type        kinds      `json:"type"`
	Description string     `json:"description"`
	Enum        []any      `json:"enum"`
	Const       any        `json:"const"`
	Items       *schema    `json:"items"`
	Properties  properties `json:"properties"`
	Required    []string   `json:"required"`
	OneOf       []schema   `json:"oneOf"`
	AnyOf       []schema   `json:"anyOf"`
	AllOf       []schema   `json:"allOf"`
	Additional  any        `json:"additionalProperties"`
}

// kinds are the types of a value: one name, or several.
type kinds []string

// UnmarshalJSON reads a name or a list of names.
func (k *kinds) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*k = kinds{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(k))
}

// properties keep the order of the description.
type properties []property

type property struct {
	name   string
	schema schema
}

// UnmarshalJSON reads an object whose values are schemas.
func (p *properties) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		one := property{name: fmt.Sprint(name)}
		if err := d.Decode(&one.schema); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		*p = append(*p, one)
	}
	return nil
}

// types makes the types of the API for the window from its description.
func types(root string, made Files) error {
	text, err := os.ReadFile(filepath.Join(root, "api", "openapi.json"))
	if err != nil {
		return fmt.Errorf("read the description of the API: %w", err)
	}
	out, err := Types(text)
	if err != nil {
		return err
	}
	made[webui+"/src/api/types.ts"] = out
	return nil
}

// Types writes a TypeScript type for each schema of an OpenAPI description.
func Types(openapi []byte) ([]byte, error) {
	var described struct {
		Components struct {
			Schemas properties `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(openapi, &described); err != nil {
		return nil, fmt.Errorf("read the description of the API: %w", err)
	}
	all := described.Components.Schemas
	if len(all) == 0 {
		return nil, errors.New("the description of the API has no schemas")
	}
	slices.SortFunc(all, func(a, b property) int { return strings.Compare(a.name, b.name) })

	var b strings.Builder
	b.WriteString("// The types of the API, written from api/openapi.json by `make bundle`. Do not edit.\n")
	for _, s := range all {
		b.WriteString("\n" + comment("", s.schema.Description))
		b.WriteString(declare("", "export type "+s.name+" =", typeOf(&s.schema, "")))
	}
	return []byte(b.String()), nil
}

// comment is a description as a comment, with lines that fit.
func comment(indent, text string) string {
	if text == "" {
		return ""
	}
	const width = 116
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(indent)+3+len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimSpace(line + " " + strings.ReplaceAll(word, "*/", "* /"))
	}
	lines = append(lines, line)
	if len(lines) == 1 && len(indent)+len(line)+7 <= 120 {
		return indent + "/** " + line + " */\n"
	}
	return indent + "/**\n" + indent + " * " + strings.Join(lines, "\n"+indent+" * ") + "\n" + indent + " */\n"
}

// declare writes a name and its type. A union that is too long for a line has a line for each member.
func declare(indent, name, of string) string {
	line := indent + name + " " + of
	if len(line) <= 120 || strings.Contains(of, "\n") {
		return line + "\n"
	}
	in := "\n" + indent + "  | "
	return indent + name + in + strings.ReplaceAll(of, " | ", in) + "\n"
}

// plainKey is a name that an object's key can be without quotes.
var plainKey = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// scalars are the types of values that hold no others.
var scalars = map[string]string{
	"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null",
}

// typeOf writes the type of a schema. Lines after the first begin with indent.
func typeOf(s *schema, indent string) string {
	switch {
	case s.Ref != "":
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	case s.Const != nil:
		return literal(s.Const)
	case len(s.Enum) > 0:
		return oneOf(s.Enum, literal)
	case len(s.OneOf)+len(s.AnyOf) > 0:
		return oneOf(append(s.OneOf, s.AnyOf...), func(v schema) string { return typeOf(&v, indent) })
	case len(s.AllOf) > 0:
		parts := make([]string, len(s.AllOf))
		for i := range s.AllOf {
			parts[i] = typeOf(&s.AllOf[i], indent)
		}
		return strings.Join(parts, " & ")
	case len(s.Type) == 0:
		return "unknown"
	}
	return oneOf(s.Type, func(kind string) string {
		switch kind {
		case "array":
			return list(s.Items, indent)
		case "object":
			return object(s, indent)
		}
		return scalars[kind]
	})
}

// oneOf writes a union, each member once.
func oneOf[T any](all []T, write func(T) string) string {
	var parts []string
	for _, one := range all {
		if t := write(one); !slices.Contains(parts, t) {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, " | ")
}

func list(items *schema, indent string) string {
	if items == nil {
		return "unknown[]"
	}
	t := typeOf(items, indent)
	if strings.Contains(t, " | ") || strings.Contains(t, " & ") {
		t = "(" + t + ")"
	}
	return t + "[]"
}

func object(s *schema, indent string) string {
	if len(s.Properties) == 0 {
		if more, ok := s.Additional.(map[string]any); ok {
			text, _ := json.Marshal(more)
			var value schema
			if json.Unmarshal(text, &value) == nil {
				return "Record<string, " + typeOf(&value, indent) + ">"
			}
		}
		return "Record<string, unknown>"
	}
	var b strings.Builder
	b.WriteString("{\n")
	in := indent + "  "
	for _, p := range s.Properties {
		name, optional := p.name, "?"
		if !plainKey.MatchString(name) {
			name = literal(name)
		}
		if slices.Contains(s.Required, p.name) {
			optional = ""
		}
		b.WriteString(comment(in, p.schema.Description) + declare(in, name+optional+":", typeOf(&p.schema, in)))
	}
	return b.String() + indent + "}"
}

// literal writes a value as TypeScript has it.
func literal(v any) string {
	if text, ok := v.(string); ok {
		return "'" + strings.ReplaceAll(strings.Trim(strconv.Quote(text), `"`), "'", `\'`) + "'"
	}
	return fmt.Sprint(v)
}
