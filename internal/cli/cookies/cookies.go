// Package cookies has `cove cookies`.
package cookies

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/cookie"
	"cove/internal/fault"
	"cove/internal/profile"
	"cove/internal/wording"
)

// Command returns `cove cookies`.
func Command(env *command.Env) *cobra.Command {
	return command.Group(&cobra.Command{Use: "cookies", Short: "Import and export a profile’s cookies",
		Long: `Import cookies into a profile, or export them to a file.

Cove reads JSON as Dolphin, EditThisCookie, AdsPower and Puppeteer write it, Playwright storageState files and Netscape
cookie files. The profile can be closed or open for automation.`,
		Example: `  cove cookies import work cookies.txt
  cove cookies export work --format netscape -o cookies.txt`},
		importCommand(env), exportCommand(env))
}

// maxFile is what the API takes at once.
const maxFile = 16 << 20

// jar has the cookies of one profile, as the app knows them.
type jar interface {
	Try(ctx context.Context, file string) (api.CookieChanges, error)
	Import(ctx context.Context, file string) (api.CookiesImported, error)
	Export(ctx context.Context, format string) (api.CookieFile, error)
}

// options are the flags of an import.
type options struct{ yes, dry bool }

func importCommand(env *command.Env) *cobra.Command {
	var o options
	cmd := &cobra.Command{Use: "import ID FILE|-",
		Short: "Import a cookie file (shows what would change and asks first)", Args: command.Exactly(2),
		Example: `  cove cookies import work cookies.json
  cove cookies import work cookies.txt --dry-run
  cove cookies import work - --yes < cookies.json`}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := env.ReadFile(args[1], maxFile)
		if err != nil {
			return err
		}
		if !utf8.Valid(file) { // the call would replace other bytes
			return fault.Invalidf("The file %q is not UTF-8 text.", args[1]).WithHint("Save it as UTF-8.")
		}
		do := func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
			return importFile(cmd.Context(), env, client.Cookies(id), id, string(file), o)
		}
		return env.OnProfile(false, do)(cmd, args)
	}
	cmd.Flags().BoolVarP(&o.yes, "yes", "y", false, "import without asking")
	cmd.Flags().BoolVar(&o.dry, "dry-run", false, "only show what would change")
	return env.WithJSON(cmd)
}

// importFile shows what an import would change, asks, and imports.
func importFile(ctx context.Context, env *command.Env, c jar, id profile.ID, file string, o options) error {
	if o.dry || !o.yes {
		changes, err := c.Try(ctx, file)
		if err != nil {
			return err
		}
		if o.dry {
			return env.Print(changes, func(w io.Writer) { writeChanges(w, changes) })
		}
		writeChanges(env.Err, changes)
	}
	question := fmt.Sprintf("Import into profile %d?", id)
	if err := env.RequireConfirm(o.yes, question, "Nothing was imported."); err != nil {
		return err
	}
	done, err := c.Import(ctx, file)
	if err != nil {
		return err
	}
	return env.Print(done, func(w io.Writer) {
		imported := wording.Count(done.Imported, "cookie")
		if done.LocalStorage > 0 {
			imported += " and " + wording.Count(done.LocalStorage, "local storage entry")
		}
		fmt.Fprintf(w, "Imported %s into profile %d.\n", imported, id)
		writeLeftOut(env.Err, done)
	})
}

// writeLeftOut says what an import did not take along.
func writeLeftOut(w io.Writer, done api.CookiesImported) {
	if n := done.Skipped; n > 0 {
		fmt.Fprintf(w, "%s had expired and %s skipped.\n", wording.Count(n, "cookie"), agree(n, "was", "were"))
	}
	if n := done.Repeated; n > 0 {
		fmt.Fprintf(w, "%s %s replaced by %s with the same name.\n", wording.Count(n, "cookie"),
			agree(n, "was", "were"), agree(n, "a later one", "later ones"))
	}
	if len(done.Ignored) > 0 {
		fmt.Fprintf(w, "Not imported: %s.\n", ignored(done.Ignored))
	}
}

// writeChanges shows what an import would change.
func writeChanges(w io.Writer, c api.CookieChanges) {
	t := command.Table(w, "DOMAIN", "NEW", "CHANGED", "UNCHANGED")
	for _, d := range c.Domains {
		command.Row(t, d.Domain, strconv.Itoa(d.Added), strconv.Itoa(d.Replaced), strconv.Itoa(d.Unchanged))
	}
	_ = t.Flush()
	if n := c.Skipped; n > 0 {
		fmt.Fprintf(w, "%s %s expired and would be skipped.\n", wording.Count(n, "cookie"), agree(n, "has", "have"))
	}
	if n := c.Repeated; n > 0 {
		fmt.Fprintf(w, "%s would be replaced by %s with the same name.\n", wording.Count(n, "cookie"),
			agree(n, "a later one", "later ones"))
	}
	if n := c.LocalStorage; n > 0 {
		fmt.Fprintf(w, "%s would be imported, too.\n", wording.Count(n, "local storage entry"))
	}
	if len(c.Ignored) > 0 {
		fmt.Fprintf(w, "Would not be imported: %s.\n", ignored(c.Ignored))
	}
}

// agree returns the word for one or the word for many.
func agree(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// ignored lists what an import leaves out, in the words of a person.
func ignored(names []string) string {
	return strings.Replace(strings.Join(names, ", "), "origins.indexedDB", "IndexedDB", 1)
}

func exportCommand(env *command.Env) *cobra.Command {
	var format, out string
	cmd := &cobra.Command{Use: "export ID", Short: "Export a profile’s cookies to a file", Args: command.Exactly(1),
		Long: `Export a profile’s cookies to a file. If the file cannot hold some of them, the command says how many.`,
		Example: `  cove cookies export work -o cookies.json
  cove cookies export work --format storageState -o state.json`}
	onProfile := env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		return exportFile(cmd.Context(), env, client.Cookies(id), format, out)
	})
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if _, err := cookie.ParseFormat(format); err != nil {
			return err
		}
		return onProfile(cmd, args)
	}
	cmd.Flags().StringVar(&format, "format", "dolphin", "dolphin, netscape, storageState or puppeteer")
	cmd.Flags().StringVarP(&out, "output", "o", "", "file to write (default: standard output)")
	return cmd
}

// exportFile writes the cookies of a profile, and says which it had to leave out.
func exportFile(ctx context.Context, env *command.Env, c jar, format, out string) error {
	file, err := c.Export(ctx, format)
	if err != nil {
		return err
	}
	if out == "" || out == "-" {
		_, err = env.Out.Write(file.Content)
	} else {
		err = writeFile(out, file.Content)
	}
	if err != nil {
		return err
	}
	if out != "" && out != "-" {
		fmt.Fprintf(env.Err, "Wrote %s. It logs in whoever has it: keep it safe.\n", out)
	}
	if file.Partitioned > 0 {
		fmt.Fprintf(env.Err, "Left out: %s, which this format cannot hold.\n",
			wording.Count(file.Partitioned, "partitioned cookie"))
	}
	if file.Opaque > 0 {
		fmt.Fprintf(env.Err, "Left out: %s in partitions without a name, which no format can hold.\n",
			wording.Count(file.Opaque, "cookie"))
	}
	return nil
}

// writeFile writes a file that only its owner can read, whatever was there before.
func writeFile(name string, content []byte) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err == nil {
		err = f.Chmod(0o600)
	}
	if err == nil {
		_, err = f.Write(content)
	}
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fault.Disk(fault.Invalidf("The file %s cannot be written.", name).
			WithHint("Choose another with -o.").Because(err))
	}
	return nil
}
