package secrets

import (
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/profile"
	"cove/internal/secret"
)

// setting is one `cove secret set`.
type setting struct {
	env    *command.Env
	cmd    *cobra.Command
	client *api.Client
	id     profile.ID
	name   string
	flags  *setFlags
}

type setFlags struct {
	site, command string
	totp          bool
	skew          int
}

func setCommand(env *command.Env) *cobra.Command {
	f := &setFlags{}
	cmd := ofProfile(env, &cobra.Command{Use: "set NAME --profile ID --site ORIGIN",
		Short: "Save a secret (asks for its value)", Args: command.Exactly(1),
		Long: `Save a secret. Cove asks for its value.

With --totp the value is the setup key for one-time codes: the text that the site shows beside its QR code, or
the otpauth:// address in that code. With --totp and --skew but without --site, only the clock of a saved one is
corrected.

With --command nothing is saved but the command. Cove runs it whenever an agent types the secret, as you, in your
home folder, without a shell and for 30 seconds at most, and types the first line that it prints. The program is
found now, on your PATH.`},
		func(cmd *cobra.Command, client *api.Client, id profile.ID, args []string) error {
			return (&setting{env, cmd, client, id, args[0], f}).run()
		})
	cmd.Flags().StringVar(&f.site, "site", "", "the only site where Cove types it, such as https://mail.example.com")
	cmd.Flags().BoolVar(&f.totp, "totp", false, "the value is the setup key for one-time codes")
	cmd.Flags().IntVar(&f.skew, "skew", 0, "with --totp: how many `SECONDS` the site's clock is ahead of this one")
	cmd.Flags().StringVar(&f.command, "command", "", "a `COMMAND` that prints the value when it is typed")
	return cmd
}

func (s *setting) run() error {
	changed := s.cmd.Flags().Changed
	switch {
	case changed("command") && s.flags.totp:
		return exit.Usagef(s.cmd, "--totp and --command do not go together")
	case changed("skew") && !s.flags.totp:
		return exit.Usagef(s.cmd, "--skew needs --totp")
	case changed("skew") && s.flags.site == "":
		return s.correct()
	case s.flags.site == "":
		return exit.Usagef(s.cmd, "expected --site ORIGIN, the only site where Cove types the secret")
	}

	// Check everything else before anybody types the secret.
	if _, err := secret.Check(s.name, s.flags.site); err != nil {
		return err
	}
	if _, err := s.client.Secrets(s.id).List(s.cmd.Context()); err != nil {
		return err
	}
	if changed("command") {
		return s.setCommand()
	}
	return s.setValue()
}

// correct corrects the clock of a secret that is saved.
func (s *setting) correct() error {
	err := s.client.Secrets(s.id).Change(s.cmd.Context(), s.name, api.SecretChange{Skew: s.flags.skew})
	if err != nil {
		return err
	}
	fmt.Fprintln(s.env.Out, "Clock corrected.")
	return nil
}

func (s *setting) setValue() error {
	in := api.NewSecret{Name: s.name, Site: s.flags.site, Skew: s.flags.skew}
	what, prompt, mark := "value", "Value of "+s.name+" (not shown): ", "secret"
	if s.flags.totp {
		in.Kind, what, prompt, mark = string(secret.TOTP), "setup key", "Setup key of "+s.name+" (not shown): ", "totp"
	}
	var err error
	if in.Value, err = s.env.PromptHidden(what, prompt); err != nil {
		return err
	}
	if err := s.client.Secrets(s.id).Set(s.cmd.Context(), in); err != nil {
		return err
	}
	s.saved(mark)
	return nil
}

// setCommand saves a command. It writes to the data folder itself, so that no call of the API, whoever sends it, can
// make the keeper run a program. The app only checks the PIN.
func (s *setting) setCommand() error {
	c, err := secret.ParseCommand(s.flags.command)
	if err != nil {
		return err
	}
	home, err := s.env.HomeDir()
	if err != nil {
		return err
	}
	if err := s.client.Do(s.cmd.Context(), http.MethodPost, "/pin/unlock", nil, nil); err != nil {
		return err
	}
	store := secret.Open(home.Profile(s.id), secret.NewHomeKeys(home).PreferKeyring())
	if err := store.SetCommand(s.name, s.flags.site, c); err != nil {
		return err
	}
	s.saved("secret")
	fmt.Fprintf(s.env.Out, "It comes from %s whenever it is typed.\n", c.Program)
	return nil
}

func (s *setting) saved(mark string) {
	fmt.Fprintf(s.env.Out, "Saved. Agents use {{%s:%s}}; Cove types it only on %s.\n", mark, s.name, s.flags.site)
}
