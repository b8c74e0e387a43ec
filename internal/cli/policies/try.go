package policies

import (
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/policy"
	"cove/internal/profile"
)

func testCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "test ID WHAT…",
		Short: "Show which rule applies to a URL or permission",
		Example: `  cove policy test 1 https://example.com/login file:///etc/passwd
  cove policy test 1 upload script`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return exit.Usagef(cmd, "expected policy test ID WHAT…")
			}
			return nil
		},
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
			p, err := client.Policy(id).Get(cmd.Context())
			if err != nil {
				return err
			}
			rules := policy.NewRules(policyOf(p.Data))
			out := []policy.Outcome{}
			for _, question := range args[1:] {
				if question, err = policy.ReadQuestion(question); err != nil {
					return err
				}
				out = append(out, rules.Try(question))
			}

			return env.Print(out, func(w io.Writer) {
				t := command.Table(w, "ANSWER", "WHAT", "BECAUSE")
				for _, o := range out {
					command.Row(t, string(o.Answer), o.Question, o.Rule)
				}
				_ = t.Flush()
			})
		})(cmd, args[:1])
	}

	return env.WithJSON(cmd)
}

func policyOf(p api.Policy) policy.Policy {
	out := policy.Policy{Preset: policy.Preset(p.Preset), Sites: policy.Sites(p.Sites),
		Rights: map[policy.Class]policy.Answer{}}
	for class, answer := range p.Rights {
		out.Rights[policy.Class(class)] = policy.Answer(answer)
	}
	return out
}
