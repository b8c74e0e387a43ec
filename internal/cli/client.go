package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/profile"
)

func (c *config) clientCommand() *cobra.Command {
	return group(&cobra.Command{Use: "client",
		Short: "Register profiles with MCP clients: Claude Code, Cursor, Codex, …",
		Long: `Register profiles with MCP clients, so that agents have the tools of a profile in their next session.

Clients: ` + strings.Join(clients.Names(), ", ") + `.
Nothing in a client's file is changed but the entry itself.`,
		Example: `  cove client add claude-code 1              in this folder
  cove client add cursor 1 --scope user      in every folder
  cove client list --check                   see that the entries work
  cove client remove all 1`},
		c.clientList(), c.clientAdd(), c.clientRemove(), c.clientSnippet(), c.clientBundle())
}

// registry returns the MCP clients of this computer.
func (c *config) registry() (*clients.Registry, error) {
	home, err := c.homeDir()
	if err != nil {
		return nil, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if direct, err := filepath.EvalSymlinks(dir); err == nil { // clients know the folder by this name
		dir = direct
	}
	env, err := clients.Here(dir)
	return &clients.Registry{Env: env, Home: home}, err
}

// entryFlags say what a client will run.
type entryFlags struct {
	wrapper         bool
	dir, node, name string
}

func (f *entryFlags) bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wrapper, "wrapper", false,
		"run the devtools MCP server through Node instead of the native bridge")
	cmd.Flags().StringVar(&f.dir, "dir", "", "folder of the wrapper (default: where cove wrapper install puts it)")
	cmd.Flags().StringVar(&f.node, "node", "", "full path of Node, for --wrapper (default: the one on the PATH)")
	cmd.Flags().StringVar(&f.name, "name", "", "name of the server (default: cove-ID)")
}

// forWrapper refuses flags that mean nothing without the wrapper.
func forWrapper(cmd *cobra.Command, wrapper bool) error {
	for _, name := range []string{"dir", "node"} {
		if !wrapper && cmd.Flags().Changed(name) {
			return fault.Invalidf("--%s is only for the wrapper.", name).
				WithHint("Add --wrapper, or leave --" + name + " out.")
		}
	}
	return nil
}

// entry returns what a client will run for the profile that text names.
func (c *config) entry(cmd *cobra.Command, r *clients.Registry, text string, f entryFlags) (x clients.Entry,
	err error) {
	if err := forWrapper(cmd, f.wrapper); err != nil {
		return x, err
	}
	id, err := c.registered(cmd, text)
	if err != nil {
		return x, err
	}
	if f.wrapper {
		file, err := c.wrapperThere(f.dir)
		if err != nil {
			return x, err
		}
		node := f.node
		if node == "" {
			if node, err = r.Env.Node(); err != nil {
				return x, err
			}
		}
		if node, err = filepath.Abs(node); err != nil {
			return x, err
		}
		if _, err := os.Stat(node); err != nil {
			return x, fault.New(fault.CodeNoRuntime, "There is no Node at "+node+".",
				"Name it by its full path with --node.")
		}
		x = clients.Wrapped(node, file, id)
	} else {
		self, err := os.Executable()
		if err != nil {
			return x, err
		}
		x = clients.Native(self, r.Home, id)
	}
	if f.name != "" {
		x.Name = f.name
	}
	return x, clients.CheckName(x.Name)
}

// registered returns the id of a profile to register. The app knows the profiles; without the app their folders do.
func (c *config) registered(cmd *cobra.Command, text string) (int32, error) {
	client, err := c.client()
	if err == nil {
		id, err := c.profileID(cmd, client, text, false)
		if err == nil {
			_, err = client.Profile(cmd.Context(), id)
		}
		return id, err
	}
	if text == "" || !onlyDigits(text) {
		return 0, err
	}
	parsed, err := profile.ParseID(text)
	if err != nil {
		return 0, err
	}
	home, err := c.homeDir()
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(string(home.Profile(int32(parsed)))); err != nil {
		return 0, fault.New(fault.CodeNotFound,
			fmt.Sprintf("Profile %s was never opened, and Cove is not running to say whether it exists.", text),
			"Start it with: cove up")
	}
	return int32(parsed), nil
}

// chosen returns the clients that a word of the command line means: one by name, or all that have the scope and, where
// that matters, are installed.
func chosen(r *clients.Registry, word string, scope clients.Scope, installed bool) (list []clients.Client, err error) {
	if word != "all" {
		one, err := clients.Find(word)
		return []clients.Client{one}, err
	}
	if scope != "" && scope != clients.Local && scope != clients.Project && scope != clients.User {
		return nil, fault.Invalidf("%q is not a scope.", scope).
			WithHint(fault.Suggest(string(scope), clients.Local, clients.Project, clients.User) +
				"Use local, project or user.")
	}
	for _, one := range clients.Table() {
		if (scope == "" || slices.Contains(one.Scopes(), scope)) && (!installed || one.Installed(r.Env)) {
			list = append(list, one)
		}
	}
	if len(list) == 0 {
		which := "that Cove knows"
		if scope != "" {
			which = fmt.Sprintf("that have a %s scope", scope)
		}
		return nil, fault.New(fault.CodeNotInstalled, "None of the clients "+which+" was found on this computer.",
			"`cove client list` shows them.")
	}
	return list, nil
}

func (c *config) clientAdd() *cobra.Command {
	var scope string
	var dry bool
	var f entryFlags
	cmd := &cobra.Command{
		Use:   "add CLIENT|all ID",
		Short: "Register a profile with a client",
		Long: `Write an entry for a profile into the file of a client.

Without --scope it counts in this folder only: for Claude Code that is its scope local, elsewhere project.
A client that has no such scope gets it for you everywhere.`,
		Example: `  cove client add claude-code 1
  cove client add all work --scope user
  cove client add codex 1 --scope user --dry-run`,
		Args: exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := c.registry()
			if err != nil {
				return err
			}
			list, err := chosen(r, args[0], clients.Scope(scope), true)
			if err != nil {
				return err
			}
			x, err := c.entry(cmd, r, args[1], f)
			if err != nil {
				return err
			}
			return c.change(cmd, list, clients.Warning(x.Profile), func(one clients.Client) ([]clients.Change, error) {
				return r.Add(cmd.Context(), one, c.scopeFor(one, scope), x, dry)
			}, dry)
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "", "local, project or user (default: this folder)")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	f.bind(cmd)
	return c.withJSON(cmd)
}

// scopeFor returns the requested scope, or the client's usual one.
func (c *config) scopeFor(one clients.Client, asked string) clients.Scope {
	if asked != "" {
		return clients.Scope(asked)
	}
	usual := one.Scopes()[0]
	if usual == clients.User && !c.json {
		fmt.Fprintf(c.out, "%s has no settings for a folder, so this counts for you everywhere.\n", one.Title)
	}
	return usual
}

// change changes clients one after the other. It goes on after a failure, and returns the first one.
func (c *config) change(cmd *cobra.Command, list []clients.Client, warning string,
	do func(clients.Client) ([]clients.Change, error), dry bool) error {
	out := api.MCPChanges{Data: []api.MCPChange{}, Warning: warning}
	var failed error
	for _, one := range list {
		done, err := do(one)
		for _, d := range done {
			out.Data = append(out.Data, d.API())
			if !c.json {
				showChange(c.out, d, dry)
			}
		}
		if err != nil && failed != nil {
			_, text, hint := c.explain(err)
			c.advise(c.err, "%s: %s %s", one.Name, text, hint)
		}
		if failed == nil {
			failed = err
		}
		if cmd.Context().Err() != nil {
			return cmd.Context().Err()
		}
	}
	if failed != nil && len(out.Data) == 0 {
		return failed
	}
	if c.json {
		if err := c.print(out, nil); err != nil {
			return err
		}
	} else if warning != "" && !dry {
		fmt.Fprintln(c.out, warning)
	}
	return failed
}

func showChange(w io.Writer, d clients.Change, dry bool) {
	where := d.File
	if d.Scope == clients.Local {
		where += ", for " + d.Dir
	}
	if dry && d.Action != clients.Unchanged {
		fmt.Fprint(w, d.Diff)
		return
	}
	switch d.Action {
	case clients.Unchanged:
		fmt.Fprintf(w, "%s is in %s already (%s).\n", d.Entry.Name, d.Client.Title, where)
	case clients.Removed:
		fmt.Fprintf(w, "Removed %s from %s (%s).\n", d.Entry.Name, d.Client.Title, where)
	default:
		verb := "Added " + d.Entry.Name + " to"
		if d.Action == clients.Updated {
			verb = "Updated " + d.Entry.Name + " in"
		}
		fmt.Fprintf(w, "%s %s (%s).\n%s\n", verb, d.Client.Title, where, d.API().Next)
	}
}

func (c *config) clientRemove() *cobra.Command {
	var what clients.Removal
	var scope string
	var dry bool
	cmd := &cobra.Command{
		Use:   "remove CLIENT|all ID",
		Short: "Remove a profile from a client",
		Long: `Remove a profile's entries from a client's files: those of this folder and your own for all folders.
The file is then as it was before the entry was added.`,
		Args: exactly(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := c.registry()
			if err != nil {
				return err
			}
			list, err := chosen(r, args[0], clients.Scope(scope), false)
			if err != nil {
				return err
			}
			if what.Profile, err = c.bridgeID(cmd, args[1],
				func(context.Context) (*api.Client, error) { return c.client() }); err != nil {
				return err
			}
			what.Scope = clients.Scope(scope)
			count := 0
			err = c.change(cmd, list, "", func(one clients.Client) ([]clients.Change, error) {
				done, err := r.Remove(cmd.Context(), one, what, dry)
				count += len(done)
				return done, err
			}, dry)
			if err == nil && count == 0 {
				return c.nothingToRemove(r, list, what)
			}
			return err
		},
	}
	cmd.Flags().StringVar(&scope, "scope", "", "only in this scope: local, project or user")
	cmd.Flags().StringVar(&what.Name, "name", "", "only the server of this name")
	cmd.Flags().BoolVar(&what.Everywhere, "everywhere", false, "in other folders too")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only show what would change")
	return c.withJSON(cmd)
}

func (c *config) nothingToRemove(r *clients.Registry, list []clients.Client, what clients.Removal) error {
	who := "No client has"
	if len(list) == 1 {
		who = list[0].Title + " has no"
	}
	hint := "`cove client list` shows the entries."
	for _, s := range r.States() {
		for _, f := range s.Found {
			if f.Entry.Profile == what.Profile && (len(list) > 1 || s.Client.Name == list[0].Name) &&
				!what.Everywhere && f.Dir != "" {
				hint = "There is one in " + f.Dir + ": run this there, or with --everywhere."
			}
		}
	}
	text := fmt.Sprintf("%s entry of profile %d here.", who, what.Profile)
	if len(list) > 1 {
		text = fmt.Sprintf("%s an entry of profile %d here.", who, what.Profile)
	}
	return fault.New(fault.CodeNoEntry, text, hint)
}

// entriesOf returns the names of the clients that have entries for a profile.
func entriesOf(r *clients.Registry, id int32) (names []string) {
	for _, s := range r.States() {
		for _, f := range s.Found {
			if f.Entry.Profile == id && (len(names) == 0 || names[len(names)-1] != s.Client.Name) {
				names = append(names, s.Client.Name)
			}
		}
	}
	return names
}

// offerRemoval offers to remove the entries of a deleted profile.
func (c *config) offerRemoval(ctx context.Context, id int32) error {
	r, err := c.registry()
	if err != nil {
		return err
	}
	names := entriesOf(r, id)
	if len(names) == 0 {
		return nil
	}
	list := strings.Join(names, ", ")
	if c.json || !c.confirm("These clients still have entries of it: "+list+". Remove them?") {
		c.advise(c.err, "These clients still have entries of it: %s. Remove them with: cove client remove all %d "+
			"--everywhere", list, id)
		return nil
	}
	var failed []error
	for _, name := range names {
		one, err := clients.Find(name)
		if err != nil {
			return err
		}
		done, err := r.Remove(ctx, one, clients.Removal{Profile: id, Everywhere: true}, false)
		for _, d := range done {
			showChange(c.out, d, false)
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func idText(id int32) string { return strconv.Itoa(int(id)) }
