package policies

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/policy"
	"cove/internal/policy/site"
	"cove/internal/profile"
)

// policyFlags are the flags that change single rules.
type policyFlags struct {
	preset, tabs                                     string
	allow, block, forgets, rights, answerers, clears []string
	oneDriver, noPictures                            bool
}

// Clearable returns the parts of a policy that --clear empties.
func Clearable() []string { return []string{"allow", "block", "rights", "always", "answerers"} }

// TabChoices returns the values of --tabs.
func TabChoices() []string { return []string{"owned", "shared"} }

func setCommand(env *command.Env) *cobra.Command {
	var f policyFlags
	var yes bool
	cmd := &cobra.Command{
		Use:   "set ID",
		Short: "Change a profile's agent permissions",
		Long: `Change what agents can do in a profile. Other rules are unchanged.
Takes effect immediately, including for connected agents.

Presets:
` + presetsHelp() + `
Changing the preset resets individual permissions; site lists are kept.

Permissions (--right NAME=yes, ask or no; ask: you approve each time), and what each preset gives:
` + permissionsHelp() + `
Sites (--allow, --block):
  https://example.com, https://*.example.com, example.com, http://localhost:3000, http://localhost:*
  With an allow list, only these sites are loaded; blocked sites are never loaded.`,
		Example: `  cove policy set 1 --preset guarded
  cove policy set 1 --allow https://*.example.com --right leave=ask
  cove policy set 1 --forget https://*.example.com
  cove policy set 1 --clear allow,block`,
		Args: command.Exactly(1),
	}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		if cmd.Flags().NFlag() == 0 || (env.JSON && cmd.Flags().NFlag() == 1) {
			return exit.Usagef(cmd, "nothing to change")
		}
		now, err := client.Policy(id).Get(cmd.Context())
		if err != nil {
			return err
		}
		next := now.Data
		if err := f.change(cmd, &next); err != nil {
			return err
		}
		if err := confirmOpen(cmd.Context(), env, client, id, now.Data, next, yes); err != nil {
			return err
		}
		p, err := client.Policy(id).Set(cmd.Context(), next)
		if err != nil {
			return err
		}

		return env.Print(p, func(w io.Writer) {
			fmt.Fprintf(w, "Updated profile %d. ", id)
			writePolicy(w, p)
		})
	})

	f.bind(cmd)
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask before the preset open for a browser that you share")
	return env.WithJSON(cmd)
}

func (f *policyFlags) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.preset, "preset", "", "open, guarded, read-only or off")
	flags.StringArrayVar(&f.allow, "allow", nil, "add a site to the allow list; can be repeated")
	flags.StringArrayVar(&f.block, "block", nil, "add a site to the block list; can be repeated")
	flags.StringArrayVar(&f.forgets, "forget", nil, "remove a site from the lists and its rule; can be repeated")
	flags.StringArrayVar(&f.rights, "right", nil, "NAME=yes, ask or no; can be repeated")
	flags.BoolVar(&f.oneDriver, "one-driver", false, "only one agent can act at a time")
	flags.StringVar(&f.tabs, "tabs", "", "owned: each agent acts in its own tabs; shared: in those of others, too")
	flags.BoolVar(&f.noPictures, "no-pictures", false, "save no screenshots in the journal")
	flags.StringArrayVar(&f.answerers, "answerer", nil,
		"let this MCP client (by its self-reported name) ask you in its own UI; can be repeated")
	flags.StringSliceVar(&f.clears, "clear", nil, "clear first: allow, block, rights, always, answerers or all")
}

// confirmOpen asks before programs get everything that the user is logged in to in their own browser.
func confirmOpen(
	ctx context.Context, env *command.Env, c *api.Client, id profile.ID, now, next api.Policy, yes bool,
) error {
	if next.Preset != string(policy.Open) || now.Preset == next.Preset {
		return nil
	}
	p, err := c.Profiles().Get(ctx, id)
	if err != nil || p.External == nil {
		return err
	}
	pin, err := c.PINData(ctx)
	if err != nil {
		return err
	}
	if !pin.Set { // the app would say so after the question
		return fault.New(fault.CodePINUnset, "The preset open gives programs everything that you are logged in to in "+
			"that browser. It needs a PIN.", "Set a PIN with cove pin set, and try again.")
	}
	return env.RequireConfirm(yes, "Agents and every program of yours can then act in the tabs that you share, "+
		"and open any site that you are logged in to. Set the preset open?", "The preset was not changed.")
}

// presetsHelp explains each preset, one per line.
func presetsHelp() string {
	var text strings.Builder
	for _, p := range policy.Presets {
		fmt.Fprintf(&text, "  %-10s %s\n", p, policy.Policy{Preset: p}.Describe()[0])
	}
	return text.String()
}

// permissionsHelp explains each permission, with the answer of each preset that admits agents.
func permissionsHelp() string {
	presets := slices.DeleteFunc(slices.Clone(policy.Presets), func(p policy.Preset) bool { return p == policy.Off })
	var text strings.Builder
	fmt.Fprintf(&text, "  %-10s", "")
	for _, p := range presets {
		fmt.Fprintf(&text, " %-10s", p)
	}
	text.WriteString("\n")
	for _, c := range policy.Classes {
		fmt.Fprintf(&text, "  %-10s", c)
		for _, p := range presets {
			fmt.Fprintf(&text, " %-10s", policy.Policy{Preset: p}.Right(c))
		}
		fmt.Fprintf(&text, " %s\n", policy.Says[c])
	}

	return text.String()
}

// change applies the flags. It clears parts first, then sets the preset, then single rules.
func (f *policyFlags) change(cmd *cobra.Command, p *api.Policy) error {
	for _, part := range f.clears {
		if err := clearPart(cmd, p, part); err != nil {
			return err
		}
	}
	for _, text := range f.forgets {
		if err := forget(p, text); err != nil {
			return err
		}
	}
	given := cmd.Flags().Changed
	if given("preset") {
		if p.Preset != f.preset {
			p.Rights = nil
		}
		p.Preset = f.preset
	}
	p.Sites.Allow, p.Sites.Block, p.Answerers = append(p.Sites.Allow, f.allow...), append(p.Sites.Block, f.block...),
		append(p.Answerers, f.answerers...)
	for _, text := range f.rights {
		if err := setRight(p, text); err != nil {
			return err
		}
	}
	if given("one-driver") {
		p.OneDriver = f.oneDriver
	}
	if given("tabs") {
		if !slices.Contains(TabChoices(), f.tabs) {
			return exit.Usagef(cmd, "--tabs takes owned or shared, not %q", f.tabs)
		}
		p.SharedTabs = f.tabs == "shared"
	}
	if given("no-pictures") {
		p.NoPictures = f.noPictures
	}

	return nil
}

// clearPart empties one part of a policy, or with all every part that can be cleared.
func clearPart(cmd *cobra.Command, p *api.Policy, part string) error {
	if !slices.Contains(append([]string{"all"}, Clearable()...), part) {
		return exit.Usagef(cmd, "--clear takes allow, block, rights, always, answerers or all, not %q", part)
	}
	empties := func(name string) bool { return part == "all" || part == name }
	if empties("allow") {
		p.Sites.Allow = nil
	}
	if empties("block") {
		p.Sites.Block = nil
	}
	if empties("rights") {
		p.Rights = nil
	}
	if empties("always") {
		p.Always = nil
	}
	if empties("answerers") {
		p.Answerers = nil
	}
	return nil
}

// setRight sets one permission, such as upload=ask.
func setRight(p *api.Policy, text string) error {
	class, answer, ok := strings.Cut(text, "=")
	if !ok {
		return fault.Invalidf("%q is not a permission.", text).
			WithHint("Use NAME=yes, ask or no, such as upload=ask.")
	}
	if p.Rights == nil {
		p.Rights = map[string]string{}
	}
	p.Rights[class] = answer
	return nil
}

// forget removes a site from the lists, however it is spelled there.
func forget(p *api.Policy, text string) error {
	pattern, err := site.Parse(text)
	if err != nil {
		return err
	}
	same := func(listed string) bool {
		other, err := site.Parse(listed)
		return err == nil && other.String() == pattern.String()
	}
	before := len(p.Sites.Allow) + len(p.Sites.Block) + len(p.Always)
	maps.DeleteFunc(p.Always, func(listed string, _ []string) bool { return same(listed) })
	p.Sites.Allow, p.Sites.Block = slices.DeleteFunc(p.Sites.Allow, same), slices.DeleteFunc(p.Sites.Block, same)
	if len(p.Sites.Allow)+len(p.Sites.Block)+len(p.Always) == before {
		return fault.Invalidf("%s is not in the site lists of this profile.", pattern).
			WithHint("See the lists with: cove policy show ID")
	}

	return nil
}
