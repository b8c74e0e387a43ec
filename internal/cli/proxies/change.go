package proxies

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/proxy"
	"cove/internal/wording"
)

// maxImport is the size of the largest file that is imported. The API takes no more.
const maxImport = 1 << 20

func addCommand(env *command.Env) *cobra.Command {
	var name, link string
	cmd := &cobra.Command{Use: "add [PROXY]", Short: "Store a proxy",
		Long: "Store a proxy. Without PROXY, Cove asks for it, so that its password is not in your shell's history.",
		Example: `  cove proxy add proxy.example:8080:login:password --name Berlin
  cove proxy add socks5://proxy.example:1080 --change-ip https://provider.example/change?key=1
  cove proxy add`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := given(env, args)
			if err != nil {
				return err
			}
			if _, err := proxy.Parse(text); err != nil {
				return err
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			in := api.StoredProxyInput{Proxy: &text, Name: &name}
			if link != "" {
				in.ChangeIPURL = &link
			}
			p, err := client.Proxies().Create(cmd.Context(), in)
			if err != nil {
				return err
			}

			return env.Print(p, func(w io.Writer) {
				fmt.Fprintf(w, "Proxy %d added: %s\n", p.ID, record(p).Shown())
				env.Advise(w, "Give it to a profile with: cove profile edit NAME --proxy %d", p.ID)
			})
		}}
	cmd.Flags().StringVar(&name, "name", "", "your name for the proxy")
	cmd.Flags().StringVar(&link, "change-ip", "", "link that gives the proxy another exit address")

	return env.WithJSON(cmd)
}

// given returns the proxy on the command line, or asks for it.
func given(env *command.Env, args []string) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	return env.PromptHidden("proxy", "Proxy (not shown): ")
}

func importCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "import FILE", Short: "Store proxies from a file, one per line",
		Long: `Store proxies from a file, one per line: all of them or none. - reads standard input.

Blank lines and lines that begin with # are skipped. If a line is not understood, nothing is stored, and the error names
the lines. A proxy that is stored already is not stored again.`,
		Example: "  cove proxy import proxies.txt\n  cove proxy import - < proxies.txt",
		Args:    command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := env.ReadFile(args[0], maxImport)
			if err != nil {
				return err
			}
			text := string(raw)
			if _, err := proxy.ParseList(text); err != nil {
				return err
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			done, err := client.Proxies().Import(cmd.Context(), text)
			if err != nil {
				return err
			}

			return env.Print(done, func(w io.Writer) {
				fmt.Fprintf(w, "%s added, %d already stored.\n", wording.Count(done.Created, "proxy"),
					len(done.IDs)-done.Created)
				if len(done.Ignored) > 0 {
					fmt.Fprintln(w, "Note: a proxy of a profile with rules keeps its link. "+
						"Change it with: cove proxy edit PROXY-ID --change-ip …")
				}
				env.Advise(w, "Check them with: cove proxy check")
			})
		}}

	return env.WithJSON(cmd)
}

func editCommand(env *command.Env) *cobra.Command {
	var name, link, text string
	cmd := &cobra.Command{Use: "edit PROXY-ID", Short: "Edit a proxy; other settings are unchanged",
		Long: `Edit a proxy. The change reaches its profiles the next time they open.
If one of them has rules for agents, only you can change where the proxy leads, and its link.`,
		Example: "  cove proxy edit 1 --name Berlin\n  cove proxy edit Berlin --proxy socks5://proxy.example:1080",
		Args:    command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var in api.StoredProxyInput
			for flag, field := range map[string]struct {
				from *string
				to   **string
			}{"name": {&name, &in.Name}, "change-ip": {&link, &in.ChangeIPURL}, "proxy": {&text, &in.Proxy}} {
				if cmd.Flags().Changed(flag) {
					*field.to = field.from
				}
			}
			if in == (api.StoredProxyInput{}) {
				return exit.Usagef(cmd, "nothing to change: use --name, --proxy or --change-ip")
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			id, err := find(cmd.Context(), client, args[0])
			if err != nil {
				return err
			}
			p, err := client.Proxies().Edit(cmd.Context(), id, in)
			if err != nil {
				return err
			}

			return env.Print(p, func(w io.Writer) { fmt.Fprintf(w, "Proxy %d saved: %s\n", p.ID, record(p).Shown()) })
		}}
	cmd.Flags().StringVar(&name, "name", "", "your name for the proxy")
	cmd.Flags().StringVar(&text, "proxy", "", "the proxy itself, such as host:port:login:password")
	cmd.Flags().StringVar(&link, "change-ip", "", "link that gives the proxy another exit address; '' for none")

	return env.WithJSON(cmd)
}

func removeCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "rm PROXY-ID…", Aliases: []string{"remove", "delete"},
		Short:   "Delete proxies that no profile uses",
		Long:    "Delete proxies: all of them or none. A proxy that a profile uses, in the trash or not, stays.",
		Example: "  cove proxy rm 3\n  cove proxy rm 3 4 Berlin",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			ids, err := findAll(cmd.Context(), client, args)
			if err != nil {
				return err
			}
			if err := client.Proxies().Delete(cmd.Context(), ids...); err != nil {
				return err
			}
			fmt.Fprintln(env.Out, wording.Count(len(ids), "proxy")+" deleted.")
			return nil
		}}

	return cmd
}
