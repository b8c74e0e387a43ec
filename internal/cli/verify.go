package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/verify"
)

func (c *config) verifyCommand() *cobra.Command {
	var viaWrapper bool
	var dir, clientName string
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Try out that an MCP client can work in a profile",
		Long: `Close the profile, start the MCP server as a client does, see the profile open by itself,
list its tabs, end the client, see that the profile stayed open, and close it again.
Each step is shown with the time it took.

With --client the profile is then registered with that client under a name of its own, the client's own list has to show it,
and the entry is removed again.`,
		Example: `  cove verify 1
  cove verify 1 --client claude-code
  cove verify 1 --wrapper`,
		Args: exactly(1),
	}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		if err := forWrapper(cmd, viaWrapper); err != nil {
			return err
		}
		if _, err := client.Profile(cmd.Context(), id); err != nil {
			return err
		}
		command, err := c.serverCommand(id, viaWrapper, dir)
		if err != nil {
			return err
		}
		s, err := client.Status(cmd.Context())
		if err != nil {
			return err
		}
		p := &verify.Procedure{App: client, ID: id, Folder: paths.Home(s.Home).Profile(id), Command: command}
		if clientName != "" {
			forget, err := c.withClient(p, clientName)
			if err != nil {
				return err
			}
			defer forget()
		}
		return c.verify(cmd, p)
	})
	cmd.Flags().BoolVar(&viaWrapper, "wrapper", false, "through the wrapper and the devtools MCP server instead of the native bridge")
	cmd.Flags().StringVar(&dir, "dir", "", "folder of the wrapper (default: where cove wrapper install puts it)")
	cmd.Flags().StringVar(&clientName, "client", "", "also register with this client, see that it lists the entry, and remove it")
	return c.withJSON(cmd)
}

// withClient adds the steps of one client. forget takes the entry out again when a step before that has failed.
func (c *config) withClient(p *verify.Procedure, name string) (forget func(), err error) {
	one, err := clients.Find(name)
	if err != nil {
		return nil, err
	}
	r, err := c.registry()
	if err != nil {
		return nil, err
	}
	if err := r.CheckInstalled(one, p.ID); err != nil {
		return nil, err
	}
	x := clients.Entry{Name: "cove-verify-" + idText(p.ID), Profile: p.ID, Command: p.Command[0], Args: p.Command[1:]}
	scope := clients.User // a project's servers would have to be approved first
	if one.Local != nil {
		scope = clients.Local
	}
	what := clients.Removal{Profile: p.ID, Name: x.Name, Scope: scope}
	p.More = append(p.More, verify.Extra{Name: "Register with " + one.Title, Do: func(ctx context.Context) (string, error) {
		done, err := r.Add(ctx, one, scope, x, false)
		if err != nil {
			return "", err
		}
		return done[0].File, nil
	}})
	if one.List != nil && one.Program(r.Env) != "" {
		p.More = append(p.More, verify.Extra{Name: one.Title + "'s own list shows it", Do: func(ctx context.Context) (string, error) {
			return listed(ctx, r, one, x.Name)
		}}, verify.Extra{Name: "Stop the profile again", Do: func(ctx context.Context) (string, error) { return "", p.App.Stop(ctx, p.ID) }})
	}
	p.More = append(p.More, verify.Extra{Name: "Remove from " + one.Title, Do: func(ctx context.Context) (string, error) {
		done, err := r.Remove(ctx, one, what, false)
		if err == nil && len(done) == 0 {
			err = errors.New("the entry was gone already")
		}
		return "", err
	}})
	return func() { _, _ = r.Remove(context.Background(), one, what, false) }, nil
}

// listed is the line of a client's own list; where the client tries its servers out, that has to have worked.
func listed(ctx context.Context, r *clients.Registry, one clients.Client, name string) (string, error) {
	out, err := ownList(ctx, r, one)
	line := lineAbout(out, name)
	switch small := strings.ToLower(line); {
	case line == "" && err != nil:
		return "", fmt.Errorf("its list failed: %w: %s", err, verify.LastLine(out))
	case line == "":
		return "", errors.New("the entry is not in its list")
	case one.Live && strings.Contains(small, "disabled"):
		return "", errors.New(line + ": it is switched off there, as every server is in a folder that " + one.Title + " does not trust")
	case one.Live && (!strings.Contains(small, "connected") || strings.Contains(small, "disconnected")):
		return "", errors.New(line)
	}
	return line, nil
}

// serverCommand is what a client runs to reach a profile.
func (c *config) serverCommand(id int32, viaWrapper bool, dir string) ([]string, error) {
	if viaWrapper {
		file, err := c.wrapperThere(dir)
		if err != nil {
			return nil, err
		}
		return []string{findNode(), file, fmt.Sprint(id)}, nil
	}
	home, err := c.homeDir()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	x := clients.Native(self, home, id)
	return append([]string{x.Command}, x.Args...), nil
}

// wrapperThere is the path of the wrapper in dir, or in the usual folder, if it was written there.
func (c *config) wrapperThere(dir string) (string, error) {
	file, err := wrapperFile(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(file); err != nil {
		return "", fault.New(fault.NotFound, "E_NO_WRAPPER", "There is no wrapper at "+file+".", "Write it with: cove wrapper install")
	}
	return file, nil
}

// verdict is the outcome for programs.
type verdict struct {
	OK    bool          `json:"ok"`
	Steps []verify.Step `json:"steps"`
}

func (c *config) verify(cmd *cobra.Command, p *verify.Procedure) error {
	person := !c.json && terminal(c.out) != nil
	p.Began = func(name string) {
		if person {
			fmt.Fprintf(c.out, "… %s\r", name)
		}
	}
	p.Ended = func(s verify.Step) {
		if !c.json {
			showStep(c.out, s)
		}
	}
	steps, ok := p.Run(cmd.Context())
	if c.json {
		if err := c.print(verdict{ok, steps}, nil); err != nil {
			return err
		}
	}
	if !ok {
		last := steps[len(steps)-1]
		return fault.New(fault.Internal, "E_NOT_VERIFIED", fmt.Sprintf("Profile %d failed at %q.", p.ID, last.Name), "Look into the log with: cove logs")
	}
	if !c.json {
		fmt.Fprintf(c.out, "\nProfile %d works with MCP clients.\n", p.ID)
	}
	return nil
}

func showStep(w io.Writer, s verify.Step) {
	mark, rest := "✓", s.Detail
	if !s.OK {
		mark, rest = "✗", s.Error
	}
	fmt.Fprintf(w, "%s %-38s %9.2f s", mark, s.Name, s.Millis/1000)
	if rest != "" {
		fmt.Fprint(w, "   "+rest)
	}
	fmt.Fprintln(w)
}
