// Package pages has `cove page` and `cove call`: the tools of a profile for agents and people in a shell.
package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/internal/answer"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/process"
)

// options are the flags of every command.
type options struct {
	profile  string
	tab      int
	snapshot bool
	out      string
	timeout  time.Duration
}

// step is one call of a tool.
type step struct {
	tool string
	args map[string]any
}

// plan is what a command does: its calls, and how their answer is printed.
type plan struct {
	steps []step
	head  head
	raw   bool // the page's words alone
	// otherwise replaces the steps where the first fails because the page belongs to another agent; nil for none.
	otherwise []step
}

// verb is a command of `cove page`.
type verb struct {
	cmd  *cobra.Command
	plan func(args []string) (plan, error)
}

// runner is one run of `cove page`.
type runner struct {
	env *command.Env
	options
	verbs map[string]verb
}

// Command returns `cove page`.
func Command(env *command.Env) *cobra.Command { return newRunner(env).group() }

func newRunner(env *command.Env) *runner { return &runner{env: env, verbs: map[string]verb{}} }

// group makes `cove page` with its verbs.
func (r *runner) group() *cobra.Command {
	group := command.Group(&cobra.Command{Use: "page",
		Short: "Work in a profile's web pages, as agents in a shell do",
		Long: `Open, read and use the web pages of a profile, one command for each step.

A line that begins with a space was written by the web page; all others are Cove's. Elements have refs, such as k4,
which a snapshot shows. Each step waits for what it sets off.

The profile is that of -p, of COVE_PROFILE, of the folder (cove page use ID), or the only one there is. A closed profile
is opened. Policies, approvals and the journal are the same as for MCP clients.`,
		Example: `  cove page open https://shop.example -s      go there and show the page
  cove page snapshot -q 'Order 17'            only what matches
  cove page click k7 -s
  cove page fill k4=ann@example.com k5='{{secret:shop}}' --enter -s
  cove page use work                          this folder's profile`})
	flags := group.PersistentFlags()
	flags.StringVarP(&r.profile, "profile", "p", "", "id or name of the profile")
	flags.IntVarP(&r.tab, "tab", "t", 0, "number of the tab (see: cove page tabs)")
	flags.BoolVarP(&r.snapshot, "snapshot", "s", false, "show the page after the step")
	flags.StringVarP(&r.out, "out", "o", "", "write the output to this `FILE`, and print one line")
	flags.DurationVar(&r.timeout, "timeout", 0, "how long to wait, for example 10s")
	flags.BoolVar(&r.env.JSON, "json", false, "print JSON")
	group.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, _, wrong := strings.Cut(err.Error(), ": strconv.") // the name of a Go function helps nobody
		if !wrong && strings.HasPrefix(text, "unknown") {
			text += ". A value that begins with - goes behind a =, or behind --"
		}
		return exit.Usagef(cmd, "%s", text)
	})

	for _, v := range r.allVerbs() {
		r.verbs[v.cmd.Name()] = v
		v.cmd.RunE = func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), v, args) }
		group.AddCommand(v.cmd)
	}
	group.AddCommand(r.doCommand(), r.useCommand(), r.secretsCommand())
	return group
}

// run runs one verb.
func (r *runner) run(ctx context.Context, v verb, args []string) error {
	p, err := v.plan(args)
	if err != nil {
		return r.fail(err)
	}
	s, err := r.begin(ctx)
	if err != nil {
		return r.fail(err)
	}
	a, err := s.execute(ctx, r.options, p)
	if err != nil {
		return r.fail(err)
	}
	if err := r.print(a, p); err != nil {
		return err
	}
	return failureOf(a)
}

// session is what the steps of one command share.
type session struct {
	*connection
	who answer.Call
}

func (r *runner) begin(ctx context.Context) (*session, error) {
	if r.timeout < 0 {
		return nil, fault.Invalidf("--timeout is negative.").WithHint("For example: --timeout 10s")
	}
	c, err := connect(ctx, r.env, r.profile)
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // it was removed: files can be in the temporary folder only
	}
	r.warnOldSkill(dir)
	a := identify(surroundings{getenv: os.Getenv, ancestors: process.Ancestors, leader: process.SessionLeader})
	return &session{c, answer.Call{Name: a.name, Version: a.version, PID: a.pid, Session: a.session, Dir: dir}}, nil
}

// showsPage reports whether a tool can show the page after the step itself.
func showsPage(tool string) bool {
	switch tool {
	case "click", "hover", "drag", "fill", "fill_form", "press_key", "upload_file":
		return true
	}
	return false
}

// execute makes the calls of a plan until one fails, and returns their answers as one.
func (s *session) execute(ctx context.Context, o options, p plan) (answer.Answer, error) {
	steps := p.steps
	if last := &steps[len(steps)-1]; o.snapshot && showsPage(last.tool) {
		last.args["includeSnapshot"] = true
	} else if o.snapshot && last.tool != "take_snapshot" && last.tool != "wait_for" {
		steps = append(steps, step{"take_snapshot", map[string]any{}})
	}

	var all answer.Answer
	tab := o.tab
	for i, one := range steps {
		if tab != 0 && needsPage(one) {
			one.args["pageId"] = tab
		}
		if o.out != "" && one.tool == "take_snapshot" && one.args["maxTokens"] == nil {
			one.args["maxTokens"] = maxFile // nobody pays for a file until it is read
		}
		a, err := s.step(ctx, o, one, i == 0 && !writesFile(p))
		if err != nil {
			return all, err
		}
		if i == 0 && a.Error != nil && a.Error.Code == fault.CodeTabOwned && p.otherwise != nil {
			p.steps, p.otherwise = p.otherwise, nil
			return s.execute(ctx, o, p)
		}
		all.Parts = append(all.Parts, a.Parts...)
		if a.Tab != nil { // the next steps are for the same page, whatever another command selects meanwhile
			all.Tab, tab = a.Tab, a.Tab.ID
		}
		if a.Out != "" {
			all.Out = a.Out
		}
		all.Waiting, all.Error = a.Waiting, a.Error
		if !a.OK() || i == len(p.steps)-1 && opensDialog(a) { // the dialog hides the page that -s would show
			break
		}
	}
	return all, nil
}

// opensDialog reports whether a dialog is open after a step.
func opensDialog(a answer.Answer) bool {
	return slices.ContainsFunc(a.Parts, func(p answer.Part) bool {
		return p.Effect != nil && p.Effect.Kind == answer.Dialog && p.Effect.State == ""
	})
}

// step makes one call. With checksOut it fails before it does anything if the command's output cannot be written.
func (s *session) step(ctx context.Context, o options, one step, checksOut bool) (answer.Answer, error) {
	raw, err := json.Marshal(one.args)
	if err != nil {
		return answer.Answer{}, err
	}
	in := s.who
	if checksOut {
		in.Out = o.out
	}
	in.Tool, in.Arguments, in.Patience = one.tool, raw, o.timeout
	return s.call(ctx, in)
}

// needsPage reports whether a step can be told on which page it works, and was not told yet.
func needsPage(s step) bool {
	switch s.tool {
	case "new_page", "list_pages", "list_downloads":
		return false
	}
	return s.args["pageId"] == nil && s.args["request"] == nil
}

// maxOutput is how many characters of an answer are printed.
const maxOutput = 20_000

// print prints an answer in the form that the flags ask for. An error of it is not printed here.
func (r *runner) print(a answer.Answer, p plan) error {
	switch {
	case a.Out != "" && a.OK():
		return r.write(a)
	case r.env.JSON:
		return r.env.Print(objectOf(a), nil)
	case p.raw:
		if _, err := io.WriteString(r.env.Out, pageText(a)); err != nil {
			return err
		}
		_, err := io.WriteString(r.env.Err, omissionsOf(a))
		return err
	}
	return r.printCut(terse(a, p.head), omissionsOf(a))
}

// writesFile reports whether the tool itself writes the file that -o names.
func writesFile(p plan) bool {
	for _, s := range p.steps {
		if s.args["filePath"] != nil || s.args["responseFilePath"] != nil {
			return true
		}
	}
	return false
}

// pageText returns what the page says, as it is.
func pageText(a answer.Answer) string {
	var all []string
	for _, p := range a.Parts {
		switch p.Kind {
		case answer.Value:
			all = append(all, valueText(p.Text))
		case answer.Snapshot:
			text, _ := splitOmissions(p.Text)
			all = append(all, bareRefs(text))
		case answer.Page, answer.Pages:
			all = append(all, p.Text)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return strings.TrimRight(strings.Join(all, "\n"), "\n") + "\n"
}

// write writes what the page says into the file that -o names, and prints one line about it.
func (r *runner) write(a answer.Answer) error {
	text := []byte(pageText(a))
	if r.env.JSON {
		var err error
		if text, err = json.Marshal(objectOf(a)); err != nil {
			return err
		}
		text = append(text, '\n')
	}
	if err := os.WriteFile(a.Out, text, 0o600); err != nil {
		return notWritten(err)
	}
	_, err := fmt.Fprintf(r.env.Out, "%s %d bytes, %d lines\n%s", a.Out, len(text), bytes.Count(text, []byte("\n")),
		omissionsOf(a))
	return err
}

// notWritten says that a step was done, so that nobody repeats it because of its output.
func notWritten(err error) error {
	return fault.New(fault.CodeUnwritable, "The step was done. Its output could not be written: "+err.Error()+".",
		"Do not repeat the step: look at the page again.").Because(err)
}

// printCut prints a text. If the text is too long for an agent, printCut prints its beginning, the name of a file with
// the whole text, and notes, which say what the text itself leaves out.
func (r *runner) printCut(text, notes string) error {
	if len(text) <= maxOutput {
		_, err := io.WriteString(r.env.Out, text)
		return err
	}
	file, err := os.CreateTemp("", "cove-page-*.txt")
	if err != nil {
		return notWritten(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := file.WriteString(text); err != nil {
		return notWritten(err)
	}
	end := strings.LastIndexByte(text[:maxOutput], '\n') + 1
	shown := text[:end]
	if end < maxOutput/2 { // a long line
		shown = strings.ToValidUTF8(text[:maxOutput], "") + "\n"
	}
	_, err = fmt.Fprintf(r.env.Out, "%scut: all %d characters of this output are in %s\n%s",
		shown, len(text), file.Name(), notes)
	return err
}

// fail prints a failure that came without an answer for programs, too.
func (r *runner) fail(err error) error {
	if r.env.JSON && err != nil {
		return printFailure(r.env, err)
	}
	return err
}
