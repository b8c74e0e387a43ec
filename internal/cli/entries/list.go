package entries

import (
	"context"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"cove/internal/clients"
	"cove/internal/verify/mcpclient"
)

// Program returns what an entry runs, with the environment that its client gives it.
func Program(x clients.Entry, env []string) mcpclient.Program {
	return mcpclient.Program{Command: append([]string{x.Command}, x.Args...), Env: env, Dir: x.Dir}
}

// OwnList returns what the client's own program says of its servers. It is empty without the program.
func OwnList(ctx context.Context, r *clients.Registry, one clients.Client) (string, error) {
	program := one.Program(r.Env)
	if program == "" || one.List == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, one.List...)
	cmd.Dir = r.Env.Dir
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// colour matches the escape sequences that programs write for a terminal.
var colour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*m") })

// RowAbout returns the row of a list that is about one server: its name is the first word after the marks.
func RowAbout(list, name string) string {
	for line := range strings.Lines(colour().ReplaceAllString(list, "")) {
		word := strings.TrimLeftFunc(line, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsSpace(r) })
		if rest, ok := strings.CutPrefix(word, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ": \t\r\n")) {
			return strings.TrimSpace(word)
		}
	}

	return ""
}
