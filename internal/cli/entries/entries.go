// Package entries is what the commands about MCP clients share: which clients this computer has, what an entry for a
// profile runs, and what a client says of it.
package entries

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/profile"
)

// Registry returns the MCP clients of this computer.
func Registry(env *command.Env) (*clients.Registry, error) {
	home, err := env.HomeDir()
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
	here, err := clients.Here(dir)
	return &clients.Registry{Env: here, Home: home}, err
}

// Flags are the flags of commands that say what a client runs.
type Flags struct {
	wrapper         bool
	dir, node, name string
}

// Bind adds the flags to a command.
func (f *Flags) Bind(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.wrapper, "wrapper", false,
		"run the devtools MCP server through Node instead of the native bridge")
	cmd.Flags().StringVar(&f.dir, "dir", "", "folder of the wrapper (default: where cove wrapper install puts it)")
	cmd.Flags().StringVar(&f.node, "node", "", "path of Node, for --wrapper (default: the one on the PATH)")
	cmd.Flags().StringVar(&f.name, "name", "", "name of the server (default: cove-ID)")
}

// ForWrapper refuses the flags that need the wrapper if the wrapper is not used.
func ForWrapper(cmd *cobra.Command, wrapper bool) error {
	for _, name := range []string{"dir", "node"} {
		if !wrapper && cmd.Flags().Changed(name) {
			return fault.Invalidf("--%s is only for the wrapper.", name).
				WithHint("Add --wrapper, or leave --" + name + " out.")
		}
	}

	return nil
}

// For returns the entry that a client gets for the profile that text names.
func For(cmd *cobra.Command, env *command.Env, r *clients.Registry, text string, f Flags) (x clients.Entry,
	err error) {
	if err := ForWrapper(cmd, f.wrapper); err != nil {
		return x, err
	}
	id, err := Profile(cmd.Context(), env, text)
	if err != nil {
		return x, err
	}
	if f.wrapper {
		file, err := InstalledWrapper(env, f.dir)
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
				"Give its full path with --node.")
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

// Profile returns the id of a profile that agents are to use. Without the app, the profile must have a folder.
func Profile(ctx context.Context, env *command.Env, text string) (profile.ID, error) {
	client, err := env.Client()
	if err == nil {
		id, err := command.ProfileID(ctx, client, text, false)
		if err == nil {
			_, err = client.Profiles().Get(ctx, id)
		}
		return id, err
	}
	if !command.OnlyDigits(text) {
		return 0, err
	}
	parsed, err := profile.ParseID(text)
	if err != nil {
		return 0, err
	}
	home, err := env.HomeDir()
	if err != nil {
		return 0, err
	}
	if _, err := os.Stat(string(home.Profile(parsed))); err != nil {
		return 0, fault.New(fault.CodeNotFound,
			fmt.Sprintf("Profile %s was never opened, and Cove is not running, so it may not exist.", text),
			"Start it with: cove up")
	}

	return parsed, nil
}

// Default returns the entry that Cove writes for a profile if nothing else is asked for.
func Default(env *command.Env, id profile.ID, viaWrapper bool, dir string) (x clients.Entry, err error) {
	if viaWrapper {
		file, err := InstalledWrapper(env, dir)
		return clients.Wrapped(FindNode(), file, id), err
	}
	home, err := env.HomeDir()
	if err != nil {
		return x, err
	}
	self, err := os.Executable()
	return clients.Native(self, home, id), err
}
