package clients

import (
	"maps"
	"slices"
	"strings"
)

// baseVariables returns the variables that the strictest clients pass to a server: those that the MCP libraries pass.
func baseVariables(system string) []string {
	if system == "windows" {
		return []string{"APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PROCESSOR_ARCHITECTURE",
			"PROGRAMFILES",
			"SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"}
	}

	return []string{"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"}
}

// everything is the Inherits of clients that pass their whole environment to a server.
func everything(string) bool { return true }

// harmless is the Inherits of clients that leave out variables whose names suggest a credential.
func harmless(name string) bool {
	name = strings.ToUpper(name)
	words := []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "KEY", "AUTH", "CREDENTIAL", "CREDS", "PRIVATE", "CERT"}

	return !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

// inherits reports whether the client passes a variable of the person's environment to a server.
func (c Client) inherits(e Env, name string) bool {
	if c.Inherits != nil {
		return c.Inherits(name)
	}
	if e.OS == "windows" {
		name = strings.ToUpper(name)
	}

	return slices.Contains(baseVariables(e.OS), name)
}

// Environ returns the environment that a server gets from the client: the variables in all, the person's environment,
// that the client passes on, and the entry's own variables.
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
