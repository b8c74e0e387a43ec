package command

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"cove/internal/fault"
)

// Terminal returns the terminal behind a stream, or nil if there is none.
func Terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// PromptHidden reads a line without showing it. It reads a pipe as it is. what names the input in the error.
func (e *Env) PromptHidden(what, prompt string) (string, error) {
	if f := Terminal(e.In); f != nil {
		fmt.Fprint(e.Err, prompt)
		raw, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(e.Err)
		return string(raw), err
	}

	line, err := e.reader().ReadString('\n')
	if line == "" && err != nil {
		return "", fault.Invalidf("No %s was given.", what).WithHint("Type it, or send it on standard input.")
	}

	return strings.TrimRight(line, "\r\n"), nil
}

// reader reads the standard input. It is one for all questions, because it reads ahead.
func (e *Env) reader() *bufio.Reader {
	if e.input == nil {
		e.input = bufio.NewReader(e.In)
	}
	return e.input
}

// Prompt asks a question and reads a line, from the terminal or from a pipe. It ends with ctx. The line is "" at the
// end of the input.
func (e *Env) Prompt(ctx context.Context, question string) (string, error) {
	fmt.Fprint(e.Err, question)
	in, got := e.reader(), make(chan string, 1)
	go func() {
		line, _ := in.ReadString('\n')
		got <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(e.Err)
		return "", context.Cause(ctx)
	case line := <-got:
		if Terminal(e.In) == nil || line == "" {
			fmt.Fprintln(e.Err)
		}
		return strings.TrimSpace(line), nil
	}
}

// promptPIN asks for the owner's PIN, on the terminal or as a line of standard input. The PIN is never an argument:
// every program can read those.
func (e *Env) promptPIN(context.Context) (string, error) {
	pin, err := e.PromptHidden("PIN", "Your PIN: ")
	if fault.KindOf(err) == fault.Invalid || (err == nil && pin == "") {
		return "", fault.New(fault.CodePINRequired, "This action requires the owner's PIN.",
			"Run it on a terminal and type the PIN, or send it as a line on standard input.")
	}
	return pin, err
}

// RequireConfirm asks a person, unless yes says that the command line has the answer. Without a yes it returns an error
// that says what was not done.
func (e *Env) RequireConfirm(yes bool, question, notDone string) error {
	if yes || e.Confirm(question) {
		return nil
	}
	return fault.Invalidf("%s", notDone).WithHint("Answer y, or add --yes to continue without asking.")
}

// Confirm asks a person. Without a terminal the answer is no.
func (e *Env) Confirm(question string) bool {
	if Terminal(e.In) == nil {
		return false
	}

	fmt.Fprint(e.Err, question+" [y/N] ")
	line, err := bufio.NewReader(io.LimitReader(e.In, 100)).ReadString('\n')
	if err != nil {
		return false
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
