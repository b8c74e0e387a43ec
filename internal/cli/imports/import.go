// Package imports has `cove import`.
package imports

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/fault"
	"cove/internal/importer"
)

// options are the flags of an import.
type options struct {
	dry, yes, updateCookies bool
	folder                  string
}

// Command returns `cove import`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "import",
		Short: "Move profiles over from another product, or logins from your browser",
		Long: `Create profiles from the files of Dolphin, AdsPower or another product, with their proxies, cookies,
tags, notes, folders and statuses. To bring logins from the browser that you use into a profile, see:
cove import browser --help

Cove first shows what it will create and what cannot be taken along, and asks. Profiles are created all at once or not
at all: if one line or item is not understood, nothing is imported, and the error names the line. Cookies follow, one
profile after the other. Until a profile has its cookies, it has the tag ` + MissingTag + `. If you stop the import, run
the same command again to continue.

Running a command twice creates nothing twice: a profile with the same name and the same proxy is already there. It
keeps its own cookies unless you add --update-cookies.`,
		Example: `  cove import dolphin profiles.json proxies.json --dry-run
  cove import adspower list.json
  cove import csv profiles.csv --folder Shops
  cove import browser work`},
		productCommand(env, importer.Dolphin, "Import what Dolphin’s API answers, or a table", dolphinHelp,
			`  cove import dolphin profiles.json --dry-run
  cove import dolphin page1.json page2.json proxies.json folders.json
  cove import dolphin profiles.json 12.json Shop.txt     with the cookies of profile 12 and of Shop`),
		productCommand(env, importer.AdsPower, "Import what AdsPower’s API answers, or its export saved as CSV",
			adsPowerHelp,
			`  cove import adspower list.json --dry-run
  cove import adspower export.csv --folder Ads
  cove import adspower list.json proxies.json k12am9a2.json`),
		productCommand(env, importer.CSV, "Import a table of profiles", csvHelp,
			`  cove import csv profiles.csv --dry-run
  cove import csv profiles.csv --yes`),
		browserCommand(env))
}

const dolphinHelp = `Import profiles from Dolphin. Save what its API answers to files, and give all files in one
command:

  profiles   GET /browser_profiles?limit=50&page=1 (and the other pages)
  proxies    GET /proxy, if the profiles have only the numbers of their proxies
  folders    GET /folders, to folders.json; and GET /browser_profiles/statuses, to statuses.json
  cookies    one file for each profile, named after the profile’s name or id: Shop.json, 12.txt

A table with a header can be given, too; see: cove import csv --help`

const adsPowerHelp = `Import profiles from AdsPower. Save what its API answers to files, and give all files in one
command:

  profiles   POST /api/v2/browser-profile/list, or /api/v1/user/list if it has user_proxy_config (every page)
  proxies    POST /api/v2/proxy-list/list, if the profiles have only the numbers of their proxies
  cookies    GET /api/v2/browser-profile/cookies, one file for each profile, named after its name or id

The Excel file that AdsPower exports can be given after you have saved it as CSV.`

const csvHelp = `Import a table with a header. Commas, semicolons or tabs separate its columns. Their order and the case
of their names do not matter:

  name                              required
  proxy                             host:port:login:password, socks5://login:password@host:port; empty for none
  proxy type, proxy host, proxy port, proxy login, proxy password, change ip url
  tags, start pages                 several with commas between them, in quotes
  notes, folder, status, locale, timezone
  cookies                           the text of a cookie file, JSON or Netscape

Names of other products (title, remark, group, tab, proxytype, …) are understood. Other columns are listed as what
cannot be taken along; one that may be part of a proxy, such as server or port, stops the import.`

// maxFile is the size of the largest file that is read.
const maxFile = 256 << 20

func productCommand(env *command.Env, product importer.Product, short, long, example string) *cobra.Command {
	var o options
	cmd := &cobra.Command{Use: string(product) + " FILE…", Short: short, Long: long, Example: example,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef(cmd, "expected import %s FILE…", product)
			}
			files, err := readFiles(env, args)
			if err != nil {
				return err
			}
			plan := importer.Read(product, files, time.Now())
			if err := refuse(env.Err, plan); err != nil {
				return err
			}
			client, err := env.Client()
			if err != nil {
				return err
			}
			return run(cmd.Context(), env, appOf(client), plan, o)
		}}
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "only show what would be created and what cannot be taken along")
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "import without asking")
	cmd.Flags().BoolVar(&o.updateCookies, "update-cookies", false,
		"also import cookies into profiles that are already there")
	cmd.Flags().StringVar(&o.folder, "folder", "", "put all profiles into this folder")
	return env.WithJSON(cmd)
}

func readFiles(env *command.Env, names []string) ([]importer.File, error) {
	files := make([]importer.File, 0, len(names))
	for _, name := range names {
		raw, err := env.ReadFile(name, maxFile)
		if err != nil {
			return nil, err
		}
		files = append(files, importer.File{Name: name, Data: raw})
	}
	return files, nil
}

// shownProblems is how many problems are shown.
const shownProblems = 20

// refuse says what keeps the files from being imported.
func refuse(w io.Writer, plan importer.Plan) error {
	n := len(plan.Problems)
	switch {
	case n == 1:
		p := plan.Problems[0]
		return fault.Invalidf("%s Nothing was imported.", p).WithHint(p.Hint)
	case n > 1:
		for i, p := range plan.Problems[:min(n, shownProblems)] {
			fmt.Fprintln(w, p)
			if p.Hint != "" && (i == 0 || p.Hint != plan.Problems[i-1].Hint) {
				fmt.Fprintln(w, "  "+p.Hint)
			}
		}
		if n > shownProblems {
			fmt.Fprintf(w, "… and %d more\n", n-shownProblems)
		}
		return fault.Invalidf("%d lines or items cannot be imported, so nothing was.", n).
			WithHint("Correct them, and run the command again.")
	case len(plan.Profiles)+len(plan.Proxies) == 0:
		return fault.Invalidf("The files have no profiles.").WithHint("See: cove import --help")
	}
	return nil
}
