package paths

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Commands are the names of the program's commands, as hints use them.
var Commands = []string{"up", "stop-app", "status", "ui", "profile", "start", "stop", "running", "cookies", "import",
	"login", "logout", "account", "token", "config", "browser", "proxy", "extension",
	"doctor", "logs", "mcp", "adopt", "policy", "secret", "asks", "approvals", "takeover", "panic", "pin", "journal",
	"client", "skills", "wrapper", "page", "call", "verify", "version"}

// command matches a command in a sentence, up to the punctuation that ends it.
var command = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\\bcove (?:" + strings.Join(Commands, "|") + ")\\b(?:[.,;:][^ \n`]|[^.,;:()`\n])*")
})

// Advice returns a hint in which every command names the data folder, unless commands find that folder by themselves.
func (h Home) Advice(hint string) string {
	if h == "" || h.Usual() {
		return hint
	}
	if found, err := DefaultHome(); err == nil && h.Same(found) {
		return hint
	}
	return command().ReplaceAllStringFunc(hint, func(words string) string {
		if strings.Contains(words, " --home") || strings.HasSuffix(words, " --help") {
			return words
		}
		line := strings.TrimRight(words, " ")
		return line + " --home " + Quote(string(h)) + words[len(line):]
	})
}

// named matches the program's name before one of its commands, without a path.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(^|[^/\\\\\\w])cove (" + strings.Join(Commands, "|") + ")\\b")
})

// CalledAs returns a hint in which the commands have another name for the program. A person whose PATH does not contain
// it can type that.
func CalledAs(name, hint string) string {
	if name == "cove" {
		return hint
	}
	return named().ReplaceAllStringFunc(hint,
		func(words string) string { return strings.Replace(words, "cove ", Quote(name)+" ", 1) })
}

// Quote quotes a word for the shell that people paste commands into.
func Quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$&|;<>()*?`!#~") ||
		(runtime.GOOS == "windows" && !strings.ContainsAny(word, " \t")) {
		return word
	}
	if runtime.GOOS == "windows" {
		return `"` + word + `"`
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
