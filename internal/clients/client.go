// Package clients registers profiles with MCP clients. It knows in which file each client stores its servers, and
// changes only Cove's own entries there.
package clients

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cove/internal/clients/edit"
	"cove/internal/fault"
)

// Scope says where an entry applies, and to whom.
type Scope string

const (
	// Local applies to this person in this folder.
	Local Scope = "local"
	// Project applies to everybody in this folder.
	Project Scope = "project"
	// User applies to this person in every folder.
	User Scope = "user"
)

// Client describes one MCP client. It is a row of Table.
type Client struct {
	// Name is the client's name on the command line. Title is the name that people know.
	Name, Title string
	Format      edit.Format
	// Key is the list of keys that lead to the map of servers.
	Key []string
	// Shape returns the fields of an entry as this client wants them.
	Shape func(Entry) []edit.Field
	// User returns the person's files. If there are several, Every says which of them get an entry.
	User func(Env) []string
	// Every says that all files whose folders exist get the entry, because the client's versions read different files.
	// Otherwise one file gets it: the first that exists, else the first whose folder exists, else the first.
	Every bool
	// Project returns the files of a project's folder, in order of preference. It is nil for a client without such
	// files.
	Project func(Env) []string
	// Local returns the keys that lead to the servers of one folder in the person's file, in each notation that the
	// client uses. It is nil for a client without a local scope.
	Local func(Env) [][]string
	// Skills returns the folder in which the client looks for skills, in the scope User or Project. It is nil for a
	// client of which no such folder is known.
	Skills func(Env, Scope) string
	// Sandbox says what a person has to allow before commands in the client's shell reach Cove. It is empty if they do.
	Sandbox string
	// Folders and Programs show that the client is installed: one of the folders exists, or one of the programs is on
	// the PATH. If Folders is nil, the folders of the person's files count.
	Folders  func(Env) []string
	Programs []string
	// Variables matches the variables that the client replaces in a command and its arguments. It is nil for a client
	// that uses both as they are.
	Variables func() *regexp.Regexp
	// NoMark says that the client cannot read a file that begins with a byte order mark.
	NoMark bool
	// Lock says that the client locks a file while it writes: it makes a folder beside the file.
	Lock bool
	// Inherits reports whether the client passes a variable of the person's environment to its servers. It is nil for a
	// client that passes only the variables that programs cannot do without, and for one that was not measured.
	Inherits func(name string) bool
	// Restart is the sentence that says what a person has to do after a change. Approve is a further one for a
	// project's file.
	Restart, Approve string
	// Link returns an address that installs the server with a click. It is nil for a client without such addresses.
	Link func(Entry) string
	// List holds the arguments of the client's own command that lists its servers. Live says that the command also
	// tries them out.
	List []string
	Live bool
}

// Find returns the client with that name.
func Find(name string) (Client, error) {
	for _, c := range Table() {
		if c.Name == name {
			return c, nil
		}
	}

	return Client{}, fault.New(fault.CodeNoClient, "Cove knows no client named \""+name+"\".",
		suggest(name)+"These it knows: "+strings.Join(Names(), ", ")+".")
}

// suggest returns the question whether another client was meant: one with such a program, or with a similar name, title
// or program. It returns "" if there is none.
func suggest(word string) string {
	var near []string
	for _, c := range Table() {
		if slices.Contains(c.Programs, word) {
			near = append(near, c.Name)
		}
	}
	near = append(near, fault.Nearest(word, Names()...)...)
	for _, c := range Table() {
		if len(fault.Nearest(word, append([]string{c.Title}, c.Programs...)...)) > 0 {
			near = append(near, c.Name)
		}
	}

	var once []string
	for _, name := range near {
		if !slices.Contains(once, name) {
			once = append(once, name)
		}
	}
	if len(once) == 0 {
		return ""
	}

	return "Did you mean " + strings.Join(once[:min(2, len(once))], " or ") + "? "
}

// Names returns the names of all clients.
func Names() (names []string) {
	for _, c := range Table() {
		names = append(names, c.Name)
	}

	return names
}

// accepts refuses an entry that the client would not run as it is written.
func (c Client) accepts(x Entry) error {
	for _, word := range append([]string{x.Command}, x.Args...) {
		if !utf8.ValidString(word) {
			return fault.Invalidf("%q is not UTF-8, so no client's file can hold it.", word).
				WithHint("Move it to a path without such bytes.")
		}
		if c.Variables == nil {
			continue
		}
		if v := c.Variables().FindString(word); v != "" {
			return fault.Invalidf("%s would replace %s in %s by the value of a variable.", c.Title, v, word).
				WithHint("Move it to a path without that.")
		}
	}

	return nil
}

// content returns an entry as the client's file is to contain it.
func (c Client) content(x Entry) edit.Content {
	return edit.Content{
		Fields: c.Shape(x),
		Owned:  []string{"command", "cmd", "args"}, // what is run
		Below:  transport,
		Check: func(value any) bool {
			now, _ := parseEntry(x.Name, value)
			return now.same(x)
		},
	}
}

// folders returns the folders of which one exists if the client is installed.
func (c Client) folders(e Env) (all []string) {
	if c.Folders != nil {
		return c.Folders(e)
	}
	for _, file := range c.User(e) {
		all = append(all, e.folder(file))
	}

	return all
}

// Installed reports whether the client is on this computer: one of its folders exists, or one of its programs is on the
// PATH.
func (c Client) Installed(e Env) bool {
	for _, f := range c.folders(e) {
		if e.exists(f) {
			return true
		}
	}

	return c.Program(e) != ""
}

// Program returns the path of the client's own program, or "" if it is not on the PATH.
func (c Client) Program(e Env) string {
	for _, p := range c.Programs {
		if path, err := e.LookPath(p); err == nil {
			return path
		}
	}

	return ""
}

// Scopes returns the scopes that the client has. The first is the default: one for this folder, if the client has such
// a scope.
func (c Client) Scopes() (all []Scope) {
	if c.Local != nil {
		all = append(all, Local)
	}
	if c.Project != nil {
		all = append(all, Project)
	}

	return append(all, User)
}

// files returns the files of a scope that may have an entry of Cove's.
func (c Client) files(e Env, s Scope) []string {
	if s == Project {
		return c.Project(e)
	}

	return c.User(e)
}

// targets returns the files of a scope that get a new entry.
func (c Client) targets(e Env, s Scope) []string {
	all := c.files(e, s)
	if c.Every && s != Project {
		var some []string
		for _, f := range all {
			if e.exists(e.folder(f)) {
				some = append(some, f)
			}
		}
		if len(some) > 0 {
			return some
		}
		return all[:1]
	}

	for _, f := range all {
		if e.exists(f) {
			return []string{f}
		}
	}
	for _, f := range all {
		if e.exists(e.folder(f)) && s != Project {
			return []string{f}
		}
	}

	return all[:1]
}

// keys returns the keys that lead to the servers of a scope, in each notation. The first notation is the one to write.
func (c Client) keys(e Env, s Scope) [][]string {
	if s == Local {
		return c.Local(e)
	}

	return [][]string{c.Key}
}
