package cli

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/fault"
	"cove/internal/profile"
)

func (c *config) profileCommand() *cobra.Command {
	return group(&cobra.Command{Use: "profile", Short: "Create, list, edit and delete profiles",
		Example: `  cove profile create work --tag mail --start-page https://mail.example.com
  cove profile create shop --proxy socks5://login:password@proxy.example:1080 --timezone Europe/Berlin
  cove profile list --search mail
  cove profile edit work --notes 'the office account'
  cove profile delete work`},
		c.profileCreate(), c.profileList(), c.profileShow(), c.profileEdit(), c.profileClone(), c.profileDelete(),
		c.profileRestore())
}

// fields are the flags that describe a profile.
type fields struct {
	name, folder, notes, window, locale, timezone, proxy, browser string
	tags, pages, args                                             []string
}

func (f *fields) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.tags, "tag", nil, "a tag; may be repeated")
	flags.StringVar(&f.folder, "folder", "", "the folder it is sorted into")
	flags.StringVar(&f.notes, "notes", "", "notes")
	flags.StringArrayVar(&f.pages, "start-page", nil, "a page that opens when no tabs are restored; may be repeated")
	flags.StringVar(&f.window, "window", "", "window size, such as 1280x800; none leaves it to the browser")
	flags.StringVar(&f.locale, "locale", "", "language, such as en-GB")
	flags.StringVar(&f.timezone, "timezone", "", "timezone, such as Europe/Berlin")
	flags.StringVar(&f.proxy, "proxy", "",
		"http, https or socks5 proxy, such as http://login:password@host:port; none for none")
	flags.StringArrayVar(&f.args, "arg", nil, "an extra browser argument, such as --arg=--mute-audio; may be repeated")
	flags.StringVar(&f.browser, "browser", "", "path of the browser to use")
}

// input returns the flags that were given.
func (f *fields) input(cmd *cobra.Command) (in api.ProfileInput, err error) {
	given := cmd.Flags().Changed
	text := func(name string, value *string) *string {
		if given(name) {
			return value
		}
		return nil
	}
	f.browser = absolute(f.browser)
	in.Name, in.Folder, in.Browser = text("name", &f.name), text("folder", &f.folder), text("browser", &f.browser)
	in.Notes, in.Locale, in.Timezone = (*api.LooseText)(text("notes", &f.notes)),
		(*api.LooseText)(text("locale", &f.locale)), (*api.LooseText)(text("timezone", &f.timezone))
	for name, list := range map[string]struct {
		from []string
		to   **api.Strings
	}{"tag": {f.tags, &in.Tags}, "start-page": {f.pages, &in.StartPages}, "arg": {f.args, &in.Args}} {
		if given(name) {
			*list.to = (*api.Strings)(&list.from)
		}
	}
	if given("window") {
		if in.Window, err = parseSize(f.window); err != nil {
			return in, err
		}
	}
	if given("proxy") {
		p, err := profile.ParseProxy(f.proxy)
		if err != nil {
			return in, err
		}
		in.Proxy = &api.LooseProxy{Type: p.Type, Host: p.Host, Port: p.Port, Login: p.Login, Password: p.Password}
	}
	return in, nil
}

// absolute returns a path that is also right for the app, which runs in another folder. It looks up a bare name on the
// PATH.
func absolute(path string) string {
	if strings.ContainsRune(path, '/') || strings.ContainsRune(path, filepath.Separator) {
		if abs, err := filepath.Abs(path); err == nil {
			return abs
		}
	}
	return path
}

func parseSize(s string) (*api.Size, error) {
	if s == "" || s == "none" {
		return &api.Size{}, nil
	}
	w, h, ok := strings.Cut(strings.ToLower(s), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width == 0 || height == 0 {
		return nil, fault.Invalidf("%q is not a window size.", s).WithHint("Write it as 1280x800.")
	}
	return &api.Size{Width: width, Height: height}, nil
}

func (c *config) profileCreate() *cobra.Command {
	var f fields
	var count int
	cmd := &cobra.Command{Use: "create NAME", Short: "Create a profile, or several", Args: exactly(1),
		Example: `  cove profile create work
  cove profile create shop --count 20        makes "shop 1" to "shop 20"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := f.input(cmd)
			if err != nil {
				return err
			}
			in.Name = &args[0]
			client, err := c.client()
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("count") {
				if count < 1 || count > api.MaxMass {
					return fault.Invalidf("You can create 1–%d profiles at a time.", api.MaxMass)
				}
				var made api.CreatedMany
				if err := client.Do(cmd.Context(), "POST", "/browser_profiles/mass",
					api.MassInput{Template: &in, Count: count}, &made); err != nil {
					return err
				}
				return c.print(made.IDs,
					func(w io.Writer) { fmt.Fprintf(w, "Created %d profiles: %s\n", len(made.IDs), joinIDs(made.IDs)) })
			}
			p, err := client.CreateProfile(cmd.Context(), in)
			if err != nil {
				return err
			}
			return c.print(p, func(w io.Writer) {
				fmt.Fprintf(w, "Created profile %d, %s. ", p.ID, p.Name)
				c.advise(w, "Open it with: cove start %d", p.ID)
			})
		}}
	f.bind(cmd)
	cmd.Flags().IntVar(&count, "count", 1, "make that many, numbered")
	return c.withJSON(cmd)
}

func (c *config) profileList() *cobra.Command {
	var search, folder, sort string
	var tags []string
	var page, limit int
	var trash bool
	cmd := &cobra.Command{Use: "list", Short: "List profiles", Args: exactly(0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := c.client()
			if err != nil {
				return err
			}
			q := url.Values{"query": {search}, "folder": {folder}, "sort": {sort}, "page": {strconv.Itoa(page)},
				"limit": {strconv.Itoa(limit)}, "tags[]": tags, "trashed": {strconv.FormatBool(trash)}}
			l, err := client.Profiles(cmd.Context(), q)
			if err != nil {
				return err
			}
			return c.print(l.Data, func(w io.Writer) { c.writeProfiles(w, l) })
		}}
	cmd.Flags().StringVar(&search, "search", "", "words in name, tags, folder or notes")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "only with this tag; may be repeated")
	cmd.Flags().StringVar(&folder, "folder", "", "only in this folder")
	cmd.Flags().StringVar(&sort, "sort", "id", "id, name, folder, created, updated or opened; -name turns it around")
	cmd.Flags().IntVar(&page, "page", 1, "page")
	cmd.Flags().IntVar(&limit, "limit", 100, "profiles on a page")
	cmd.Flags().BoolVar(&trash, "trash", false, "list the trash")
	return c.withJSON(cmd)
}

func (c *config) writeProfiles(w io.Writer, l api.ProfileList) {
	if l.Total == 0 {
		c.advise(w, "No profiles here. Create one with: cove profile create NAME")
		return
	}
	t := table(w, "ID", "NAME", "STATE", "FOLDER", "TAGS", "LAST OPENED")
	for _, p := range l.Data {
		opened, folder := "never", ""
		if p.OpenedAt != nil {
			opened = p.OpenedAt.Local().Format("2006-01-02 15:04")
		}
		if p.Folder != nil {
			folder = *p.Folder
		}
		row(t, strconv.Itoa(int(p.ID)), p.Name, p.State, folder, strings.Join(p.Tags, ", "), opened)
	}
	_ = t.Flush()
	if l.LastPage > 1 {
		fmt.Fprintf(w, "\nPage %d of %d, %d profiles.\n", l.CurrentPage, l.LastPage, l.Total)
	}
}

func (c *config) profileShow() *cobra.Command {
	cmd := &cobra.Command{Use: "show ID", Short: "Show a profile's details", Args: exactly(1)}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		p, err := client.Profile(cmd.Context(), id)
		if err != nil {
			return err
		}
		return c.print(p, func(w io.Writer) { writeProfile(w, p) })
	})
	return c.withJSON(cmd)
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
	show("Id", strconv.Itoa(int(p.ID)))
	show("Name", p.Name)
	show("State", strings.TrimSpace(p.State+" "+p.Mode))
	show("Folder", deref(p.Folder))
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
		show("Proxy", fmt.Sprintf("%s://%s:%d", p.Proxy.Type, p.Proxy.Host, p.Proxy.Port))
	}
	if p.Args != nil {
		show("Arguments", strings.Join(*p.Args, " "))
	}
	show("Browser", deref(p.Browser))
	if p.OpenedAt != nil {
		show("Last opened", p.OpenedAt.Local().Format("2006-01-02 15:04:05"))
	}
}

func (c *config) profileEdit() *cobra.Command {
	var f fields
	cmd := &cobra.Command{Use: "edit ID", Short: "Edit a profile; other settings are unchanged", Args: exactly(1)}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		in, err := f.input(cmd)
		if err != nil {
			return err
		}
		if in == (api.ProfileInput{}) {
			return usageError{fmt.Errorf("nothing to change"), cmd.CommandPath()}
		}
		p, err := client.EditProfile(cmd.Context(), id, in)
		if err != nil {
			return err
		}
		return c.print(p, func(w io.Writer) { fmt.Fprintf(w, "Changed profile %d.\n", p.ID) })
	})
	cmd.Flags().StringVar(&f.name, "name", "", "new name")
	f.bind(cmd)
	return c.withJSON(cmd)
}

func (c *config) profileClone() *cobra.Command {
	var in api.CloneInput
	cmd := &cobra.Command{Use: "clone ID", Short: "Copy a profile's settings (with --data also its logins)",
		Args: exactly(1)}
	cmd.RunE = c.onProfile(false, func(cmd *cobra.Command, client *api.Client, id int32) error {
		p, err := client.CloneProfile(cmd.Context(), id, in)
		if err != nil {
			return err
		}
		return c.print(p, func(w io.Writer) { fmt.Fprintf(w, "Created profile %d, %s.\n", p.ID, p.Name) })
	})
	cmd.Flags().StringVar(&in.Name, "name", "", `name of the copy (default: "NAME copy")`)
	cmd.Flags().BoolVar(&in.Data, "data", false, "copy cookies, logins and extensions too; the profile must be closed")
	return c.withJSON(cmd)
}

func (c *config) profileDelete() *cobra.Command {
	var forGood, trashed bool
	cmd := &cobra.Command{Use: "delete ID", Short: "Move a profile to the trash, or delete it permanently",
		Args: exactly(1)}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return c.onProfile(trashed, func(cmd *cobra.Command, client *api.Client, id int32) error {
			if err := client.DeleteProfile(cmd.Context(), id, forGood); err != nil {
				return err
			}
			if err := c.print(api.OK{Success: true}, func(w io.Writer) {
				if forGood {
					fmt.Fprintf(w, "Profile %d and its data are gone.\n", id)
					return
				}
				c.advise(w, "Profile %d is in the trash. Restore it with: cove profile restore %d", id, id)
			}); err != nil {
				return err
			}
			return c.offerRemoval(cmd.Context(), id)
		})(cmd, args)
	}
	cmd.Flags().BoolVar(&forGood, "for-good", false, "delete it with all its logins; there is no way back")
	cmd.Flags().BoolVar(&trashed, "trash", false, "look the name up in the trash")
	return c.withJSON(cmd)
}

func (c *config) profileRestore() *cobra.Command {
	cmd := &cobra.Command{Use: "restore ID", Short: "Restore a profile from the trash", Args: exactly(1)}
	cmd.RunE = c.onProfile(true, func(cmd *cobra.Command, client *api.Client, id int32) error {
		p, err := client.RestoreProfile(cmd.Context(), id)
		if err != nil {
			return err
		}
		return c.print(p, func(w io.Writer) { fmt.Fprintf(w, "Profile %d, %s, is back.\n", p.ID, p.Name) })
	})
	return c.withJSON(cmd)
}
