// Package clients registers profiles with MCP clients: it knows where each of them keeps its servers, and changes
// nothing there but its own entry.
package clients

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"cove/internal/clients/edit"
	"cove/internal/fault"
)

// Scope is where an entry counts.
type Scope string

const (
	// Local is this person in this folder.
	Local Scope = "local"
	// Project is everybody in this folder.
	Project Scope = "project"
	// User is this person everywhere.
	User Scope = "user"
)

// Client is one row of the table.
type Client struct {
	// Name is the one on the command line, Title the one that people know.
	Name, Title string
	Format      edit.Format
	// Key leads to the map of servers.
	Key []string
	// Shape is the entry as this client wants it.
	Shape func(Entry) []edit.Field
	// User is the person's files. Of several, the ones with a folder are meant: see Every.
	User func(Env) []string
	// Every says that all files with a folder get the entry, because the client's versions read different ones.
	// Otherwise one file gets it: the first that exists, else the first with a folder, else the first.
	Every bool
	// Project is the files of a folder, in order of preference; nil for a client that has none.
	Project func(Env) []string
	// Local leads to the servers of one folder in the person's file; nil for a client that has no such scope.
	Local func(Env) [][]string
	// Folders show that the client is installed, and so does a program of Programs on the PATH.
	Folders  func(Env) []string
	Programs []string
	// Variables matches what the client replaces in the words of an entry; nil when it uses them as they are.
	Variables func() *regexp.Regexp
	// NoMark says that the client cannot read a file that begins with a byte order mark.
	NoMark bool
	// Lock says that the client makes a folder beside the file while it writes.
	Lock bool
	// Inherits reports which variables of the person's environment the client's servers get. It is nil for a client
	// that gives only those that programs cannot do without, and for one that was not measured.
	Inherits func(name string) bool
	// Restart is the sentence that says what a person has to do after a change; Approve one for a project's file.
	Restart, Approve string
	// Link is an address that installs the server by a click; nil for a client without such addresses.
	Link func(Entry) string
	// List is the client's own command that lists its servers; Live says that it also tries them out.
	List []string
	Live bool
}

// Find is the client of that name.
func Find(name string) (Client, error) {
	for _, c := range Table() {
		if c.Name == name {
			return c, nil
		}
	}

	return Client{}, fault.New(fault.CodeNoClient, "Cove knows no client named \""+name+"\".",
		suggest(name)+"These it knows: "+strings.Join(Names(), ", ")+".")
}

// suggest asks whether a client was meant that has such a program, or a similar name, title or program.
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

// Names is the names of all clients.
func Names() (names []string) {
	for _, c := range Table() {
		names = append(names, c.Name)
	}

	return names
}

// accepts refuses an entry of which the client would run something else.
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

// content is an entry as the client's file is to hold it.
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

// folders is where the client leaves its traces.
func (c Client) folders(e Env) (all []string) {
	if c.Folders != nil {
		return c.Folders(e)
	}
	for _, file := range c.User(e) {
		all = append(all, e.folder(file))
	}

	return all
}

// Installed reports whether the client is on this computer: it has a folder there, or a program on the PATH.
func (c Client) Installed(e Env) bool {
	for _, f := range c.folders(e) {
		if e.exists(f) {
			return true
		}
	}

	return c.Program(e) != ""
}

// Program is the path of the client's own program, "" when it is not on the PATH.
func (c Client) Program(e Env) string {
	for _, p := range c.Programs {
		if path, err := e.LookPath(p); err == nil {
			return path
		}
	}

	return ""
}

// Scopes is the scopes that the client has. The first is the usual one: this folder where that is possible.
func (c Client) Scopes() (all []Scope) {
	if c.Local != nil {
		all = append(all, Local)
	}
	if c.Project != nil {
		all = append(all, Project)
	}

	return append(all, User)
}

// files is the files of a scope that may have an entry of Cove's.
func (c Client) files(e Env, s Scope) []string {
	if s == Project {
		return c.Project(e)
	}

	return c.User(e)
}

// targets is the files of a scope that a new entry goes to.
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

// keys leads to the servers of a scope. Of several notations the first is the one to write.
func (c Client) keys(e Env, s Scope) [][]string {
	if s == Local {
		return c.Local(e)
	}

	return [][]string{c.Key}
}
