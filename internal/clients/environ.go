package clients

import (
	"maps"
	"slices"
	"strings"
)

// baseVariables is the variables that the strictest clients give to a server: those of the MCP libraries.
func baseVariables(system string) []string {
	if system == "windows" {
		return []string{"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE",
			"PROGRAMFILES",
			"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"}
	}

	return []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}
}

// everything is for clients that give their whole environment to a server.
func everything(string) bool { return true }

// harmless is for clients that leave out variables whose names sound like a credential.
func harmless(name string) bool {
	name = strings.ToUpper(name)
	words := []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"}

	return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// inherits reports whether the client gives a variable of the person's environment to a server.
func (c Client) inherits(e Env, name string) bool {
	if c.Inherits != nil {
		return c.Inherits(name)
	}
	if e.OS == "windows" {
		name = strings.ToUpper(name)
	}

	return slices.Contains(baseVariables(e.OS), name)
}

// Environ is the environment that a server gets from the client: what the client passes on of the person's, and the
// entry's own variables.
func (c Client) Environ(e Env, all []string, x Entry) (out []string) {
	for _, one := range all {
		if name, _, _ := strings.Cut(one, "="); c.inherits(e, name) {
			out = append(out, one)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x.Env)) {
		out = append(out, name+"="+x.Env[name])
	}

	return out
}
