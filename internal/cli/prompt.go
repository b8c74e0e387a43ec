package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"cove/internal/fault"
)

// terminal returns the terminal behind a stream, or nil if there is none.
func terminal(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// promptHidden reads a line without showing it. It reads a pipe as it is. what names the input in the error.
func (c *config) promptHidden(what, prompt string) (string, error) {
	if f := terminal(c.in); f != nil {
		fmt.Fprint(c.err, prompt)
		raw, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(c.err)
		return string(raw), err
	}
	if c.input == nil {
		c.input = bufio.NewReader(c.in) // one reader for all questions, because it reads ahead
	}
	line, err := c.input.ReadString('\n')
	if line == "" && err != nil {
		return "", fault.Invalidf("No %s was given.", what).WithHint("Type it, or send it on standard input.")
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// confirm asks a person. Without a terminal the answer is no.
func (c *config) confirm(question string) bool {
	if terminal(c.in) == nil {
		return false
	}
	fmt.Fprint(c.err, question+" [y/N] ")
	line, err := bufio.NewReader(io.LimitReader(c.in, 100)).ReadString('\n')
	if err != nil {
		return false
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}
