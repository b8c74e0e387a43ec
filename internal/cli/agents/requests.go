package agents

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
)

// Requests returns `cove asks`.
func Requests(env *command.Env) *cobra.Command {
	var history bool
	list := func(cmd *cobra.Command, _ []string) error {
		client, err := env.Client()
		if err != nil {
			return err
		}
		all, err := client.Requests().List(cmd.Context())
		if err != nil {
			return err
		}
		return env.Print(all, func(w io.Writer) { writeRequests(env, w, all, history) })
	}
	withHistory := func(cmd *cobra.Command) *cobra.Command {
		cmd.Flags().BoolVar(&history, "history", false, "also list requests that have ended")
		return env.WithJSON(cmd)
	}
	cmd := withHistory(&cobra.Command{Use: "asks", Short: "List and answer agents’ requests",
		Long: `Agents ask you for two things: to approve a step that the policy does not simply allow, and for help
(a captcha, a code, a choice, an answer). A request stays open for 30 minutes (cove config set ask_minutes N), also
when the agent’s call has ended.

Approve or deny a step:       cove asks allow 3-4711      cove asks deny 3-4711 --note "Too expensive."
Say that you have done it:    cove asks answer 3-4711
Give what was asked for:      cove asks answer 3-4711 --choose L      cove asks answer 3-4711 --text "In May."
Type a one-time code:         cove asks answer 3-4711 --code
Say that you can’t:           cove asks deny 3-4711 --note "I have no access."

A code is read from a hidden prompt or from standard input. Cove types it into the page; the agent never reads it.
A step that expired can still be allowed: it passes when the agent tries it again within ten minutes.`,
		Args: command.Exactly(0),
		RunE: list,
		Example: `  cove asks
  cove asks allow 3-4711 --scope session
  cove asks answer 3-4711 --note "Captcha solved."`})
	cmd.AddCommand(withHistory(&cobra.Command{Use: "list", Short: "List agents’ requests", Args: command.Exactly(0),
		RunE: list}), showRequest(env), allowRequest(env), denyRequest(env), answerRequest(env))
	return cmd
}

func showRequest(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "show ID", Short: "Show a request", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			one, err := client.Requests().Get(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			return env.Print(one.Data, func(w io.Writer) { writeRequest(env, w, one.Data) })
		}})
}

func allowRequest(env *command.Env) *cobra.Command {
	var scope string
	cmd := &cobra.Command{Use: "allow ID", Short: "Approve a step",
		Long: `Approve a step. With --scope session, further requests of this kind are approved until the agent
disconnects. With --scope site, Cove adds a rule to the profile’s policy: agents may always do this on the site that
“cove asks show” names.`,
		Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			yes := true
			return answer(env, cmd, args[0], api.Answer{Allow: &yes, Scope: scope}, "Approved.")
		}}
	cmd.Flags().StringVar(&scope, "scope", "once", "how far it reaches: once, session or site")
	return cmd
}

func denyRequest(env *command.Env) *cobra.Command {
	var note string
	cmd := &cobra.Command{Use: "deny ID", Short: "Deny a step, or decline to help", Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return answer(env, cmd, args[0], api.Answer{Decline: true, Note: note}, "Denied.")
		}}
	cmd.Flags().StringVar(&note, "note", "", "what to tell the agent")
	return cmd
}

func answerRequest(env *command.Env) *cobra.Command {
	var in api.Answer
	var code bool
	cmd := &cobra.Command{Use: "answer ID", Short: "Answer an agent that asks for help",
		Long: `Answer an agent that asks for help. Without a flag, you say that you have done what it asked for.`,
		Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			given := 0
			for _, one := range []bool{in.Choose != "", in.Text != "", code} {
				if one {
					given++
				}
			}
			if given > 1 {
				return exit.Usagef(cmd, "expected one of --choose, --text and --code")
			}
			if in.Done = given == 0; code {
				typed, err := env.PromptHidden("code", "Code (not shown): ")
				if err != nil {
					return err
				}
				in.Code = typed
			}
			return answer(env, cmd, args[0], in, "Answered.")
		}}
	cmd.Flags().StringVar(&in.Choose, "choose", "", "one of the options")
	cmd.Flags().StringVar(&in.Text, "text", "", "your answer in words")
	cmd.Flags().BoolVar(&code, "code", false, "ask for a code and type it into the page")
	cmd.Flags().StringVar(&in.Note, "note", "", "what else to tell the agent")
	return cmd
}

func answer(env *command.Env, cmd *cobra.Command, id string, in api.Answer, done string) error {
	client, err := env.Client()
	if err != nil {
		return err
	}
	if err := client.Requests().Answer(cmd.Context(), id, in); err != nil {
		return err
	}
	fmt.Fprintln(env.Out, done)
	return nil
}

// requestStates are the states of requests for people.
var requestStates = map[string]string{
	"asked": "waiting", "seen": "seen", "working": "you’re working on it", "answered": "answered",
	"expired": "expired", "withdrawn": "withdrawn by the agent",
	"cut": "ended: agents were stopped or the profile closed",
}

func writeRequests(env *command.Env, w io.Writer, all api.Requests, history bool) {
	if len(all.Data) == 0 {
		fmt.Fprintln(w, "No open requests.")
	}
	for _, one := range all.Data {
		writeRequestLine(w, one)
	}
	if history {
		for _, one := range all.History {
			writeRequestLine(w, one)
		}
	}
	if len(all.Data) > 0 {
		first := all.Data[0]
		hint := "\nAnswer with: cove asks answer %[1]s, or: cove asks deny %[1]s"
		if first.Kind == "approve" {
			hint = "\nAnswer with: cove asks allow %[1]s, or: cove asks deny %[1]s"
		}
		env.Advise(w, hint, first.ID)
	}
}

func writeRequestLine(w io.Writer, one api.Request) {
	state := requestStates[one.State]
	if one.ExpiresAt != nil {
		state += ", " + remaining(*one.ExpiresAt)
	}
	fmt.Fprintf(w, "%s  profile %d, %s: %s\n", one.ID, one.Profile, one.Agent.Name, one.What)
	fmt.Fprintf(w, "    %s%s (%s)\n", about(one), state, kindOf(one))
}

// kindOf names what the agent needs.
func kindOf(one api.Request) string {
	if one.Class != "" {
		return one.Class
	}
	return one.Kind
}

func about(one api.Request) string {
	if one.Page == "" {
		return ""
	}
	return one.Page + "  "
}

func remaining(until time.Time) string {
	d := time.Until(until)
	if d < time.Minute {
		return "less than a minute left"
	}
	return fmt.Sprintf("%d min left", int(d.Minutes()))
}

func writeRequest(env *command.Env, w io.Writer, one api.Request) {
	writeRequestLine(w, one)
	if len(one.Options) > 0 {
		fmt.Fprintf(w, "    Options: %s\n", strings.Join(one.Options, ", "))
	}
	if one.Because != "" {
		fmt.Fprintf(w, "    %s\n", one.Because)
	}
	if a := one.Answer; a != nil && a.Note != "" {
		fmt.Fprintf(w, "    Note: %s\n", a.Note)
	}
	if one.RuleWords != "" {
		env.Advise(w, "    To make it a rule: cove asks allow %s --scope site\n    The rule: %s", one.ID, one.RuleWords)
	}
}
