package pages

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/answer"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/wording"
)

// doCommand returns `cove page do`.
func (r *runner) doCommand() *cobra.Command {
	return &cobra.Command{Use: "do STEP …", Short: "Run several steps; stops at the first that fails",
		Long: `Run several steps, each written as after 'cove page'. With - the steps are the lines of standard input.
Every step is checked before the first one runs.`,
		Example: `  cove page do 'fill k3=lamp' 'press Enter' 'snapshot'
  cove page do - < steps.txt`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.runSteps(cmd.Context(), args) },
	}
}

// written is a step as the person wrote it, with what it means.
type written struct {
	text string
	plan plan
	r    *runner // with the flags of the step
}

func (r *runner) runSteps(ctx context.Context, args []string) error {
	steps, err := r.readSteps(args)
	if err != nil {
		return r.fail(err)
	}
	s, err := r.begin(ctx)
	if err != nil {
		return r.fail(err)
	}

	var objects []object
	failed := error(nil)
	tab := 0
	for i, w := range steps {
		a, err := s.execute(ctx, r.stepOptions(w, tab, i == len(steps)-1), w.plan)
		if err != nil {
			return r.fail(err)
		}
		if i > 0 {
			a = onlyRest(a)
		}
		failed = inStep(failureOf(a), i, len(steps), w.text)
		if !r.env.JSON && (failed == nil || len(a.Parts) > 0) {
			if err := w.r.print(a, w.plan); err != nil {
				return err
			}
		}
		objects = append(objects, objectOf(a))
		if tab = 0; a.Tab != nil { // the next step is for the same page
			tab = a.Tab.ID
		}
		if failed != nil {
			break
		}
	}
	if r.env.JSON {
		done := stepsObject{OK: failed == nil, Steps: objects}
		done.Exit = objects[len(objects)-1].Exit
		if err := r.env.Print(done, nil); err != nil {
			return err
		}
	}
	return failed
}

// readSteps returns the steps that the arguments, or the lines of standard input, describe.
func (r *runner) readSteps(args []string) ([]written, error) {
	if len(args) == 1 && args[0] == "-" {
		raw, err := io.ReadAll(r.env.In)
		if err != nil {
			return nil, err
		}
		args = nil
		for line := range strings.Lines(string(raw)) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				args = append(args, line)
			}
		}
	}
	if len(args) == 0 {
		return nil, fault.Invalidf("There are no steps.").
			WithHint("For example: cove page do 'click k2' 'press Enter'")
	}

	steps := make([]written, len(args))
	for i, text := range args {
		w, err := r.parseStep(text)
		if err != nil {
			f := fault.From(err)
			return nil, fault.Invalidf("Step %d (%s): %s", i+1, wording.Shorten(oneLine(text), 100), f.Text).
				WithHint("See: cove page --help")
		}
		steps[i] = w
	}
	return steps, nil
}

// stepOptions returns the options of a step. A step that names no tab is for the tab of the step before it, and the
// last one shows the snapshot that the whole command asks for.
func (r *runner) stepOptions(w written, tab int, last bool) options {
	o := w.r.options
	if o.tab == 0 {
		o.tab = tab
	}
	o.snapshot = o.snapshot || r.snapshot && last
	return o
}

// stepsObject is the answer to several steps for programs.
type stepsObject struct {
	OK    bool     `json:"ok"`
	Exit  int      `json:"exit,omitempty"`
	Steps []object `json:"steps"`
}

// onlyRest changes the hint of a step that waits for a person: the steps before it are done, and must not be repeated.
func onlyRest(a answer.Answer) answer.Answer {
	if a.Error == nil || a.Error.Code != fault.CodeNotApproved {
		return a
	}
	const rest = "run only this step and those after it again"
	f := *a.Error
	f.Hint = strings.NewReplacer("Do the same again", "The steps before it were done: "+rest,
		"do the same again", rest+", as those before it were done").Replace(f.Hint)
	a.Error = &f
	return a
}

// inStep says which step has failed.
func inStep(err error, i, of int, text string) error {
	coded, ok := err.(exit.Coded) //nolint:errorlint // failureOf makes it
	if !ok {
		return err
	}
	f := *coded.Fault
	f.Text = fmt.Sprintf("Step %d of %d (%s): %s", i+1, of, wording.Shorten(oneLine(text), 100), f.Text)
	return exit.Coded{Fault: &f, Exit: coded.Exit}
}

// parseStep reads a step as a command line after `cove page`.
func (r *runner) parseStep(text string) (written, error) {
	words, err := splitWords(text)
	if err != nil {
		return written{}, err
	}
	env := *r.env
	own := newRunner(&env)
	own.options = options{tab: r.tab, timeout: r.timeout}
	root, group := &cobra.Command{Use: "cove"}, own.group()
	root.AddCommand(group)
	own.tab, own.timeout = r.tab, r.timeout // the flags have set them back
	found, rest, err := group.Find(words)
	if err != nil {
		return written{}, err
	}
	v, ok := own.verbs[found.Name()]
	if !ok {
		if len(words) > 0 && found == group {
			return written{}, command.Unknown(group, words[0])
		}
		return written{}, fault.Invalidf("This is not a step.").WithHint("See: cove page --help")
	}
	if err := found.ParseFlags(rest); err != nil {
		return written{}, err
	}
	for _, name := range []string{"profile", "json"} {
		if found.Flags().Changed(name) {
			return written{}, fault.Invalidf("--%s is for the whole command, not for a step.", name)
		}
	}
	args := found.Flags().Args()
	if err := found.ValidateArgs(args); err != nil {
		return written{}, err
	}
	p, err := v.plan(args)
	return written{text, p, own}, err
}

// splitWords splits a step as a shell does: quotes hold words together, a backslash takes a character as it is. Between
// double quotes it does so only before those characters that mean something there.
func splitWords(text string) (words []string, err error) {
	var word strings.Builder
	inside, quote, escaped := false, rune(0), false
	for _, c := range text {
		switch {
		case escaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`\n", c) {
				word.WriteRune('\\')
			}
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			inside, escaped = true, true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			inside, quote = true, c
		case quote == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if inside {
				words = append(words, word.String())
				word.Reset()
			}
			inside = false
		default:
			word.WriteRune(c)
			inside = true
		}
	}
	if quote != 0 || escaped {
		return nil, fault.Invalidf("A quote is not closed.")
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}

// printFailure prints a failure that came without an answer, for programs.
func printFailure(env *command.Env, err error) error {
	code, text, hint := exit.Explain(err, true)
	f := fault.From(err)
	o := objectOf(answer.Answer{})
	o.OK, o.Exit = false, code
	o.Error = &objectError{f.Code, f.Kind, text, hint}
	if printed := env.Print(o, nil); printed != nil {
		return printed
	}
	return err
}
