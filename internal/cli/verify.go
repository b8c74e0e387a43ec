package cli

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/verify"
)

func (c *config) verifyCommand() *cobra.Command {
	var viaWrapper bool
	var dir string
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Try out that an MCP client can work in a profile",
		Long: `Close the profile, start the MCP server as a client does, see the profile open by itself,
list its tabs, end the client, see that the profile stayed open, and close it again.
Each step is shown with the time it took.`,
		Example: `  cove verify 1
  cove verify 1 --wrapper`,
		Args: exactly(1),
	}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
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
		return c.verify(cmd, &verify.Procedure{App: client, ID: id, Folder: paths.Home(s.Home).Profile(id), Command: command})
	})
	cmd.Flags().BoolVar(&viaWrapper, "wrapper", false, "through the wrapper and the devtools MCP server instead of the native bridge")
	cmd.Flags().StringVar(&dir, "dir", "", "folder of the wrapper (default as for `cove wrapper install`)")
	return c.withJSON(cmd)
}

// serverCommand is what a client runs to reach a profile.
func (c *config) serverCommand(id int32, viaWrapper bool, dir string) ([]string, error) {
	if viaWrapper {
		file, err := wrapperFile(dir)
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(file); err != nil {
			return nil, fault.New(fault.NotFound, "E_NO_WRAPPER", "There is no wrapper at "+file+".", "Write it with: cove wrapper install")
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
	return append([]string{self, "mcp", fmt.Sprint(id)}, homeFlag(home)...), nil
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
