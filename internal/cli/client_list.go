package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/verify"
)

func (c *config) clientList() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use: "list", Short: "List the clients and their entries", Args: exactly(0),
		Long: `List the clients that Cove knows, whether they are installed, and which profiles they have.

With --check the very command of each entry is run, as the client would. That opens the profile; one that was closed
before is closed again.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			r, err := c.registry()
			if err != nil {
				return err
			}
			list := []api.MCPClient{}
			for _, s := range r.States() {
				one := s.API()
				if check {
					c.checkEntries(cmd.Context(), r, s, one.Entries)
				}
				list = append(list, one)
			}
			return c.print(list, func(w io.Writer) { showClients(w, list) })
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "run each entry's command and see that it answers")
	return c.withJSON(cmd)
}

func showClients(w io.Writer, list []api.MCPClient) {
	t := table(w, "CLIENT", "INSTALLED", "PROFILES", "FILE")
	for _, one := range list {
		installed := "no"
		if one.Installed {
			installed = "yes"
		}
		var profiles []string
		for _, e := range one.Entries {
			profiles = append(profiles, idText(e.Profile))
		}
		row(t, one.Name, installed, strings.Join(profiles, ", "), strings.Join(one.Files, ", "))
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
func (c *config) checkEntries(ctx context.Context, r *clients.Registry, s clients.State, entries []api.MCPEntry) {
	if len(entries) == 0 {
		return
	}
	open := map[string]api.Running{}
	if client, err := c.client(); err == nil {
		open, _ = client.Running(ctx)
	}
	own := ""
	if s.Client.Name == "claude-code" {
		own, _ = ownList(ctx, r, s.Client)
	}
	for i := range entries {
		e := &entries[i]
		e.Check = &api.MCPCheck{Own: rowAbout(own, e.Name)}
		x := s.Found[i].Entry
		p, err := verify.Probe(ctx, program(x, s.Client.Environ(r.Env, os.Environ(), x)))
		e.Check.Connected, e.Check.Tools, e.Check.Millis = err == nil, p.Tools, float64(p.Elapsed.Microseconds())/1000
		if err != nil {
			e.Check.Error = err.Error()
		}
		if _, was := open[idText(e.Profile)]; !was {
			if client, err := c.client(); err == nil {
				_ = client.Stop(ctx, e.Profile)
			}
		}
	}
}

// ownList returns what the client's own program says of its servers. It is empty without the program.
func ownList(ctx context.Context, r *clients.Registry, one clients.Client) (string, error) {
	program := one.Program(r.Env)
	if program == "" || one.List == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, one.List...)
	cmd.Dir = r.Env.Dir
	cmd.WaitDelay = 2 * time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// colour matches the escape sequences that programs write for a terminal.
var colour = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*m") })

// rowAbout returns the row of a list that is about one server: its name is the first word after the marks.
func rowAbout(list, name string) string {
	for line := range strings.Lines(colour().ReplaceAllString(list, "")) {
		word := strings.TrimLeftFunc(line, func(r rune) bool { return r > unicode.MaxASCII || unicode.IsSpace(r) })
		if rest, ok := strings.CutPrefix(word, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ": \t\r\n")) {
			return strings.TrimSpace(word)
		}
	}
	return ""
}
