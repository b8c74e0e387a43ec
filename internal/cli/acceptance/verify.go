// Package acceptance has `cove verify`, which runs the acceptance procedure of a profile.
package acceptance

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/entries"
	"cove/internal/clients"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/verify"
	"cove/internal/wording"
)

// Command returns `cove verify`.
func Command(env *command.Env) *cobra.Command {
	var viaWrapper bool
	var dir, clientName string
	cmd := &cobra.Command{
		Use:   "verify ID",
		Short: "Test that an MCP client can use a profile",
		Long: `Close the profile, start the MCP server as a client does, check that the profile opens by itself,
list its tabs, end the client, check that the profile stayed open, and close it again.
Each step is shown with the time it took.

With --client, run the profile's entry in that client's file as it is, with the environment that the client gives it,
and check that the client's own list shows it. Without such an entry, the profile is registered under a temporary
name for the test, and removed again.`,
		Example: `  cove verify 1
  cove verify 1 --client claude-code
  cove verify 1 --wrapper`,
		Args: command.Exactly(1),
	}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		if err := entries.ForWrapper(cmd, viaWrapper); err != nil {
			return err
		}
		shown, err := client.Profiles().Get(cmd.Context(), id)
		if err != nil {
			return err
		}
		if shown.External != nil { // the test would end the sharing, and only a person can begin it again
			return errExternal(shown)
		}
		s, err := client.Status(cmd.Context())
		if err != nil {
			return err
		}
		p := &verify.Procedure{App: client, ID: id, Folder: paths.Home(s.Home).Profile(id)}
		if clientName == "" {
			x, err := entries.Default(env, id, viaWrapper, dir)
			if err != nil {
				return err
			}
			p.Server = entries.Program(x, withoutCove(os.Environ()))
			return run(cmd.Context(), env, p)
		}
		forget, err := withClient(env, p, clientName, viaWrapper, dir)
		if err != nil {
			return err
		}
		defer forget()
		return run(cmd.Context(), env, p)
	})

	cmd.Flags().BoolVar(&viaWrapper, "wrapper", false,
		"through the wrapper and the devtools MCP server instead of the native bridge")
	cmd.Flags().StringVar(&dir, "dir", "", "folder of the wrapper (default: where cove wrapper install puts it)")
	cmd.Flags().StringVar(&clientName, "client", "",
		"also register with this client, check that it lists the entry, and remove it again")
	return env.WithJSON(cmd)
}

// errExternal refuses to test a person's own browser.
func errExternal(p api.Profile) error {
	id := p.ID.String()
	next := "Share it with: cove adopt " + id
	if p.State == "open" {
		next = "It is shared now. List the tabs that agents see with: cove page tabs -p " + id +
			". Choose them with: cove adopt share " + id
	}
	return fault.New(fault.CodeAdoptNotOurs, "Profile "+id+" is a browser that you use outside Cove, "+
		"so Cove cannot close and open it for a test.", next)
}

// withClient makes the procedure run what one client runs, and adds the steps of that client. forget removes an entry
// that was added for the test, in case a step before its removal fails.
func withClient(env *command.Env, p *verify.Procedure, name string, viaWrapper bool,
	dir string) (forget func(), err error) {
	one, err := clients.Find(name)
	if err != nil {
		return nil, err
	}
	r, err := entries.Registry(env)
	if err != nil {
		return nil, err
	}
	if err := r.CheckInstalled(one, p.ID); err != nil {
		return nil, err
	}
	if dir == "" {
		f, ok, err := r.InForce(one, p.ID, viaWrapper)
		if err != nil {
			return nil, err
		}
		if ok {
			p.Server = entries.Program(f.Entry, one.Environ(r.Env, os.Environ(), f.Entry))
			p.More = ownListShows(p, r, one, f.Entry.Name)
			return func() {}, nil
		}
	}
	x, err := entries.Default(env, p.ID, viaWrapper, dir)
	if err != nil {
		return nil, err
	}
	x.Name = "cove-verify-" + p.ID.String()
	p.Server = entries.Program(x, one.Environ(r.Env, os.Environ(), x))
	return registerFor(p, r, one, x), nil
}

// registerFor adds the steps that register an entry for the test, and remove it.
func registerFor(p *verify.Procedure, r *clients.Registry, one clients.Client,
	x clients.Entry) (forget func()) {
	scope := clients.User // a project's servers need approval first
	if one.Local != nil {
		scope = clients.Local
	}
	what := clients.Removal{Profile: p.ID, Name: x.Name, Scope: scope}
	p.More = append(p.More, verify.Extra{Name: "Register with " + one.Title,
		Do: func(ctx context.Context) (string, error) {
			done, err := r.Add(ctx, one, scope, x, false)
			if err != nil {
				return "", err
			}
			return done[0].File, nil
		}})
	p.More = append(p.More, ownListShows(p, r, one, x.Name)...)
	p.More = append(p.More, verify.Extra{Name: "Remove from " + one.Title,
		Do: func(ctx context.Context) (string, error) {
			done, err := r.Remove(ctx, one, what, false)
			if err == nil && len(done) == 0 {
				err = errors.New("the entry was already gone")
			}
			return "", err
		}})
	return func() { _, _ = r.Remove(context.Background(), one, what, false) }
}

// ownListShows returns the steps that read the client's own list, if the client is installed.
func ownListShows(p *verify.Procedure, r *clients.Registry, one clients.Client, name string) []verify.Extra {
	if one.List == nil || one.Program(r.Env) == "" {
		return nil
	}
	return []verify.Extra{
		{Name: one.Title + "'s own list shows it",
			Do: func(ctx context.Context) (string, error) { return listed(ctx, r, one, name) }},
		{Name: "Stop the profile again",
			Do: func(ctx context.Context) (string, error) { return "", p.App.Stop(ctx, p.ID) }},
	}
}

// withoutCove returns an environment that does not name a data folder. No client may depend on one that does.
func withoutCove(env []string) []string {
	ours := []string{"COVE_HOME", "COVE_BROWSER", "COVE_BROWSER_ARGS", "XDG_CONFIG_HOME"}
	return slices.DeleteFunc(slices.Clone(env), func(one string) bool {
		name, _, _ := strings.Cut(one, "=")
		return slices.Contains(ours, name)
	})
}

// listed returns the row of a client's own list. A client that tries its servers must have connected to this one.
func listed(ctx context.Context, r *clients.Registry, one clients.Client, name string) (string, error) {
	out, err := entries.OwnList(ctx, r, one)
	line := entries.RowAbout(out, name)
	switch small := strings.ToLower(line); {
	case line == "" && err != nil:
		return "", fmt.Errorf("its list failed: %w: %s", err, wording.LastLine(out))
	case line == "":
		return "", errors.New("the entry is not in its list")
	case one.Live && strings.Contains(small, "disabled"):
		return "", errors.New(line + ": it is disabled there, like every server in a folder that " + one.Title +
			" does not trust")
	case one.Live && (!strings.Contains(small, "connected") || strings.Contains(small, "disconnected")):
		return "", errors.New(line)
	}

	return line, nil
}

// verdict is the result for programs.
type verdict struct {
	OK    bool          `json:"ok"`
	Steps []verify.Step `json:"steps"`
}

func run(ctx context.Context, env *command.Env, p *verify.Procedure) error {
	person := !env.JSON && command.Terminal(env.Out) != nil
	p.Began = func(name string) {
		if person {
			fmt.Fprintf(env.Out, "… %s\r", name)
		}
	}
	p.Ended = func(s verify.Step) {
		if !env.JSON {
			showStep(env.Out, s)
		}
	}
	steps, failed := p.Run(ctx)
	if env.JSON {
		if err := env.Print(verdict{failed == nil, steps}, nil); err != nil {
			return err
		}
	}
	if failed != nil {
		return notVerified(p.ID, steps[len(steps)-1], failed)
	}
	if !env.JSON {
		fmt.Fprintf(env.Out, "\nProfile %d works with MCP clients.\n", p.ID)
	}

	return nil
}

// notVerified says which step failed. If the app refused the step, its refusal decides the exit code and the hint.
func notVerified(id profile.ID, last verify.Step, failed error) error {
	f := fault.New(fault.CodeNotVerified, fmt.Sprintf("Profile %d failed at %q.", id, last.Name),
		"See the log: cove logs").Because(failed)
	var refusal *api.Failure
	if errors.As(failed, &refusal) {
		f.Kind, f.Hint = refusal.Body.ErrorObject.Type, refusal.Body.ErrorObject.Hint
	}

	return f
}

// showStep writes one step with its mark and its time.
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
