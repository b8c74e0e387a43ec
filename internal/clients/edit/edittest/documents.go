package edittest

import (
	"fmt"
	"strings"

	"cove/internal/clients/edit"
)

// Document is a file as people have it, in any format.
type Document struct {
	Name string
	// Text returns the file's text in a format. key leads to its map of servers. Text is nil if there is no file.
	Text func(f edit.Format, key string) string
}

// Documents returns the files that every editor has to edit or to refuse.
func Documents() []Document {
	return []Document{
		{"no file", nil},
		{"an empty file", always("")},
		{"a blank file", always("\n  \n")},
		{"existing servers", func(f edit.Format, key string) string { return Existing(f, key, "  ", "\n") }},
		{"comments", comments},
		{"trailing commas", trailing},
		{"CRLF", func(f edit.Format, key string) string { return Existing(f, key, "  ", "\r\n") }},
		{"tabs", func(f edit.Format, key string) string {
			if f != edit.TOML && f != edit.YAML {
				return Existing(f, key, "\t", "\n")
			}
			return Existing(f, key, "    ", "\n")
		}},
		{"a BOM", func(f edit.Format, key string) string { return bom + Existing(f, key, "  ", "\n") }},
		{"one line", oneLine},
		{"no key", keyAbsent},
		{"an empty map", empty},
		{"200 other servers", many},
		{"a broken file", broken},
		{"another type", wrongType},
		{"a name twice", twice},
	}
}

func always(text string) func(edit.Format, string) string {
	return func(edit.Format, string) string { return text }
}

// Existing returns a file with two servers and other settings.
func Existing(f edit.Format, key, indent, eol string) string {
	var rows []string
	switch f {
	case edit.TOML:
		rows = []string{
			`model = "x"`,
			"",
			"[" + key + ".one]",
			`command = "npx"`,
			`args = ["-y", "one"]`,
			"",
			"[" + key + ".two]",
			`command = "two"`,
		}
	case edit.YAML:
		rows = []string{
			"MODEL: x",
			key + ":",
			indent + "one:",
			indent + indent + "type: stdio",
			indent + indent + "cmd: npx",
			indent + "two:",
			indent + indent + "cmd: two",
			"last: 1",
		}
	default:
		i := indent
		rows = []string{
			"{",
			i + `"theme": "dark",`,
			i + `"` + key + `": {`,
			i + i + `"one": {`,
			i + i + i + `"command": "npx",`,
			i + i + i + `"args": ["-y", "one"]`,
			i + i + "},",
			i + i + `"two": { "command": "two" }`,
			i + "},",
			i + `"last": 1`,
			"}",
		}
	}
	return strings.Join(rows, eol) + eol
}

func comments(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return "# mine\nmodel = \"x\" # the model\n\n# servers\n[" + key +
			".one] # first\ncommand = \"npx\" # c\n# end\n"
	case edit.YAML:
		return "# mine\nMODEL: x # the model\n# servers\n" + key + ": # all\n  # first\n  one:\n" +
			"    cmd: npx # c\n  # end\n# last\n"
	}
	return "// mine\n{\n  \"theme\": \"dark\", // the theme\n  /* servers */\n  \"" + key + "\": {\n" +
		"    // first\n    \"one\": { \"command\": \"npx\" } // c\n    // end\n  }\n}\n// last\n"
}

func trailing(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return "[" + key + ".one]\nargs = [\n  \"a\",\n  \"b\",\n]\n"
	case edit.YAML:
		return key + ":\n  one: {cmd: npx, args: [a, b, ], }\n"
	}
	return "{\n  \"" + key + "\": {\n    \"one\": { \"command\": \"npx\", },\n  },\n}\n"
}

func keyAbsent(f edit.Format, _ string) string {
	switch f {
	case edit.TOML:
		return "model = \"x\"\n"
	case edit.YAML:
		return "MODEL: x\n"
	}
	return "{\n  \"theme\": \"dark\"\n}\n"
}

func oneLine(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return `model = "x"` // without an end
	case edit.YAML:
		return key + ": {one: {cmd: npx}}\n"
	}
	return `{"theme":"dark","` + key + `":{"one":{"command":"npx"}},"last":1}`
}

func empty(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return "[" + key + "]\n"
	case edit.YAML:
		return "MODEL: x\n" + key + ": {}\n"
	}
	return "{\n  \"" + key + "\": {}\n}\n"
}

func many(f edit.Format, key string) string {
	var b strings.Builder
	for i := range 200 {
		switch f {
		case edit.TOML:
			fmt.Fprintf(&b, "[%s.s%d]\ncommand = \"x\"\n\n", key, i)
		case edit.YAML:
			fmt.Fprintf(&b, "  s%d:\n    cmd: x\n", i)
		default:
			fmt.Fprintf(&b, ",\n    \"s%d\": { \"command\": \"x\" }", i)
		}
	}
	switch f {
	case edit.TOML:
		return b.String()
	case edit.YAML:
		return key + ":\n" + b.String()
	}
	return "{\n  \"" + key + "\": {" + b.String()[1:] + "\n  }\n}\n"
}

func broken(f edit.Format, _ string) string {
	switch f {
	case edit.TOML:
		return "model = \"x\"\n[mcp_servers.one\n"
	case edit.YAML:
		return "MODEL: x\nextensions: [a\nlast: 1\n"
	}
	return "{\n  \"theme\": \"dark\"\n  \"last\": 1\n}\n"
}

func wrongType(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return "x = 1\n" + key + " = 2\n"
	case edit.YAML:
		return "MODEL: x\n" + key + ": [a]\n"
	}
	return "{\n  \"" + key + "\": []\n}\n"
}

func twice(f edit.Format, key string) string {
	switch f {
	case edit.TOML:
		return "[" + key + ".one]\na = 1\n[" + key + ".one]\na = 2\n"
	case edit.YAML:
		return key + ":\n  one: 1\n  one: 2\n"
	}
	return "{\n  \"" + key + "\": {\n    \"one\": 1,\n    \"one\": 2\n  }\n}\n"
}
