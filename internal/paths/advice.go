package paths

import (
	"regexp"
	"runtime"
	"strings"
	"sync"
)

// Commands are the first words of every command of the program, as hints name them.
var Commands = []string{"up", "stop-app", "status", "ui", "profile", "start", "stop", "running", "login", "logout",
	"account", "token", "config", "browser",
	"doctor", "logs", "mcp", "policy", "secret", "approvals", "takeover", "panic", "pin", "journal", "client",
	"wrapper", "verify", "version"}

// command finds a command in a sentence: up to what ends it, which is a mark of punctuation before a blank or a closing
// one.
var command = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\\bcove (?:" + strings.Join(Commands, "|") + ")\\b(?:[.,;:][^ \n`]|[^.,;:()`\n])*")
})

// Advice is a hint with the data folder in every command that it names, when that is not the one that commands find by
// themselves.
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

// named finds the program's name before one of its commands, where no path stands before it.
var named = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("(^|[^/\\\\\\w])cove (" + strings.Join(Commands, "|") + ")\\b")
})

// CalledAs is a hint with another name of the program in the commands: the one that a person can type who has it in no
// folder of the PATH.
func CalledAs(name, hint string) string {
	if name == "cove" {
		return hint
	}
	return named().ReplaceAllStringFunc(hint,
		func(words string) string { return strings.Replace(words, "cove ", Quote(name)+" ", 1) })
}

// Quote makes one word of the command line that people paste into their shell.
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
