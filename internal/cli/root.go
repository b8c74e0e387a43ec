// Package cli is the command line: one file for each group of commands.
package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/app"
	"cove/internal/fault"
	"cove/internal/logging"
	"cove/internal/paths"
)

// The help lists commands in the order in which people need them.
func init() { cobra.EnableCommandSorting = false }

// Version is the version of Cove.
const Version = "0.1.0"

// config is filled once, from flags and the environment. Nothing else reads either.
type config struct {
	home        string
	json        bool
	browser     string
	browserArgs string
	debug       bool
	logName     string     // the least level that logs show, when debug is not set
	logLevel    slog.Level // what debug and logName say

	ran      bool // a command has begun, so a failure is not about its usage
	in       io.Reader
	input    *bufio.Reader // reads in when it is not a terminal
	out, err io.Writer
	gauge    time.Duration // how often a keeper logs its memory; for tests
}

// Main runs one command until it ends or ctx does, and returns its exit code.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	c := &config{in: in, out: out, err: errOut, home: os.Getenv("COVE_HOME"), browser: os.Getenv("COVE_BROWSER"),
		browserArgs: os.Getenv("COVE_BROWSER_ARGS")}
	c.logName = os.Getenv(logging.Variable)
	c.gauge, _ = time.ParseDuration(os.Getenv("COVE_GAUGE"))
	root := c.tree(c.named(args))
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitOK
	}
	code, text, hint := c.explain(err)
	fmt.Fprintln(errOut, "cove: "+text)
	if hint != "" {
		fmt.Fprintln(errOut, "  "+c.advice(hint))
	}
	return code
}

// root makes the tree of all commands.
func (c *config) root() *cobra.Command { return c.tree("") }

// tree makes the root with one command below it, or with all of them.
func (c *config) tree(only string) *cobra.Command {
	root := &cobra.Command{
		Use:   "cove",
		Short: "Browser profiles for you and your agents",
		Long: `Cove isolates browser profiles and lets scripts and AI agents work in them.

A profile is an identity: its own cookies, logins, storage, extensions and proxy.
Start the app first, then open profiles by hand, from scripts or for agents.`,
		Example: `  cove up                                  run the app
  cove profile create work                 create a profile
  cove start work                          open it by hand, to log in
  cove stop work                           close it
  cove client add claude-code work         connect an agent to it
  cove start work --automation             open it for a script`,
		SilenceUsage: true, SilenceErrors: true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			c.ran = true
			return c.readLogLevel()
		},
		Version: Version,
	}
	root.SetVersionTemplate("cove {{.Version}}\n")
	root.PersistentFlags().StringVar(&c.home, "home", c.home,
		"data directory (or COVE_HOME; default: OS config directory)")
	root.PersistentFlags().BoolVar(&c.debug, "debug", false,
		"log everything (or COVE_LOG: debug, info, warn, error; default: info)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // the name of a Go function helps nobody
		return usageError{errors.New(text), cmd.CommandPath()}
	})
	group(root)
	for _, g := range c.commandGroups() {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		}
		for _, one := range g.commands {
			if only == "" || only == one.name {
				cmd := one.make()
				cmd.GroupID = g.title
				root.AddCommand(cmd)
			}
		}
	}
	root.SetHelpCommandGroupID("App")
	root.SetCompletionCommandGroupID("App")
	if only != "" {
		root.CompletionOptions.DisableDefaultCmd = true
		giveExamples(root)
		return root
	}

	root.AddCommand(c.manCommand(), exitCodesTopic())
	c.completions(root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() { // cobra's own commands accept any word and succeed
		switch cmd.Name() {
		case "completion":
			group(cmd)
		case "help":
			cmd.Run, cmd.RunE = nil, helpFor(cmd.Run)
		}
	}
	giveExamples(root)
	return root
}

// readLogLevel decides what logs show. The processes that this one starts inherit it through the environment. A level that
// does not exist stops nothing, least of all `cove panic`: it is named, and the usual level holds.
func (c *config) readLogLevel() error {
	if c.debug {
		c.logLevel = slog.LevelDebug
		return os.Setenv(logging.Variable, "debug")
	}

	level, err := logging.ParseLevel(c.logName)
	if err != nil {
		f := fault.From(err)
		fmt.Fprintf(c.err, "cove: %s %s\n", f.Text, f.Hint)
	}
	c.logLevel = level
	return nil
}

// commandGroup is a group of commands as the help shows them. The one without a title is for the program itself.
type commandGroup struct {
	title    string
	commands []namedCommand
}

// namedCommand makes a command. Most starts run one command and need no other.
type namedCommand struct {
	name string
	make func() *cobra.Command
}

// commandGroups are all commands but those that need all others.
func (c *config) commandGroups() []commandGroup {
	return []commandGroup{
		{"App", []namedCommand{
			{"up", c.upCommand}, {"status", c.statusCommand}, {"ui", c.uiCommand}, {"stop-app", c.stopAppCommand},
			{"doctor", c.doctorCommand}, {"logs", c.logsCommand}, {"config", c.configCommand}, {"browser", c.browserCommand},
			{"version", c.versionCommand},
		}},
		{"Profiles", []namedCommand{
			{"profile", c.profileCommand}, {"start", c.startCommand}, {"stop", c.stopCommand}, {"running", c.runningCommand},
		}},
		{"Connect agents", []namedCommand{
			{"client", c.clientCommand}, {"mcp", c.mcpCommand}, {"wrapper", c.wrapperCommand}, {"verify", c.verifyCommand},
		}},
		{"Control agents", []namedCommand{
			{"policy", c.policyCommand}, {"secret", c.secretCommand}, {"approvals", c.approvalsCommand},
			{"takeover", c.takeoverCommand}, {"panic", c.panicCommand}, {"pin", c.pinCommand}, {"journal", c.journalCommand},
		}},
		{"Accounts", []namedCommand{
			{"login", c.loginCommand}, {"logout", c.logoutCommand}, {"account", c.accountCommand}, {"token", c.tokenCommand},
		}},
		{"", []namedCommand{{"keeper", c.keeperCommand}}},
	}
}

// named is the command that the first word names, or "" if it names none: then all of them are needed, to help or to
// suggest one.
func (c *config) named(args []string) string {
	for _, g := range c.commandGroups() {
		for _, one := range g.commands {
			if len(args) > 0 && args[0] == one.name {
				return one.name
			}
		}
	}
	return ""
}

// helpFor refuses an unknown topic.
func helpFor(show func(*cobra.Command, []string)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if found, rest, err := cmd.Root().Find(args); err != nil || len(rest) > 0 {
			return unknownCommand(found, strings.Join(rest, " "))
		}
		show(cmd, args)
		return nil
	}
}

// usageError is a command line that cannot be parsed.
type usageError struct {
	error
	command string
}

func (e usageError) Unwrap() error { return e.error }

// unknownCommand refuses a word that is not a subcommand of cmd.
func unknownCommand(cmd *cobra.Command, word string) error {
	var names []string
	for _, one := range cmd.Commands() {
		if !one.Hidden {
			names = append(names, one.Name())
		}
	}
	return fault.Invalidf("Unknown command %q for %q.", word, cmd.CommandPath()).
		WithHint(fault.Suggest(word, names...) + "See: " + cmd.CommandPath() + " --help")
}

// exactly is cobra.ExactArgs with the usage in its error.
func exactly(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usageError{fmt.Errorf("expected %s", strings.TrimPrefix(cmd.UseLine(), "cove ")), cmd.CommandPath()}
	}
}

// group is a command that only has subcommands. Alone it shows its help, and it refuses unknown words.
func group(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return cmd.Help()
	}
	return cmd
}

// homeDir returns the data folder as an absolute path without links: browsers are recognised by it.
func (c *config) homeDir() (paths.Home, error) {
	if c.home == "" {
		home, err := paths.DefaultHome()
		if err != nil {
			err = fault.New(fault.CodeNoHome, "Cove does not know where its data folder is: "+err.Error()+".",
				"Name it with --home DIR or COVE_HOME.").Because(err)
		}
		return home, err
	}
	abs, err := filepath.Abs(c.home)
	if err != nil {
		return "", err
	}
	if resolved, err := filepath.EvalSymlinks(abs); err == nil {
		abs = resolved
	}
	return paths.Home(abs), nil
}

// client connects to the running app.
func (c *config) client() (*api.Client, error) {
	home, err := c.homeDir()
	if err != nil {
		return nil, err
	}
	f, err := app.ReadFile(home)
	if err != nil || !f.Alive() {
		return nil, errNoApp()
	}
	token, err := os.ReadFile(home.OwnerToken())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return &api.Client{PIN: c.promptPIN, Base: fmt.Sprintf("http://127.0.0.1:%d", f.APIPort),
		Token: strings.TrimSpace(string(token))}, nil
}

func errNoApp() error {
	return fault.New(fault.CodeNoApp, "Cove is not running.", "Start it with: cove up")
}

// advice returns a text whose commands a person can type as they are. They name the data folder and the program's path
// if needed.
func (c *config) advice(text string) string {
	if home, err := c.homeDir(); err == nil {
		text = home.Advice(text)
	}
	return paths.CalledAs(callName(), text)
}

// advise writes a line that says which command to run next.
func (c *config) advise(w io.Writer, format string, args ...any) {
	fmt.Fprintln(w, c.advice(fmt.Sprintf(format, args...)))
}

// withJSON adds --json to a command that prints data.
func (c *config) withJSON(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().BoolVar(&c.json, "json", false, "print JSON")
	return cmd
}

// print writes v as JSON with --json, and otherwise what text writes.
func (c *config) print(v any, text func(w io.Writer)) error {
	if !c.json {
		text(c.out)
		return nil
	}
	e := json.NewEncoder(c.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}
