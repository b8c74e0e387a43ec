// Package proxies has `cove proxy`.
package proxies

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/proxy"
)

// Command returns `cove proxy`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "proxy", Short: "Store, check and share proxies",
		Long: `Store proxies and give them to profiles.

Cove reads a proxy in any of these forms, one per line:

  host:port                     login:password@host:port
  host:port:login:password      host:port@login:password
  login:password:host:port      type://login:password@host:port

The type comes first as type:// or type: in any of them: http (the default), https, socks4 or socks5.
A link that changes the exit address can follow in brackets: host:port[https://…].
A line that can be read in two ways is refused.`,
		Example: `  cove proxy add socks5://login:password@proxy.example:1080 --name Berlin
  cove proxy import proxies.txt
  cove proxy check
  cove profile edit work --proxy 1`},
		listCommand(env), addCommand(env), importCommand(env), editCommand(env), checkCommand(env),
		changeIPCommand(env), removeCommand(env))
}

// find reads the id of a stored proxy, or the name of exactly one. Digits are always an id.
func find(ctx context.Context, client *api.Client, text string) (api.ProxyID, error) {
	if command.OnlyDigits(text) {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 1 {
			return 0, fault.Invalidf("%q is not the id of a proxy.", text).
				WithHint("`cove proxy list` shows the proxies.")
		}
		return api.ProxyID(n), nil
	}
	all, err := client.Proxies().List(ctx, url.Values{"query": {text}, "limit": {"1000"}})
	if err != nil {
		return 0, err
	}

	var found []string
	for _, p := range all.Data {
		if p.Name == text {
			found = append(found, strconv.Itoa(int(p.ID)))
		}
	}
	switch len(found) {
	case 1:
		return find(ctx, client, found[0])
	case 0:
		return 0, fault.New(fault.CodeNotFound, fmt.Sprintf("There is no proxy named %q.", text),
			"`cove proxy list` shows the proxies.")
	}

	return 0, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d proxies are named %q: %s.", len(found), text, strings.Join(found, ", ")), "Use the proxy's id.")
}

// findAll reads several ids or names.
func findAll(ctx context.Context, client *api.Client, texts []string) ([]api.ProxyID, error) {
	ids := make([]api.ProxyID, len(texts))
	for i, text := range texts {
		var err error
		if ids[i], err = find(ctx, client, text); err != nil {
			return nil, err
		}
	}

	return ids, nil
}

// record returns the proxy of an answer.
func record(p api.StoredProxy) proxy.Record {
	return proxy.Record{Name: p.Name, ChangeIPURL: p.ChangeIPURL,
		Proxy: proxy.Proxy{Type: p.Type, Host: p.Host, Port: p.Port, Login: p.Login, Password: p.Password}}
}

// result says in a few words how a check ended.
func result(c *api.ProxyCheck) string {
	switch {
	case c == nil:
		return "not checked"
	case !c.Success:
		return c.Error
	}
	words := []string{"works"}
	switch c.Tested {
	case api.TestedConnection:
		words = []string{"reachable, login not tested"}
	case api.TestedLogin:
		words = []string{"reachable, login tested"}
	}
	words = append(words, strconv.Itoa(c.Latency)+" ms")
	for _, word := range []string{c.IP, c.Country, c.City} {
		if word != "" {
			words = append(words, word)
		}
	}
	return strings.Join(words, ", ")
}

func listCommand(env *command.Env) *cobra.Command {
	var search string
	var page, limit int
	var lines bool
	cmd := &cobra.Command{Use: "list", Short: "List proxies", Args: command.Exactly(0),
		Long:    "List proxies, a page at a time. --lines and --json print all unless you use --page or --limit.",
		Example: "  cove proxy list\n  cove proxy list --search berlin\n  cove proxy list --lines > proxies.txt",
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			query := url.Values{"query": {search}}
			if (lines || env.JSON) && !cmd.Flags().Changed("page") && !cmd.Flags().Changed("limit") {
				all, err := command.AllPages(query, func(query url.Values) ([]api.StoredProxy, bool, error) {
					l, err := client.Proxies().List(cmd.Context(), query)
					return l.Data, l.NextPageURL != nil, err
				})
				if err != nil {
					return err
				}
				return printProxies(env, api.StoredProxyList{Data: all}, lines)
			}
			query.Set("page", strconv.Itoa(page))
			query.Set("limit", strconv.Itoa(limit))
			l, err := client.Proxies().List(cmd.Context(), query)
			if err != nil {
				return err
			}
			return printProxies(env, l, lines)
		}}
	cmd.Flags().StringVar(&search, "search", "", "words in the name, host or login")
	cmd.Flags().IntVar(&page, "page", 1, "page to show")
	cmd.Flags().IntVar(&limit, "limit", 100, "proxies per page")
	cmd.Flags().BoolVar(&lines, "lines", false,
		"print one line per proxy with its password, and its name as a comment, for cove proxy import")

	return env.WithJSON(cmd)
}

func printProxies(env *command.Env, l api.StoredProxyList, lines bool) error {
	if !lines {
		return env.Print(l.Data, func(w io.Writer) { writeProxies(env, w, l) })
	}
	for _, p := range l.Data {
		if p.Name != "" {
			fmt.Fprintln(env.Out, "# "+p.Name)
		}
		fmt.Fprintln(env.Out, record(p).Encode())
	}
	return nil
}

func writeProxies(env *command.Env, w io.Writer, l api.StoredProxyList) {
	if l.Total == 0 {
		env.Advise(w, "No proxies found. Add one with: cove proxy add host:port:login:password")
		return
	}
	t := command.Table(w, "ID", "NAME", "PROXY", "PROFILES", "LAST CHECK")
	for _, p := range l.Data {
		command.Row(t, strconv.Itoa(int(p.ID)), p.Name, record(p).Shown(), strconv.Itoa(p.Profiles),
			result(p.LastCheck))
	}
	_ = t.Flush()
	if l.LastPage > 1 {
		fmt.Fprintf(w, "\nPage %d of %d, %d proxies.\n", l.CurrentPage, l.LastPage, l.Total)
	}
}
