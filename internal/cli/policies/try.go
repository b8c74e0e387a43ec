package policies

import (
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/policy/site"
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
			p, err := client.Policy(cmd.Context(), id)
			if err != nil {
				return err
			}
			rules := policy.NewRules(policyOf(p.Data))
			out := []policy.Outcome{}
			for _, question := range args[1:] {
				if question, err = asAddress(question); err != nil {
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

// asAddress turns a site as people write it into a URL. The name of a permission stays as it is.
func asAddress(question string) (string, error) {
	if _, ok := policy.Says[policy.Class(question)]; ok {
		return question, nil
	}
	if u, err := url.Parse(question); err == nil && u.Scheme != "" &&
		(u.Host != "" || u.Opaque == "" || !isPort(u.Opaque)) {
		return question, nil
	}
	host, _, _ := strings.Cut(question, "/")
	name, _, _ := strings.Cut(host, ":")
	if _, err := site.Parse(host); err != nil ||
		(!strings.Contains(name, ".") && name != "localhost" && !strings.HasPrefix(host, "[")) {
		return "", fault.Invalidf("%q is neither a URL nor a permission.", question).
			WithHint(fault.Suggest(question, policy.Classes...) +
				"Use a URL such as https://example.com, or one of " +
				strings.Join(Names(policy.Classes), ", ") + ".")
	}

	return "https://" + question, nil
}

// isPort tells localhost:3000 from about:blank: to a parser, both have a scheme.
func isPort(text string) bool {
	port, _, _ := strings.Cut(text, "/")
	_, err := strconv.ParseUint(port, 10, 16)
	return err == nil
}

func policyOf(p api.Policy) policy.Policy {
	out := policy.Policy{Preset: policy.Preset(p.Preset), Sites: policy.Sites(p.Sites),
		Rights: map[policy.Class]policy.Answer{}}
	for class, answer := range p.Rights {
		out.Rights[policy.Class(class)] = policy.Answer(answer)
	}
	return out
}
