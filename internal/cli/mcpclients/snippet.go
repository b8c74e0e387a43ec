package mcpclients

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/clients"
)

func snippetCommand(env *command.Env) *cobra.Command {
	var f entries.Flags
	cmd := &cobra.Command{
		Use: "snippet CLIENT ID", Short: "Print an entry to paste into a client's file", Args: command.Exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			one, err := clients.Find(args[0])
			if err != nil {
				return err
			}
			x, err := entries.For(cmd, env, r, args[1], f)
			if err != nil {
				return err
			}
			s := r.Paste(one, x)
			return env.Print(s, func(w io.Writer) {
				fmt.Fprintln(w, s.Text)
				fmt.Fprintf(env.Err, "\nAdd this to %s.\n", strings.Join(s.Files, ", or for this folder to "))
				if s.Link != "" {
					fmt.Fprintf(env.Err, "Or open this link: %s\n", s.Link)
				}
			})
		},
	}

	f.Bind(cmd)
	return env.WithJSON(cmd)
}

func bundleCommand(env *command.Env) *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use: "bundle ID", Short: "Write a .mcpb file that Claude Desktop installs by double-click",
		Args: command.Exactly(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			x, err := entries.For(cmd, env, r, args[0], entries.Flags{})
			if err != nil {
				return err
			}
			if file == "" {
				file = x.Name + ".mcpb"
			}
			if err := entries.WriteBundle(file, x); err != nil {
				return err
			}
			abs, _ := filepath.Abs(file)
			return env.Print(map[string]string{"path": abs}, func(w io.Writer) {
				fmt.Fprintf(w, "Wrote %s: open it with Claude Desktop.\n%s\n", abs, clients.Warning(x.Profile))
			})
		},
	}

	cmd.Flags().StringVar(&file, "out", "", "file to write (default: cove-ID.mcpb in this folder)")
	return env.WithJSON(cmd)
}
