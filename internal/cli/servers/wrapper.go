package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/wording"
	"cove/internal/wrapper"
)

// Wrapper returns `cove wrapper`.
func Wrapper(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "wrapper", Short: "Install the devtools MCP wrapper"}, installCommand(env))
}

// wrapperResult is the result of an installation.
type wrapperResult struct {
	Path    string   `json:"path"`
	Port    int      `json:"api_port"`
	Written bool     `json:"written"`
	Fetched bool     `json:"fetched"`
	Command []string `json:"command"`
}

func installCommand(env *command.Env) *cobra.Command {
	var dir string
	var force, fetch, noFetch bool
	cmd := &cobra.Command{
		Use:   "install",
		Short: "Write the wrapper, with the port of this Cove in it",
		Long: `Write ` + wrapper.Name + `: MCP clients run it with Node and the id of a profile,
and get the tools of ` + wrapper.Package + ` ` + wrapper.Version + ` in that profile.

A wrapper opens the profiles of the data folder that it was installed for. Each data folder has its own wrapper: if the
default folder has the wrapper of another data folder, a folder below it is used.
A wrapper that you edited is kept unless you use --force.`,
		Example: `  cove wrapper install
  cove wrapper install --dir /opt/mcp --fetch`,
		Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fetch && noFetch {
				return exit.Usagef(cmd, "--fetch and --no-fetch cannot be used together")
			}
			r, err := installWrapper(cmd.Context(), env, dir, force)
			if err != nil {
				return err
			}
			if fetch || (!noFetch && !env.JSON &&
				env.Confirm("Fetch "+wrapper.Package+" "+wrapper.Version+
					" from npm now, so that the first run does not have to?")) {
				if err := fetchDevtools(cmd.Context(), env); err != nil {
					return err
				}
				r.Fetched = true
			}

			return env.Print(r, func(w io.Writer) { showWrapper(env, w, r, dir) })
		},
	}

	cmd.Flags().StringVar(&dir, "dir", "", `folder for the file (default ~/mcp, on Windows C:\mcp)`)
	cmd.Flags().BoolVar(&force, "force", false,
		"replace a wrapper that was edited (a copy is kept as .bak)")
	cmd.Flags().BoolVar(&fetch, "fetch", false, "fetch the devtools package from npm in advance")
	cmd.Flags().BoolVar(&noFetch, "no-fetch", false, "do not ask whether to fetch it")
	return env.WithJSON(cmd)
}

func installWrapper(ctx context.Context, env *command.Env, dir string, force bool) (wrapperResult, error) {
	home, err := env.HomeDir()
	if err != nil {
		return wrapperResult{}, err
	}
	file, err := entries.WrapperFile(home, dir)
	if err != nil {
		return wrapperResult{}, err
	}
	port := apiPort(ctx, env)
	_, written, err := wrapper.Install(filepath.Dir(file), port, home, force)
	if errors.Is(err, wrapper.ErrChanged) {
		if !env.Confirm(file + " was edited. Replace it? A copy is kept beside it as .bak.") {
			return wrapperResult{}, fault.New(fault.CodeWrapperChanged, file+" was edited, so it was not replaced.",
				"Replace it with --force, or write to another folder with --dir.")
		}
		_, written, err = wrapper.Install(filepath.Dir(file), port, home, true)
	}
	try := []string{entries.FindNode(), file, "1"}
	return wrapperResult{Path: file, Port: port, Written: written, Command: try}, err
}

// apiPort returns the port of this data folder's app, or the usual port if the app is not running.
func apiPort(ctx context.Context, env *command.Env) int {
	client, err := env.Client()
	if err == nil {
		if s, err := client.Status(ctx); err == nil {
			return s.APIPort
		}
	}
	fmt.Fprintf(env.Err, "Cove is not running, so the default port %d was written. "+
		"The wrapper also finds Cove through its data folder.\n", api.DefaultPort)
	return api.DefaultPort
}

// fetchDevtools has npx put the package into its cache, where the wrapper finds it.
func fetchDevtools(ctx context.Context, env *command.Env) error {
	name := "npx"
	if runtime.GOOS == "windows" {
		name = "npx.cmd"
	}
	npx, err := exec.LookPath(name)
	if err != nil {
		return fault.New(fault.CodeNoNPX,
			"npx was not found, so "+wrapper.Package+" was not fetched; the wrapper is installed.",
			"Install Node with npm, or use the native bridge, which needs no Node: cove mcp ID")
	}
	fmt.Fprintf(env.Err, "Fetching %s %s …\n", wrapper.Package, wrapper.Version)
	cmd := exec.CommandContext(ctx, npx, "-y", wrapper.Package+"@"+wrapper.Version, "--version")
	cmd.Env = append(os.Environ(), "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS=1",
		"CHROME_DEVTOOLS_MCP_NO_CONFIG_DISCOVERY=1", "NO_UPDATE_NOTIFIER=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fault.New(fault.CodeFetch,
			wrapper.Package+" could not be fetched: "+wording.LastLine(string(out))+"; the wrapper is installed.",
			"Check that npm can reach its registry. The first run of the wrapper tries again.").Because(err)
	}

	return nil
}

func showWrapper(env *command.Env, w io.Writer, r wrapperResult, dir string) {
	try := "cove verify 1 --wrapper"
	if dir != "" {
		try += " --dir " + paths.Quote(dir)
	}
	verb := "Wrote"
	if !r.Written {
		verb = "Up to date:"
	}
	fmt.Fprintf(w, "%s %s (port %d)\n", verb, r.Path, r.Port)
	if r.Command[0] == "node" {
		fmt.Fprintln(w, "Node was not found on this computer: install Node 22.12 or later, or use the native bridge, "+
			"which needs none.")
	}
	command := make([]string, len(r.Command))
	for i, word := range r.Command {
		command[i] = paths.Quote(word)
	}
	fmt.Fprintf(w, `
Connect a client, here Claude Code to profile 1:
  claude mcp add cove-1 --scope user -- %s

Other clients need a command and its arguments:
  command    %s
  arguments  %s 1

Test it: %s
An agent can use every login of the profile. Use a dedicated profile.
`, strings.Join(command, " "), r.Command[0], r.Path, env.Advice(try))
}
