package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app/machine"
	"cove/internal/fault"
)

func (c *config) statusCommand() *cobra.Command {
	return c.withJSON(&cobra.Command{
		Use: "status", Short: "Show the app, its port, the login and the open profiles", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			s, err := client.Status(cmd.Context())
			if err != nil {
				return err
			}
			return c.print(s, func(w io.Writer) { c.writeStatus(w, s) })
		},
	})
}

func (c *config) writeStatus(w io.Writer, s api.Status) {
	port := fmt.Sprint(s.APIPort)
	if s.PortReason != "" {
		port += " (" + s.PortReason + ")"
	}
	login := "nobody is logged in; log in with: cove login --owner"
	if s.LoggedIn {
		login = s.Account + ", plan " + s.Plan
	}
	fmt.Fprintf(w, "Cove %s is running.\n  API port  %s\n  Data      %s\n", s.Version, port, s.Home)
	c.advise(w, "  Account   %s", login)
	if s.Panic {
		c.advise(w, "  Agents    every agent is cut off; let them in again with: cove panic --undo")
	}
	if len(s.Open) == 0 {
		c.advise(w, "  Open      no profile; open one with: cove start ID")
		return
	}
	fmt.Fprintf(w, "  Open      %d\n\n", len(s.Open))
	t := table(w, "ID", "NAME", "STATE", "MODE")
	for _, o := range s.Open {
		row(t, fmt.Sprint(o.ID), o.Name, o.State, o.Mode)
	}
	_ = t.Flush()
}

// table begins a table with its head.
func table(w io.Writer, columns ...string) *tabwriter.Writer {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	row(t, columns...)
	return t
}

func row(t *tabwriter.Writer, cells ...string) {
	fmt.Fprintln(t, strings.TrimRight(strings.Join(cells, "\t"), "\t"))
}

func (c *config) doctorCommand() *cobra.Command {
	return c.withJSON(&cobra.Command{
		Use: "doctor", Short: "Diagnose why profiles won't open", Args: exactly(0),
		Long: `Check the browser, its sandbox, the display, the disk, the API port, the account, the data folders
and the entries in MCP clients. Each check is marked with ✓ or ✗. Without the app, fewer checks are made.

Exits 0 if every check passed and 1 if one needs attention.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			found, err := c.findings(cmd.Context())
			if err != nil {
				return err
			}
			err = c.print(found, func(w io.Writer) {
				for _, one := range found {
					mark := "✓"
					if !one.OK {
						mark = "✗"
					}
					fmt.Fprintf(w, "%s %-8s  %s\n", mark, one.Name, one.Text)
					if one.Hint != "" {
						c.advise(w, "            %s", one.Hint)
					}
				}
			})
			if err != nil {
				return err
			}
			return needsAttention(found)
		},
	})
}

// needsAttention is the error of checks that did not pass. Their marks and remedies have been shown.
func needsAttention(found []api.Finding) error {
	var names []string
	for _, one := range found {
		if !one.OK {
			names = append(names, one.Name)
		}
	}
	verb := "need"
	switch len(names) {
	case 0:
		return nil
	case 1:
		verb = "needs"
	}
	return fault.New(fault.CodeDoctor, fmt.Sprintf("%d of %d checks %s attention: %s.", len(names), len(found), verb,
		strings.Join(names, ", ")), "")
}

// findings returns the app's findings, or what can be found without the app.
func (c *config) findings(ctx context.Context) ([]api.Finding, error) {
	client, noApp := c.client()
	if noApp == nil {
		var f api.Findings
		err := client.Do(ctx, "GET", "/doctor", nil, &f)
		return f.Data, err
	}
	home, err := c.homeDir()
	if err != nil {
		return nil, err
	}
	f := fault.From(noApp)
	return append([]api.Finding{{Name: "app", Text: f.Text, Hint: f.Hint}},
		machine.ExamineComputer(ctx, home, c.browser)...), nil
}

func (c *config) logsCommand() *cobra.Command {
	var count int
	cmd := &cobra.Command{
		Use: "logs", Short: "Show the end of the app's log", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			l, err := c.readLogs(cmd, count)
			if err != nil {
				return err
			}
			return c.print(l, func(w io.Writer) {
				for _, line := range l.Data {
					fmt.Fprintln(w, line)
				}
			})
		},
	}
	cmd.Flags().IntVarP(&count, "lines", "n", 100, "how many lines")
	return c.withJSON(cmd)
}
