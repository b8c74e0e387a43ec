package clients

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cove/internal/clients/edit"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/wrapper"
)

// Entry is one server: what a client runs to reach a profile.
type Entry struct {
	Name    string
	Profile profile.ID
	Command string
	Args    []string
	// Env holds the variables of an entry that was found, and Dir is the folder in which it runs. Cove writes neither.
	Env map[string]string
	Dir string
}

func (x Entry) about() string { return "Browser profile " + strconv.Itoa(int(x.Profile)) }

// plain returns an entry in the shape that most clients share.
func plain(x Entry) []edit.Field {
	return []edit.Field{field("command", x.Command), field("args", x.Args)}
}

// typed returns an entry in the plain shape, with the type of the transport before it.
func typed(x Entry) []edit.Field { return append([]edit.Field{field("type", "stdio")}, plain(x)...) }

func field(key string, value any) edit.Field { return edit.Field{Key: key, Value: value} }

// ServerName returns the default name of a profile's server.
func ServerName(id profile.ID) string { return "cove-" + strconv.Itoa(int(id)) }

// CheckName refuses a name that one of the clients would not accept.
func CheckName(name string) error {
	ok := name != "" && len(name) <= 64 && name[0] != '-'
	for _, r := range name {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	}
	if !ok {
		return fault.Fieldf("name", "%q cannot be the name of a server.", name).
			WithHint("Use small letters, digits and -, up to 64 of them.")
	}

	return nil
}

// transport is the name of the map inside an entry in which Cline's own program writes the command.
const transport = "transport"

// parseEntry reads an entry of any client's shape. ours says that it runs a profile of Cove's.
func parseEntry(name string, value any) (x Entry, ours bool) {
	x.Name = name
	fields, ok := value.(map[string]any)
	if !ok {
		return x, false
	}
	if t, ok := fields[transport].(map[string]any); ok {
		fields = t
	}

	words := texts(fields["command"])
	if len(words) == 0 {
		words = texts(fields["cmd"])
	}
	words = append(words, texts(fields["args"])...)
	if len(words) == 0 {
		return x, false
	}

	x.Command, x.Args = words[0], words[1:]
	for _, key := range []string{"env", "environment", "envs"} {
		x.Env = variables(fields[key])
		if x.Env != nil {
			break
		}
	}
	x.Dir, _ = fields["cwd"].(string)
	x.Profile, ours = profileOf(x)

	return x, ours
}

// texts returns a string or a list of strings as a list, and nil for anything else.
func texts(v any) (out []string) {
	switch v := v.(type) {
	case string:
		out = append(out, v)
	case []any:
		for _, one := range v {
			s, ok := one.(string)
			if !ok {
				return nil
			}
			out = append(out, s)
		}
	}

	return out
}

// variables returns the strings of a map, or nil if there are none.
func variables(v any) (out map[string]string) {
	fields, _ := v.(map[string]any)
	for name, value := range fields {
		if s, ok := value.(string); ok {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = s
		}
	}

	return out
}

// wrapperIndex returns the position of the wrapper file in the arguments, or -1 for an entry that runs no wrapper.
func (x Entry) wrapperIndex() int {
	return slices.IndexFunc(x.Args, func(arg string) bool { return base(arg) == wrapper.Name })
}

// wrapper returns the wrapper file that the entry runs, or "" for an entry that runs none.
func (x Entry) wrapper() string {
	at := x.wrapperIndex()
	if at < 0 {
		return ""
	}

	return x.Args[at]
}

// Wrapped reports whether the entry runs the wrapper, not Cove itself.
func (x Entry) Wrapped() bool { return x.wrapper() != "" }

// base returns the last element of a path of any operating system.
func base(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

// profileOf recognises what Cove writes: its own program with "mcp ID", or Node with the wrapper and an id.
func profileOf(x Entry) (profile.ID, bool) {
	program := strings.TrimSuffix(strings.ToLower(base(x.Command)), ".exe")
	at := x.wrapperIndex()
	if program == "cove" || strings.HasPrefix(program, "cove-") { // as in cove-linux-amd64
		at = slices.Index(x.Args, "mcp")
	}
	if at < 0 || at+1 >= len(x.Args) {
		return 0, false
	}
	id, err := strconv.ParseInt(x.Args[at+1], 10, 32)

	return profile.ID(id), err == nil && id > 0
}

// homeOf returns the data folder whose profile the entry opens. known is false if it cannot be told.
func (e Env) homeOf(x Entry) (folder string, known bool) {
	if file := x.wrapper(); file != "" {
		folder, known = wrapper.DataFolder(e.real(file))
	} else {
		folder, known = x.homeFlag(), slices.Contains(x.Args, "mcp")
	}
	if !known || folder != "" {
		return folder, known
	}

	if folder = x.Env["COVE_HOME"]; folder == "" {
		folder = e.usualData()
	}

	return folder, true
}

// homeFlag returns the value of --home in an entry that runs Cove itself, or "" if there is none.
func (x Entry) homeFlag() (folder string) {
	for i, arg := range x.Args {
		if value, ok := strings.CutPrefix(arg, "--home="); ok {
			folder = value
		}
		if arg == "--home" && i+1 < len(x.Args) {
			folder = x.Args[i+1]
		}
	}

	return folder
}

// same reports whether both entries run the same command with the same arguments.
func (x Entry) same(y Entry) bool { return x.Command == y.Command && slices.Equal(x.Args, y.Args) }
