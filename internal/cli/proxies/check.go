package proxies

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/wording"
)

func checkCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "check [PROXY-ID…]", Short: "Check proxies, or all of them",
		Long: `Check proxies, or all of them. Each result is shown as soon as it is known; Ctrl+C stops the check.
The exit code is 1 if one did not pass.

By default Cove calls nobody but the proxies: it connects, makes the TLS handshake with https proxies, and logs in to
socks5 proxies. To see exit addresses and countries, and to check every login, name a page that returns the IP address
it is opened from:

  cove config set proxy.check https://ip.example/json`,
		Example: "  cove proxy check\n  cove proxy check 1 2\n  cove proxy check Berlin --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			ids, err := findAll(cmd.Context(), client, args)
			if err != nil {
				return err
			}
			all := []api.ProxyChecked{}
			failed, hint := 0, ""
			if err := client.Proxies().Check(cmd.Context(), ids, func(one api.ProxyChecked) {
				all = append(all, one)
				if !one.Check.Success {
					failed++
				}
				hint = one.Check.Hint
				if !env.JSON {
					fmt.Fprintf(env.Out, "[%d/%d] proxy %d: %s\n", one.Done, one.Total, one.ID, result(&one.Check))
				}
			}); err != nil {
				return err
			}

			if err := env.Print(all, func(w io.Writer) {
				if hint == "" {
					fmt.Fprintf(w, "Working: %d of %d.\n", len(all)-failed, len(all))
					return
				}
				fmt.Fprintf(w, "Reachable: %d of %d.\n", len(all)-failed, len(all))
				env.Advise(w, "To see exit addresses and check every login: cove config set proxy.check URL")
			}); err != nil || failed == 0 {
				return err
			}
			return fault.New(fault.CodeProxyCheck, wording.Count(failed, "proxy")+" did not pass the check.", "")
		}}

	return env.WithJSON(cmd)
}

func changeIPCommand(env *command.Env) *cobra.Command {
	return &cobra.Command{Use: "change-ip PROXY-ID", Short: "Give a proxy another exit address",
		Long: `Call the link by which the provider of a proxy gives it another exit address.
Cove calls it directly, not through the proxy. Links to this computer are refused.`,
		Example: "  cove proxy change-ip 1\n  cove proxy change-ip Berlin",
		Args:    command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			id, err := find(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			if err := client.Proxies().ChangeIP(cmd.Context(), id); err != nil {
				return err
			}
			fmt.Fprintln(env.Out, "The provider accepted the change.")
			return nil
		}}
}
