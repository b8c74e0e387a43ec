package imports

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/wording"
)

// browserOptions are the flags of `cove import browser`.
type browserOptions struct {
	from         string
	sites        []string
	all, storage bool
}

const browserHelp = `Import logins from the Chrome, Chromium, Edge or Brave that you use into a profile, without typing
a password. Agents and scripts in the profile will be logged in as you on these sites.

Cove lists the sites that the browser has cookies for and imports the ones you choose. The profile's own cookies for
these sites are replaced; with --storage, so is their local storage. While the browser is open, Cove connects to it
once, after you have pressed Allow there, reads, and disconnects. Nothing in that browser changes, and nothing is
decrypted.

If the browser is closed, its folder can be copied instead, with --all: on Linux, into a profile without logins, and
only if the cookies are not locked with the desktop's keyring. Local storage and IndexedDB are then included.

Not imported: passwords, passkeys, device-bound logins and, from an open browser, IndexedDB. A few sites end one of two
logins of the same account.`

func browserCommand(env *command.Env) *cobra.Command {
	var o browserOptions
	cmd := &cobra.Command{Use: "browser PROFILE", Short: "Import logins from the browser that you use",
		Long: browserHelp, Args: command.Exactly(1),
		Example: `  cove import browser work                                   lists the sites, and asks
  cove import browser work --site github.com --site linear.app
  cove import browser work --from ~/.config/google-chrome/Default --storage`}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		if o.all && len(o.sites) > 0 {
			return fault.Invalidf("--all and --site exclude each other.").WithHint("Leave one of them out.")
		}
		return importLogins(cmd.Context(), env, client, id, o)
	})
	f := cmd.Flags()
	f.StringVar(&o.from, "from", "", "the data folder of the browser, or of one of its profiles (see chrome://version)")
	f.StringArrayVar(&o.sites, "site", nil, "import this site (repeat for more)")
	f.BoolVar(&o.all, "all", false, "import every site, after you have typed a word")
	f.BoolVar(&o.storage, "storage", false, "import the local storage of the sites, too")
	return env.WithJSON(cmd)
}

// importLogins does the whole of it. Ctrl-C cancels the import.
func importLogins(ctx context.Context, env *command.Env, c *api.Client, id profile.ID, o browserOptions) error {
	in := api.LoginImportInput{Profile: id}
	var err error
	if in.DataDir, in.Dir, err = env.ChooseBrowser(ctx, c, o.from); err != nil {
		return err
	}
	one, err := c.LoginImports().Start(ctx, in)
	if err != nil {
		return err
	}
	one, err = follow(ctx, env, c, one, o)
	if err != nil {
		last, ended := cancelImport(ctx, c, one)
		switch {
		case ended == nil && (last.Result != nil || ctx.Err() != nil):
			one, err = last, nil // it was being written, and is whole; or it says what to do about the browser
		case ctx.Err() != nil:
			err = fault.New(fault.CodeCancelled, "The import was cancelled.",
				"If the browser still asks, press Cancel there.")
		}
	}
	if err == nil && one.Failure != nil {
		f := one.Failure
		err = &fault.Error{Kind: f.Type, Code: f.Code, Text: f.Text, Hint: f.Hint}
	}
	if err != nil {
		if len(one.Sites) > 0 && !one.Copy {
			fmt.Fprintln(env.Err, untick)
		}
		return err
	}
	return env.Print(one, func(w io.Writer) { writeTaken(w, one) })
}

// cancelLimit bounds the end of an import that was cancelled.
const cancelLimit = time.Minute

func cancelImport(ctx context.Context, c *api.Client, one api.LoginImport) (api.LoginImport, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cancelLimit)
	defer cancel()
	return c.LoginImports().Cancel(ctx, one.ID)
}

// follow tells the person what the import waits for, until it has ended.
func follow(ctx context.Context, env *command.Env, c *api.Client, one api.LoginImport, o browserOptions) (
	api.LoginImport, error,
) {
	last := ""
	for {
		next, err := c.LoginImports().Get(ctx, one.ID, one.Version)
		if err != nil {
			return one, err
		}
		one = next
		if text := stepText(one); one.Step != last && text != "" {
			fmt.Fprintln(env.Err, text)
		}
		switch {
		case one.Step == "done" || one.Step == "failed":
			return one, nil
		case one.Step == "choosing" && last != "choosing":
			if next, err = choose(ctx, env, c, one, o); err != nil {
				return one, err
			}
			one = next
		}
		last = one.Step
	}
}

// choose goes on with the sites that the person chooses. It watches the import meanwhile: one that nobody watches ends.
func choose(ctx context.Context, env *command.Env, c *api.Client, one api.LoginImport, o browserOptions) (
	api.LoginImport, error,
) {
	asking, end := context.WithCancel(ctx)
	defer end()
	watcher := *c // the PIN is known by now
	ended := make(chan api.LoginImport, 1)
	go func() {
		defer close(ended)
		for asking.Err() == nil {
			next, err := watcher.LoginImports().Get(asking, one.ID, one.Version)
			switch {
			case err != nil: // the app may be back in a moment
				select {
				case <-asking.Done():
				case <-time.After(time.Second):
				}
			case next.Step != "choosing":
				ended <- next
				end()
			}
		}
	}()
	choice, err := chooseSites(asking, env, one, o)
	if ctx.Err() == nil && asking.Err() != nil {
		return <-ended, nil // in some other way than by a choice
	}
	if err != nil {
		return one, err
	}
	return c.LoginImports().Choose(ctx, one.ID, choice)
}

// stepText says what the person has to do.
func stepText(one api.LoginImport) string {
	switch one.Step {
	case "no-browser":
		return "Open that browser: it is not running. (Ctrl-C cancels.)"
	case "switch-off":
		return "In that browser, type chrome://inspect/#remote-debugging into the address bar and tick the box there."
	case "wait-allow":
		return "The browser asks “Allow remote debugging?”: press Allow. It does not say who asks; it is Cove, once."
	case "other-profile":
		return "A window of another profile is in front there. Click a window of the profile " + one.Dir + "."
	}
	return ""
}

// chooseSites returns the sites that the command line names, or asks.
func chooseSites(ctx context.Context, env *command.Env, one api.LoginImport, o browserOptions) (
	api.LoginChoice, error,
) {
	choice := api.LoginChoice{Sites: o.sites, Storage: o.storage}
	if len(o.sites) > 0 && !one.Copy {
		for _, site := range o.sites {
			if !slices.ContainsFunc(one.Sites, func(s api.LoginSite) bool { return s.Site == site }) {
				writeSites(env.Err, one.Sites)
				break // the error names it
			}
		}
		return choice, nil
	}
	if one.Copy && !o.all {
		return choice, fault.Invalidf("That browser is closed, and its folder can only be copied whole.").
			WithHint("Add --all. To choose sites, open that browser and run the command again.")
	}
	writeSites(env.Err, one.Sites)
	if len(one.Sites) == 0 {
		return choice, fault.New(fault.CodeNotFound, "That browser has no cookies.", "Log in there first.")
	}
	if o.all {
		line, err := env.Prompt(ctx, fmt.Sprintf("Type all to import %s: ", wording.Count(len(one.Sites), "site")))
		if err != nil {
			return choice, err
		}
		if line != "all" {
			return choice, fault.Invalidf("Nothing was imported.").WithHint("Type the word all when you are asked.")
		}
		choice.All = true
		return choice, nil
	}
	for {
		line, err := env.Prompt(ctx, "Which sites? (numbers or names; leave empty to cancel) ")
		if err != nil {
			return choice, err
		}
		var unknown string
		choice.Sites, unknown = sitesIn(line, one.Sites)
		switch {
		case unknown != "":
			fmt.Fprintf(env.Err, "%q is not in the list.\n", unknown)
		case len(choice.Sites) == 0:
			return choice, fault.Invalidf("Nothing was imported.").
				WithHint("Name sites with --site, or type their numbers when you are asked.")
		default:
			return choice, nil
		}
	}
}

// sitesIn returns the sites that a line names, by their names or numbers, and the first word that names none.
func sitesIn(line string, sites []api.LoginSite) (chosen []string, unknown string) {
	for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
		at := slices.IndexFunc(sites, func(s api.LoginSite) bool { return s.Site == strings.ToLower(word) })
		if n, err := strconv.Atoi(word); err == nil && n >= 1 && n <= len(sites) {
			at = n - 1
		}
		if at < 0 {
			return nil, word
		}
		if site := sites[at].Site; !slices.Contains(chosen, site) {
			chosen = append(chosen, site)
		}
	}
	return chosen, ""
}

func writeSites(w io.Writer, sites []api.LoginSite) {
	t := command.Columns(w)
	for i, s := range sites {
		storage := ""
		if s.Origins > 0 {
			storage = "local storage"
		}
		command.Row(t, strconv.Itoa(i+1), s.Site, wording.Count(s.Cookies, "cookie"), storage)
	}
	_ = t.Flush()
}

const untick = "You can untick the box in chrome://inspect/#remote-debugging again."

func writeTaken(w io.Writer, one api.LoginImport) {
	r := one.Result
	fmt.Fprintf(w, "%s imported", wording.Count(r.Cookies, "cookie"))
	if r.Entries > 0 {
		fmt.Fprintf(w, ", and %s of local storage", wording.Count(r.Entries, "entry"))
	}
	fmt.Fprintln(w, ".")
	if !one.Copy {
		fmt.Fprintln(w, "IndexedDB is not included. "+untick)
	}
	for _, c := range r.Refused {
		fmt.Fprintf(w, "Not imported: the cookie %q of %s%s\n", c.Name, c.Domain, c.Path)
	}
	for _, o := range r.RefusedOrigins {
		fmt.Fprintf(w, "Not imported: the local storage of %s\n", o)
	}
	for _, site := range r.Gone {
		fmt.Fprintf(w, "Not imported: %s. You have logged out there in the meantime.\n", site)
	}
	if one.Opaque > 0 {
		fmt.Fprintf(w, "Not included: %s from unnamed frames.\n", wording.Count(one.Opaque, "cookie"))
	}
}
