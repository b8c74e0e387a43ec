// Package extensions has `cove extension`.
package extensions

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// Command returns `cove extension`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "extension", Short: "Add browser extensions to profiles",
		Long: `Add browser extensions to profiles, from a folder, a .zip or a .crx file.

Cove keeps one copy that all profiles share. A profile gets a change the next time it opens,
in both modes. Extensions that you install from a store in the browser stay as they are.

An extension runs code in the profile. ` + "`cove extension list`" + ` shows what agents could reach through it.
For a profile that has rules, only you can change extensions; an API token is not enough.`,
		Example: `  cove extension add ./my-extension work shop
  cove extension add blocker.crx --all
  cove extension list work
  cove extension disable blocker work
  cove extension remove blocker --all`},
		listCommand(env), addCommand(env), removeCommand(env), enableCommand(env, true), enableCommand(env, false))
}

func listCommand(env *command.Env) *cobra.Command {
	return env.WithJSON(&cobra.Command{Use: "list [PROFILE]", Short: "List extensions, or those of a profile",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				all, err := list(cmd.Context(), client)
				if err != nil {
					return err
				}
				return env.Print(all, func(w io.Writer) { writeAll(env, w, all) })
			}
			id, err := command.ProfileID(cmd.Context(), client, args[0], false)
			if err != nil {
				return err
			}
			of, err := client.Extensions().OfProfile(cmd.Context(), id)
			if err != nil {
				return err
			}
			return env.Print(of.Data, func(w io.Writer) { writeOf(env, w, of.Data) })
		}})
}

// list reads all extensions.
func list(ctx context.Context, client *api.Client) ([]api.Extension, error) {
	return command.AllPages(url.Values{}, func(query url.Values) ([]api.Extension, bool, error) {
		l, err := client.Extensions().List(ctx, query)
		return l.Data, l.NextPageURL != nil, err
	})
}

func writeAll(env *command.Env, w io.Writer, all []api.Extension) {
	if len(all) == 0 {
		env.Advise(w, "No extensions. Add one with: cove extension add FILE PROFILE")
		return
	}
	t := command.Table(w, "ID", "NAME", "VERSION", "PROFILES")
	for _, e := range all {
		command.Row(t, strconv.Itoa(e.ID), e.Name, e.Version, strconv.Itoa(e.BrowserProfilesCount))
	}
	_ = t.Flush()
	for _, e := range all {
		writeReach(w, e)
	}
}

func writeOf(env *command.Env, w io.Writer, all []api.ProfileExtension) {
	if len(all) == 0 {
		env.Advise(w, "No extensions from Cove. Add one with: cove extension add FILE PROFILE")
		return
	}
	t := command.Table(w, "ID", "NAME", "VERSION", "ENABLED")
	for _, e := range all {
		command.Row(t, strconv.Itoa(e.ID), e.Name, e.Version, map[bool]string{true: "yes", false: "no"}[e.Enabled])
	}
	_ = t.Flush()
	for _, e := range all {
		writeReach(w, e.Extension)
	}
}

// writeReach writes what agents could reach through an extension.
func writeReach(w io.Writer, e api.Extension) {
	fmt.Fprintf(w, "\n%s\n", e.Name)
	if len(e.Permissions) > 0 {
		fmt.Fprintln(w, "  Permissions: "+strings.Join(e.Permissions, ", "))
	}
	if len(e.Reach) == 0 {
		fmt.Fprintln(w, "  Reaches no site and no data outside itself.")
		return
	}
	fmt.Fprintln(w, "  Agents could reach through it:")
	for _, line := range e.Reach {
		fmt.Fprintln(w, "  - "+line)
	}
}

// find returns the extension with an id or a name. Digits are always an id.
func find(ctx context.Context, client *api.Client, text string) (api.Extension, error) {
	all, err := list(ctx, client)
	if err != nil {
		return api.Extension{}, err
	}
	var found []api.Extension
	var names []string
	for _, e := range all {
		names = append(names, e.Name)
		if strconv.Itoa(e.ID) == text || !command.OnlyDigits(text) && strings.EqualFold(e.Name, text) {
			found = append(found, e)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return api.Extension{}, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no extension %q.", text),
			fault.Suggest(text, names...)+"`cove extension list` shows the extensions.")
	}
	return api.Extension{}, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d extensions are named %q.", len(found), text), "Use the extension's id: cove extension list")
}

// targets reads the profiles that a command names. With all and everybody it returns every profile.
func targets(cmd *cobra.Command, client *api.Client, names []string, all, everybody bool) ([]api.ProfileID, error) {
	if all == (len(names) > 0) {
		return nil, exit.Usagef(cmd, "expected profiles, or --all")
	}
	if all && !everybody {
		return nil, nil
	}
	var ids []api.ProfileID
	for _, name := range names {
		id, err := command.ProfileID(cmd.Context(), client, name, false)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if !all {
		return ids, nil
	}
	profiles, err := command.AllPages(url.Values{}, func(query url.Values) ([]api.Profile, bool, error) {
		l, err := client.Profiles().List(cmd.Context(), query)
		return l.Data, l.NextPageURL != nil, err
	})
	for _, p := range profiles {
		ids = append(ids, p.ID)
	}
	return ids, err
}
