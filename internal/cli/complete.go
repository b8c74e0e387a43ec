package cli

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/clients"
	"cove/internal/policy"
)

// completer returns the possible values of a word for the shell. A tab separates a word from its description.
type completer func(cmd *cobra.Command) []string

// completions sets the possible arguments and flags of every command below root, by the words of its usage.
func (c *config) completions(root *cobra.Command) {
	presets, rights := words(asText(policy.Presets)...),
		words(string(policy.Yes), string(policy.Ask), string(policy.No))
	plans, scopes := words("free", "solo", "team"), words("local", "project", "user")
	arguments := map[string]completer{
		"ID": c.profileWords, "CLIENT": words(clients.Names()...),
		"CLIENT|all": words(append(clients.Names(), "all")...),
		"PLAN":       plans, "SETTING": c.settingWords, "NAME": words(), "EMAIL": words(), "[EMAIL]": words(),
		"WHAT…": words(),
	}
	flags := map[string]completer{
		"preset": presets, "right": withEach(asText(policy.Classes), rights),
		"plan": plans, "scope": scopes, "client": words(clients.Names()...), "profile": c.profileWords,
		"outcome": words(api.Outcomes...),
		"tools":   words(toolGroups...), "clear": words(append(clearable[:len(clearable):len(clearable)], "all")...),
	}
	c.complete(root, arguments, flags)
}

func (c *config) complete(root *cobra.Command, arguments, flags map[string]completer) {
	for _, cmd := range root.Commands() {
		c.complete(cmd, arguments, flags)
		usage := strings.Fields(cmd.Use)[1:]
		if cmd.ValidArgsFunction == nil && len(usage) > 0 {
			cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, _ string) ([]string,
				cobra.ShellCompDirective) {
				switch {
				// the ids of requests are not ids of profiles
				case len(args) >= len(usage) || cmd.Parent().Name() == "approvals":
					return nil, cobra.ShellCompDirectiveNoFileComp
				case arguments[usage[len(args)]] == nil:
					return nil, cobra.ShellCompDirectiveDefault
				}
				return arguments[usage[len(args)]](cmd), cobra.ShellCompDirectiveNoFileComp
			}
		}
		for name, may := range flags {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name,
					func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
						return may(cmd), cobra.ShellCompDirectiveNoFileComp
					})
			}
		}
	}
}

// asText converts a list of names to strings.
func asText[T ~string](list []T) (all []string) {
	for _, one := range list {
		all = append(all, string(one))
	}
	return all
}

func words(list ...string) completer { return func(*cobra.Command) []string { return list } }

// withEach returns every name with every value, as NAME=VALUE.
func withEach(names []string, values completer) completer {
	return func(cmd *cobra.Command) (all []string) {
		for _, name := range names {
			for _, value := range values(cmd) {
				all = append(all, name+"="+value)
			}
		}
		return all
	}
}

// profileWords returns the ids of the profiles, each with its name. There are none while the app is not running.
func (c *config) profileWords(cmd *cobra.Command) (all []string) {
	client, err := c.client()
	if err != nil {
		return nil
	}
	q := url.Values{"limit": {"1000"}}
	if trash := cmd.Flags().Lookup("trash"); cmd.Name() == "restore" ||
		(trash != nil && trash.Value.String() == "true") {
		q.Set("trashed", "1")
	}
	found, err := client.Profiles(cmd.Context(), q)
	if err != nil {
		return nil
	}
	for _, p := range found.Data {
		all = append(all, strconv.Itoa(int(p.ID))+"\t"+p.Name)
	}
	return all
}

func (c *config) settingWords(cmd *cobra.Command) (all []string) {
	found, err := c.settings(cmd)
	if err != nil {
		return nil
	}
	for _, s := range found {
		all = append(all, s.Key+"\t"+s.About)
	}
	return all
}
