package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/internal/answer"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// maxArguments bounds the arguments of a call.
const maxArguments = 4 << 20

// Call returns `cove call`.
func Call(env *command.Env) *cobra.Command {
	r := newRunner(env)
	cmd := &cobra.Command{Use: "call ID TOOL [JSON|-]", Short: "Call any tool of a profile and print its answer",
		Long: `Call a tool by its name, with its arguments as JSON (or - for standard input), and print what MCP clients
read. A full stop in place of ID stands for the folder's profile (cove page use ID), or that of COVE_PROFILE if the
folder has none.

For steps by hand, cove page has shorter commands.`,
		Example: `  cove call . list_pages
  cove call work take_snapshot '{"interactiveOnly":true}'
  cove call 1 navigate_page '{"url":"https://shop.example"}' --json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 || len(args) > 3 {
				return exit.Usagef(cmd, "expected call ID TOOL [JSON|-]")
			}
			return nil
		}}
	cmd.Flags().DurationVar(&r.timeout, "timeout", 0, "how long to wait for a person or a code, for example 10s")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		raw, err := argumentsOf(env.In, args[2:])
		if err != nil {
			return err
		}
		r.profile = args[0]
		s, err := r.begin(cmd.Context())
		if err != nil {
			return r.fail(err)
		}
		in := s.who
		in.Tool, in.Arguments, in.Patience, in.Text = args[1], raw, r.timeout, true
		a, err := s.call(cmd.Context(), in)
		if err != nil {
			return r.fail(err)
		}
		return printWhole(env, a)
	}
	return env.WithJSON(cmd)
}

// argumentsOf reads the arguments of a call: a JSON object, given or on standard input; none is an empty one.
func argumentsOf(in io.Reader, args []string) (json.RawMessage, error) {
	if len(args) == 0 {
		return json.RawMessage("{}"), nil
	}
	return objectOrInput(in, args[0], "The arguments are", `For example: '{"interactiveOnly":true}'`)
}

// objectOrInput returns the JSON object in word, or the one on standard input if word is -. The error about anything
// else begins with what and has the hint.
func objectOrInput(in io.Reader, word, what, hint string) (json.RawMessage, error) {
	text := []byte(word)
	if word == "-" {
		var err error
		if text, err = io.ReadAll(io.LimitReader(in, maxArguments)); err != nil {
			return nil, err
		}
	}
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	var other *json.UnmarshalTypeError
	switch {
	case err == nil && object != nil:
		return text, nil
	case err == nil || errors.As(err, &other):
		return nil, fault.Invalidf("%s not a JSON object.", what).WithHint(hint)
	}
	return nil, fault.Invalidf("%s not a JSON object: %v.", what, err).WithHint(hint)
}

// wholeResult is the answer to `cove call` for programs.
type wholeResult struct {
	object
	Content string        `json:"content"` // as MCP clients read it
	Image   *answer.Image `json:"image,omitempty"`
}

func printWhole(env *command.Env, a answer.Answer) error {
	failure := failureOf(a)
	if env.JSON {
		o := objectOf(a)
		if err := env.Print(wholeResult{o, a.Text, a.Image}, nil); err != nil {
			return err
		}
		return failure
	}
	if failure == nil {
		fmt.Fprintln(env.Out, a.Text)
	}
	return failure
}
