package profiles

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/profile"
	"cove/internal/proxy"
)

func listCommand(env *command.Env) *cobra.Command {
	var search, folder, sort string
	var tags []string
	var page, limit int
	var trash bool
	cmd := &cobra.Command{Use: "list", Short: "List profiles", Args: command.Exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := env.Client()
			if err != nil {
				return err
			}
			q := url.Values{"query": {search}, "folder": {folder}, "sort": {sort}, "page": {strconv.Itoa(page)},
				"limit": {strconv.Itoa(limit)}, "tags[]": tags, "trashed": {strconv.FormatBool(trash)}}
			l, err := client.Profiles().List(cmd.Context(), q)
			if err != nil {
				return err
			}

			return env.Print(l.Data, func(w io.Writer) { writeProfiles(env, w, l) })
		}}
	cmd.Flags().StringVar(&search, "search", "", "words in the name, tags, folder or notes")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "only with this tag; can be repeated")
	cmd.Flags().StringVar(&folder, "folder", "", "only in this folder")
	cmd.Flags().StringVar(&sort, "sort", "id",
		"id, name, folder, created, updated or opened; -name for descending order")
	cmd.Flags().IntVar(&page, "page", 1, "page to show")
	cmd.Flags().IntVar(&limit, "limit", 100, "profiles per page")
	cmd.Flags().BoolVar(&trash, "trash", false, "list the trash")
	return env.WithJSON(cmd)
}

func writeProfiles(env *command.Env, w io.Writer, l api.ProfileList) {
	if l.Total == 0 {
		env.Advise(w, "No profiles found. Create one with: cove profile create NAME")
		return
	}
	t := command.Table(w, "ID", "NAME", "STATE", "FOLDER", "STATUS", "TAGS", "LAST OPENED")
	for _, p := range l.Data {
		opened, folder := "never", ""
		if p.OpenedAt != nil {
			opened = p.OpenedAt.Local().Format("2006-01-02 15:04")
		}
		if p.Folder != nil {
			folder = *p.Folder
		}
		command.Row(t, p.ID.String(), p.Name, command.StateOf(p), folder, statusName(p),
			strings.Join(p.Tags, ", "), opened)
	}
	_ = t.Flush()
	if l.LastPage > 1 {
		fmt.Fprintf(w, "\nPage %d of %d, %d profiles.\n", l.CurrentPage, l.LastPage, l.Total)
	}
}

func statusName(p api.Profile) string {
	if p.Status == nil {
		return ""
	}
	return p.Status.Name
}

func showCommand(env *command.Env) *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Show a profile's details", Args: command.Exactly(1)}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		p, err := client.Profiles().Get(cmd.Context(), id)
		if err != nil {
			return err
		}
		return env.Print(p, func(w io.Writer) { writeProfile(w, p) })
	})

	return env.WithJSON(cmd)
}

func writeProfile(w io.Writer, p api.Profile) {
	show := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "%-12s %s\n", name, value)
		}
	}
	deref := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	show("Id", p.ID.String())
	show("Name", p.Name)
	state := strings.TrimSpace(p.State + " " + p.Mode)
	if p.External != nil {
		state = command.StateOf(p)
	}
	show("State", state)
	if p.StartFailure != nil && p.External != nil {
		show("", p.StartFailure.Text)
	}
	show("Folder", deref(p.Folder))
	show("Status", statusName(p))
	show("Tags", strings.Join(p.Tags, ", "))
	show("Notes", deref(p.Notes))
	if p.StartPages != nil {
		show("Start pages", strings.Join(*p.StartPages, ", "))
	}
	if p.Window != nil {
		show("Window", fmt.Sprintf("%dx%d", p.Window.Width, p.Window.Height))
	}
	show("Locale", deref(p.Locale))
	show("Timezone", deref(p.Timezone))
	if p.Proxy != nil {
		show("Proxy", fmt.Sprintf("%s (id %d)", proxy.Proxy(*p.Proxy).Address(), p.ProxyID))
	}
	if p.Args != nil {
		show("Arguments", strings.Join(*p.Args, " "))
	}
	if deref(p.PageTools) == "off" {
		show("Page tools", "off")
	}
	show("Browser", deref(p.Browser))
	if p.External != nil {
		show("Browser", "your own, "+filepath.Join(p.External.DataDir, p.External.Dir))
	}
	if p.OpenedAt != nil {
		show("Last opened", p.OpenedAt.Local().Format("2006-01-02 15:04:05"))
	}
}
