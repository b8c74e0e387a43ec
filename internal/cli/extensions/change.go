package extensions

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/extension"
	"cove/internal/fault"
)

// nextStart says when a change is in force.
const nextStart = "Open profiles get the change the next time they open."

func addCommand(env *command.Env) *cobra.Command {
	var in api.ExtensionUpload
	var all bool
	var replaces string
	cmd := env.WithJSON(&cobra.Command{Use: "add FILE [PROFILE…]",
		Short: "Add an extension from a folder, a .zip or a .crx file",
		Long: `Add an extension to Cove, and to the profiles that you name. --all means every profile.

A file with the id of an extension that Cove has, such as a newer .crx file, replaces it in all
profiles that have it. For an extension without an id of its own, say so with --replace.
What the extension has stored in the profiles stays.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			raw, err := readFile(env, args[0])
			if err != nil {
				return err
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			if len(args) > 1 || all {
				if in.ProfileIDs, err = targets(cmd, client, args[1:], all, true); err != nil {
					return err
				}
			}
			if replaces != "" {
				old, err := find(cmd.Context(), client, replaces)
				if err != nil {
					return err
				}
				in.Replaces = old.ID
			}
			in.File = bytes.NewReader(raw)
			saved, err := client.Extensions().Upload(cmd.Context(), in)
			if err != nil {
				return err
			}
			return env.Print(saved.Data, func(w io.Writer) { writeSaved(env, w, saved) })
		}})
	cmd.Flags().StringVar(&in.Name, "name", "", "name to show (default: the extension's own)")
	cmd.Flags().StringVar(&replaces, "replace", "", "id or name of the extension that this is a newer version of")
	cmd.Flags().BoolVar(&all, "all", false, "add it to every profile")
	return cmd
}

// readFile returns an archive, or a folder as one.
func readFile(env *command.Env, name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			err = errors.New("there is no such file or folder")
		}
		return nil, fault.New(fault.CodeNoFile, fmt.Sprintf("%q cannot be read: %v.", name, err),
			"Name a folder with a manifest.json, a .zip or a .crx file.").Because(err)
	}
	if info.IsDir() {
		s, err := extension.OpenFolder(name)
		if err != nil {
			return nil, err
		}
		var out bytes.Buffer
		err = s.Zip(&out)
		return out.Bytes(), err
	}
	return env.ReadFile(name, extension.MaxArchive)
}

func writeSaved(env *command.Env, w io.Writer, saved api.ExtensionSaved) {
	e := saved.Data
	switch {
	case saved.Replaced != "" && saved.Replaced != e.Version:
		fmt.Fprintf(w, "Extension %d: %s %s replaces %s.\n", e.ID, e.Name, e.Version, saved.Replaced)
	default:
		fmt.Fprintf(w, "Extension %d: %s %s.\n", e.ID, e.Name, e.Version)
	}
	writeReach(w, e)
	fmt.Fprintln(w)
	if len(saved.ProfileIDs) == 0 {
		env.Advise(w, "No profile has it yet. Add it to one with: cove extension enable %d PROFILE", e.ID)
		return
	}
	fmt.Fprintf(w, "Profiles with it: %s. %s\n", command.JoinIDs(saved.ProfileIDs), nextStart)
}

func removeCommand(env *command.Env) *cobra.Command {
	var all bool
	cmd := &cobra.Command{Use: "remove EXTENSION PROFILE…|--all",
		Short: "Remove an extension from profiles, or from Cove",
		Long: `Remove an extension from profiles, with everything that it has stored there.
With --all it is removed from every profile and from Cove.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, e, ids, err := chosen(env, cmd, args, all)
			if err != nil {
				return err
			}
			if all {
				err = client.Extensions().Delete(cmd.Context(), api.ProfileID(e.ID))
			} else {
				err = client.Extensions().Detach(cmd.Context(),
					api.ExtensionChange{ExtensionIDs: api.IDList{api.ProfileID(e.ID)}, ProfileIDs: ids})
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(env.Out, "%s was removed. %s\n", e.Name, nextStart)
			return nil
		}}
	cmd.Flags().BoolVar(&all, "all", false, "remove it from every profile and from Cove")
	return cmd
}

func enableCommand(env *command.Env, enable bool) *cobra.Command {
	var all bool
	verb, short := "disable", "Disable an extension in profiles; what it has stored stays"
	if enable {
		verb, short = "enable", "Enable an extension in profiles, and add it where it is missing"
	}
	cmd := &cobra.Command{Use: verb + " EXTENSION PROFILE…|--all", Short: short, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			client, e, ids, err := chosen(env, cmd, args, all)
			if err != nil {
				return err
			}
			if all && e.BrowserProfilesCount == 0 {
				return fault.New(fault.CodeNotFound, fmt.Sprintf("No profile has %s.", e.Name),
					fmt.Sprintf("Add it to one with: cove extension enable %d PROFILE", e.ID))
			}
			flag := api.Flag(enable)
			one := api.IDList{api.ProfileID(e.ID)}
			change := api.ExtensionChange{ExtensionIDs: one, ProfileIDs: ids, Enabled: &flag}
			if enable && !all {
				err = client.Extensions().Attach(cmd.Context(), change)
			} else {
				err = client.Extensions().Enable(cmd.Context(), change)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(env.Out, "%s is %sd. %s\n", e.Name, verb, nextStart)
			return nil
		}}
	cmd.Flags().BoolVar(&all, "all", false, "in every profile that has it")
	return cmd
}

// chosen finds the extension and the profiles that a command names.
func chosen(env *command.Env, cmd *cobra.Command, args []string, all bool) (client *api.Client, e api.Extension,
	ids []api.ProfileID, err error) {
	if all == (len(args) > 1) {
		return nil, e, nil, exit.Usagef(cmd, "expected profiles, or --all")
	}
	if client, err = env.Client(); err != nil {
		return nil, e, nil, err
	}
	if e, err = find(cmd.Context(), client, args[0]); err != nil {
		return nil, e, nil, err
	}
	ids, err = targets(cmd, client, args[1:], all, false)
	return client, e, ids, err
}
