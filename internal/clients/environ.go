package clients

import (
	"maps"
	"slices"
	"strings"
)

// few are the variables that the strictest clients give to a server: those of the MCP libraries.
var few = map[string][]string{
	"windows": {"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"},
	"":        {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"},
}

func everything(string) bool { return true }

// harmless leaves out variables whose names sound like a credential.
func harmless(name string) bool {
	name = strings.ToUpper(name)
	return !slices.ContainsFunc([]string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"},
		func(word string) bool { return strings.Contains(name, word) })
}

// Environ is the environment that a server gets from the client: what it hands on of the person's, and what stands in the entry.
func (c Client) Environ(e Env, all []string, x Entry) (out []string) {
	inherits := c.Inherits
	if inherits == nil {
		names := few[""]
		if e.OS == "windows" {
			names = few["windows"]
		}
		inherits = func(name string) bool {
			if e.OS == "windows" {
				name = strings.ToUpper(name)
			}
			return slices.Contains(names, name)
		}
	}
	for _, one := range all {
		if name, _, _ := strings.Cut(one, "="); inherits(name) {
			out = append(out, one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.Env)) {
		out = append(out, name+"="+x.Env[name])
	}
	return out
}

// InForce is the entry of a profile that the client uses in this folder: of several the one of the narrowest scope. wrapped asks for one
// that runs the wrapper.
func (r *Registry) InForce(c Client, profile int32, wrapped bool) (found Found, ok bool, err error) {
	all, err := r.search(c, func(s spot) bool { return s.dir == r.Env.dirOf(s.scope) })
	if err != nil {
		return found, false, err
	}
	for _, scope := range c.Scopes() {
		for _, f := range all {
			if f.Scope == scope && f.Entry.Profile == profile && (!wrapped || f.Entry.Wrapped()) {
				return f, true, nil
			}
		}
	}
	return found, false, nil
}
