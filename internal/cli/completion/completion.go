// Package completion completes words for the shell: ids, names and the values of flags.
package completion

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cli/policies"
	"cove/internal/cli/servers"
	"cove/internal/cli/settings"
	"cove/internal/clients"
	"cove/internal/cookie"
	"cove/internal/policy"
)

// completer returns the possible values of a word for the shell. A tab separates a word from its description.
type completer func(cmd *cobra.Command) []string

// Add sets the possible arguments and flags of every command below root, by the words of its usage.
func Add(env *command.Env, root *cobra.Command) {
	profiles := func(cmd *cobra.Command) []string { return profileWords(cmd, env, anyProfile) }
	browsers := func(cmd *cobra.Command) []string { return profileWords(cmd, env, standsForBrowser) }
	settings := func(cmd *cobra.Command) []string { return settingWords(cmd, env) }
	proxies := func(cmd *cobra.Command) []string { return proxyWords(cmd, env) }
	extensions := func(cmd *cobra.Command) []string { return extensionWords(cmd, env) }
	presets, rights := words(policies.Names(policy.Presets)...),
		words(string(policy.Yes), string(policy.Ask), string(policy.No))
	plans, scopes := words("free", "solo", "team"), words("local", "project", "user")
	arguments := map[string]completer{
		"ID": profiles, "CLIENT": words(clients.Names()...),
		"CLIENT|all": words(append(clients.Names(), "all")...), "[CLIENT…]": words(append(clients.Names(), "all")...),
		"PLAN": plans, "SETTING": settings, "NAME": words(), "EMAIL": words(), "[EMAIL]": words(),
		"WHAT…": words(), "PROXY-ID": proxies, "PROXY-ID…": proxies, "[PROXY-ID…]": proxies, "[PROXY]": words(),
		"EXTENSION": extensions, "[PROFILE]": profiles, "[PROFILE…]": profiles, "PROFILE…|--all": profiles,
		"[NAME]": browsers, "adopt NAME": browsers, "[TAB…]": words(),
	}
	flags := map[string]completer{
		"preset": presets, "right": withEach(policies.Names(policy.Classes), rights),
		"page-tools": words("on", "off"),
		"plan":       plans, "scope": scopes, "client": words(clients.Names()...), "profile": profiles,
		"outcome": words(api.Outcomes...), "format": words(formats()...), "replace": extensions,
		"tools": words(servers.ToolGroups()...), "clear": words(append(policies.Clearable(), "all")...),
		"tabs": words(policies.TabChoices()...),
	}
	complete(root, arguments, flags)
}

func formats() (names []string) {
	for _, f := range cookie.Formats {
		names = append(names, string(f))
	}
	return names
}

// complete sets the completion of every command below root.
func complete(root *cobra.Command, arguments, flags map[string]completer) {
	for _, cmd := range root.Commands() {
		complete(cmd, arguments, flags)
		usage := strings.Fields(cmd.Use)[1:]
		if cmd.ValidArgsFunction == nil && len(usage) > 0 {
			cmd.ValidArgsFunction = completeArgument(usage, arguments)
		}
		for name, values := range flags {
			if cmd.Flags().Lookup(name) != nil {
				_ = cmd.RegisterFlagCompletionFunc(name,
					func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
						return values(cmd), cobra.ShellCompDirectiveNoFileComp
					})
			}
		}
	}
}

// completeArgument completes the arguments of a command by the words of its usage, of which some mean something else
// below a certain command.
func completeArgument(usage []string, arguments map[string]completer) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		switch {
		// the ids of requests are not ids of profiles
		case cmd.Parent().Name() == "approvals", cmd.Parent().Name() == "asks":
			return nil, cobra.ShellCompDirectiveNoFileComp
		case len(args) >= len(usage) && strings.Contains(usage[len(usage)-1], "…"): // any number of them
			args = args[:len(usage)-1]
		case len(args) >= len(usage):
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		word := usage[len(args)]
		values := arguments[cmd.Parent().Name()+" "+word]
		if values == nil {
			values = arguments[word]
		}
		if values == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}

		return values(cmd), cobra.ShellCompDirectiveNoFileComp
	}
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

func anyProfile(api.Profile) bool { return true }

func standsForBrowser(p api.Profile) bool { return p.External != nil }

// profileWords returns the ids of the profiles that fit, each with its name. There are none while the app is not
// running.
func profileWords(cmd *cobra.Command, env *command.Env, fits func(api.Profile) bool) (list []string) {
	client, err := env.Client()
	if err != nil {
		return nil
	}
	q := url.Values{"limit": {"1000"}}
	if trash := cmd.Flags().Lookup("trash"); cmd.Name() == "restore" ||
		(trash != nil && trash.Value.String() == "true") {
		q.Set("trashed", "1")
	}
	found, err := client.Profiles().List(cmd.Context(), q)
	if err != nil {
		return nil
	}

	for _, one := range found.Data {
		if fits(one) {
			list = append(list, one.ID.String()+"\t"+one.Name)
		}
	}

	return list
}

// proxyWords returns the ids of the stored proxies, each with its name and address.
func proxyWords(cmd *cobra.Command, env *command.Env) (all []string) {
	client, err := env.Client()
	if err != nil {
		return nil
	}
	found, err := client.Proxies().List(cmd.Context(), url.Values{"limit": {"1000"}})
	if err != nil {
		return nil
	}

	for _, p := range found.Data {
		all = append(all, strconv.Itoa(int(p.ID))+"\t"+strings.TrimSpace(p.Name+" "+p.Type+"://"+p.Host))
	}

	return all
}

// extensionWords returns the names of the extensions, each with its version. One whose name does not tell it apart has
// its id.
func extensionWords(cmd *cobra.Command, env *command.Env) (all []string) {
	client, err := env.Client()
	if err != nil {
		return nil
	}
	found, err := client.Extensions().List(cmd.Context(), url.Values{"limit": {"1000"}})
	if err != nil {
		return nil
	}

	named := map[string]int{}
	for _, e := range found.Data {
		named[strings.ToLower(e.Name)]++
	}
	for _, e := range found.Data {
		id := strconv.Itoa(e.ID)
		if named[strings.ToLower(e.Name)] > 1 || command.OnlyDigits(e.Name) {
			all = append(all, id+"\t"+e.Name+" "+e.Version)
		} else {
			all = append(all, e.Name+"\tversion "+e.Version+", id "+id)
		}
	}

	return all
}

// settingWords returns the names of the settings, each with what it is about.
func settingWords(cmd *cobra.Command, env *command.Env) (all []string) {
	found, err := settings.All(cmd.Context(), env)
	if err != nil {
		return nil
	}

	for _, s := range found {
		all = append(all, s.Key+"\t"+s.About)
	}

	return all
}
