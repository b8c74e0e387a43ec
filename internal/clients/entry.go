package clients

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"cove/internal/fault"
	"cove/internal/wrapper"
)

// Entry is one server: what a client runs to reach a profile.
type Entry struct {
	Name    string
	Profile int32
	Command string
	Args    []string
	// Env is the variables that stand in an entry that was found, Dir the folder that it is run in. Cove writes neither.
	Env map[string]string
	Dir string
}

func (x Entry) about() string { return "Browser profile " + strconv.Itoa(int(x.Profile)) }

// Field is one line of an entry; the order is the client's. A value is a string, a bool, an int, strings or fields.
type Field struct {
	Key   string
	Value any
}

// runs says that the field tells what is run.
func (f Field) runs() bool { return f.Key == "command" || f.Key == "cmd" || f.Key == "args" }

func plain(x Entry) []Field { return []Field{{"command", x.Command}, {"args", x.Args}} }

func typed(x Entry) []Field { return append([]Field{{"type", "stdio"}}, plain(x)...) }

// ServerName is the usual name of a profile's server.
func ServerName(id int32) string { return "cove-" + strconv.Itoa(int(id)) }

// CheckName refuses a name that one of the clients could not take.
func CheckName(name string) error {
	ok := name != "" && len(name) <= 64 && name[0] != '-'
	for _, r := range name {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	}
	if !ok {
		return fault.Fieldf("name", "%q cannot be the name of a server.", name).WithHint("Use small letters, digits and -, up to 64 of them.")
	}
	return nil
}

// read is an entry as it was found, in whatever shape.
func read(name string, value any) (x Entry, ours bool) {
	x.Name = name
	fields, ok := value.(map[string]any)
	if !ok {
		return x, false
	}
	if t, ok := fields["transport"].(map[string]any); ok { // as one client's own program writes it
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

// texts is a string, or a list of them.
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

// variables is a map of strings, nil for none.
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

// wrapper is the wrapper file that the entry runs, "" for one that runs none.
func (x Entry) wrapper() string {
	at := slices.IndexFunc(x.Args, func(arg string) bool { return base(arg) == wrapper.Name })
	if at < 0 {
		return ""
	}
	return x.Args[at]
}

// Wrapped tells whether the entry runs the wrapper, not Cove itself.
func (x Entry) Wrapped() bool { return x.wrapper() != "" }

// base is the last name of a path of any system.
func base(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }

// profileOf recognises what Cove writes: its own program with "mcp ID", or Node with the wrapper and an id.
func profileOf(x Entry) (int32, bool) {
	args := x.Args
	program := strings.TrimSuffix(strings.ToLower(base(x.Command)), ".exe")
	if program == "cove" || strings.HasPrefix(program, "cove-") { // as in cove-linux-amd64
		at := slices.Index(args, "mcp")
		if at < 0 {
			return 0, false
		}
		args = args[at:]
	} else if at := slices.IndexFunc(args, func(a string) bool { return base(a) == wrapper.Name }); at >= 0 {
		args = args[at:]
	} else {
		return 0, false
	}
	if len(args) < 2 {
		return 0, false
	}
	id, err := strconv.ParseInt(args[1], 10, 32)
	return int32(id), err == nil && id > 0
}

// homeOf is the data folder whose profile the entry opens; false when it is not known.
func (e Env) homeOf(x Entry) (folder string, known bool) {
	if file := x.wrapper(); file != "" {
		folder, known = wrapper.Named(e.real(file))
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

// homeFlag is the value of --home in an entry that runs Cove itself.
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

// same tells whether both run the same thing.
func (x Entry) same(y Entry) bool { return x.Command == y.Command && slices.Equal(x.Args, y.Args) }
