package secret

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"cove/internal/fault"
	"cove/internal/process"
)

// Command is a program that prints a password, such as that of a password manager. There is no shell.
type Command struct {
	Program string   `json:"program"` // its whole path, as found when the person set it
	Args    []string `json:"args,omitempty"`
}

func (c *Command) valid() bool { return filepath.IsAbs(c.Program) }

// ParseCommand reads a command as a person writes it for a shell: words, which quotes hold together. It refuses what a
// shell would replace or act on, because no shell does. It finds the program now: later another folder of PATH might
// have one of this name.
func ParseCommand(line string) (Command, error) {
	words, err := splitWords(line)
	if err != nil {
		return Command{}, err
	}
	if len(words) == 0 {
		return Command{}, fault.Fieldf("command", "The command is empty.")
	}
	program, err := exec.LookPath(words[0])
	if err == nil {
		program, err = filepath.Abs(program)
	}
	if err != nil {
		return Command{}, fault.Fieldf("command", "The program of the command cannot be run.").
			WithHint("Enter the whole path of the program.")
	}
	return Command{Program: program, Args: words[1:]}, nil
}

// special are the letters that a shell acts on outside quotes.
const special = "|&;<>()$`*?[]{}~#\r\n\x00"

// splitWords splits a command into its words.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	begun, quote := false, rune(0)
	letters := []rune(line)
	for i := 0; i < len(letters); i++ {
		r := letters[i]
		switch {
		case quote == '\'' && r != quote:
			word.WriteRune(r)
		case quote != 0 && r == quote:
			quote = 0
		case r == '\\' && runtime.GOOS != "windows" && i+1 < len(letters): // there it separates folders
			i++
			if quote == '"' && !strings.ContainsRune("\"\\$`", letters[i]) {
				word.WriteRune(r)
			}
			word.WriteRune(letters[i])
			begun = true
		case quote == '"' && !strings.ContainsRune("$`", r):
			word.WriteRune(r)
		case strings.ContainsRune(special, r):
			return nil, fault.Fieldf("command", "The command is run without a shell, which %q would need.", string(r)).
				WithHint("Put the word into '…', or write a script and enter its path.")
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(r)
			begun = true
		}
	}
	if quote != 0 {
		return nil, fault.Fieldf("command", "A quote of the command has no end.")
	}
	if begun {
		words = append(words, word.String())
	}
	return words, nil
}

// Limits of a command. A password manager may have to ask the person first.
const (
	commandTime   = 30 * time.Second
	commandOutput = 64 << 10
)

// Run runs the command of the secret with this name and returns the first line that it prints. What it prints is in no
// error.
func (c *Command) Run(ctx context.Context, name string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, commandTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Program, c.Args...)
	process.OwnGroup(cmd)
	cmd.Cancel = func() error { return process.KillTree(cmd) }
	cmd.WaitDelay = time.Second
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "COVE_") })
	cmd.Dir, _ = os.UserHomeDir()
	var out limited
	cmd.Stdout = &out // the standard error is dropped: it may quote the password

	err := cmd.Run()
	if ctx.Err() != nil {
		return "", failed(name, "it did not end in time").Because(context.Cause(ctx))
	}
	if exited := (*exec.ExitError)(nil); errors.As(err, &exited) && exited.ExitCode() > 0 {
		return "", failed(name, fmt.Sprintf("it ended with code %d", exited.ExitCode()))
	}
	if err != nil {
		return "", failed(name, "it cannot be run")
	}
	line, _, _ := bytes.Cut(out.data, []byte("\n"))
	value := strings.TrimSuffix(string(line), "\r")
	if value == "" {
		return "", failed(name, "it printed nothing")
	}
	if err := checkValue(value); err != nil {
		return "", failed(name, fmt.Sprintf("it must print %d to %d bytes of text", MinValue, maxValue))
	}
	return value, nil
}

func failed(name, why string) *fault.Error {
	return fault.New(fault.CodeSecretCommand, "The command of the secret "+name+" gave no value: "+why+".",
		"The user can run it on a terminal and see what it says.")
}

// limited stores what is written, up to a limit.
type limited struct{ data []byte }

func (l *limited) Write(p []byte) (int, error) {
	l.data = append(l.data, p[:min(len(p), commandOutput-len(l.data))]...)
	if len(l.data) == commandOutput {
		return 0, io.ErrShortWrite // more than a password: the command is ended
	}
	return len(p), nil
}
