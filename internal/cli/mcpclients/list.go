package mcpclients

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/clients"
	"cove/internal/verify/mcpclient"
)

func listCommand(env *command.Env) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the clients and their entries", Args: command.Exactly(0),
		Long: `List the clients that Cove knows, whether they are installed, and which profiles they have.

With --check, Cove runs the command of each entry as the client would. This opens the profile; if it was closed
before, it is closed again.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := entries.Registry(env)
			if err != nil {
				return err
			}
			list := []api.MCPClient{}
			for _, s := range r.States() {
				one := s.API()
				if check {
					checkEntries(cmd.Context(), env, r, s, one.Entries)
				}
				list = append(list, one)
			}

			return env.Print(list, func(w io.Writer) { showClients(w, list) })
		},
	}

	cmd.Flags().BoolVar(&check, "check", false, "run each entry's command and check that it answers")
	return env.WithJSON(cmd)
}

func showClients(w io.Writer, list []api.MCPClient) {
	t := command.Table(w, "CLIENT", "INSTALLED", "PROFILES", "FILE")
	for _, one := range list {
		installed := "no"
		if one.Installed {
			installed = "yes"
		}
		var profiles []string
		for _, e := range one.Entries {
			profiles = append(profiles, e.Profile.String())
		}
		command.Row(t, one.Name, installed, strings.Join(profiles, ", "), strings.Join(one.Files, ", "))
	}
	_ = t.Flush()
	for _, one := range list {
		if one.Error != "" {
			fmt.Fprintf(w, "\n%s: %s\n", one.Name, one.Error)
		}
		for _, e := range one.Entries {
			where := e.File
			if e.Folder != "" {
				where += ", for " + e.Folder
			}
			fmt.Fprintf(w, "\n%s  %s  profile %d, scope %s (%s)\n", one.Name, e.Name, e.Profile, e.Scope, where)
			if e.Check != nil {
				showCheck(w, one, e.Check)
			}
		}
	}
}

func showCheck(w io.Writer, one api.MCPClient, check *api.MCPCheck) {
	if check.Connected {
		fmt.Fprintf(w, "  ✓ Connected, %d tools, %.2f s\n", check.Tools, check.Millis/1000)
	} else {
		fmt.Fprintf(w, "  ✗ Failed: %s\n", check.Error)
	}
	if check.Own != "" {
		fmt.Fprintf(w, "    %s's own list: %s\n", one.Title, check.Own)
	}
}

// checkEntries runs the command of each entry. Afterwards profiles are open or closed as before.
func checkEntries(ctx context.Context, env *command.Env, r *clients.Registry, s clients.State, listed []api.MCPEntry) {
	if len(listed) == 0 {
		return
	}
	open := map[string]api.Running{}
	if client, err := env.Client(); err == nil {
		open, _ = client.Running(ctx)
	}
	own := ""
	if s.Client.Name == "claude-code" {
		own, _ = entries.OwnList(ctx, r, s.Client)
	}
	for i := range listed {
		e := &listed[i]
		e.Check = &api.MCPCheck{Own: entries.RowAbout(own, e.Name)}
		x := s.Found[i].Entry
		program := entries.Program(x, s.Client.Environ(r.Env, os.Environ(), x))
		p, err := mcpclient.Probe(ctx, program, mcpclient.UsualLimits())
		e.Check.Connected, e.Check.Tools, e.Check.Millis = err == nil, p.Tools, float64(p.Elapsed.Microseconds())/1000
		if err != nil {
			e.Check.Error = err.Error()
		}
		if _, was := open[e.Profile.String()]; !was {
			if client, err := env.Client(); err == nil {
				_ = client.Stop(ctx, e.Profile)
			}
		}
	}
}
