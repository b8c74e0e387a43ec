// Package cli is the command line: the root command, its help and the tree of commands. The commands themselves are in
// the packages below it, one for each noun.
package cli

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"cove/internal/cli/command"
	"cove/internal/cli/completion"
	"cove/internal/cli/exit"
	"cove/internal/cli/manual"
	"cove/internal/fault"
	"cove/internal/logging"
)

// program is one run of Cove: what its commands are given, and what only the root command knows.
type program struct {
	env     *command.Env
	debug   bool
	logName string // the least level that logs show, when debug is not set
	began   bool   // a command has begun, so a failure is not about its usage
}

// Main runs one command until it ends or ctx does, and returns its exit code.
func Main(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer) int {
	p := &program{logName: os.Getenv(logging.Variable), env: &command.Env{
		Home: os.Getenv("COVE_HOME"), Browser: os.Getenv("COVE_BROWSER"), BrowserArgs: os.Getenv("COVE_BROWSER_ARGS"),
		In: in, Out: out, Err: errOut,
	}}
	p.env.MemoryInterval, _ = time.ParseDuration(os.Getenv("COVE_MEMORY_INTERVAL"))

	root := p.tree(named(args))
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errOut)
	ran, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exit.OK
	}

	code, text, hint := exit.Explain(err, p.began)
	fmt.Fprintln(errOut, "cove: "+text)
	if hint != "" {
		indent := "  "
		if saysByColumns(ran) {
			indent = ""
		}
		fmt.Fprintln(errOut, indent+p.env.Advice(hint))
	}

	return code
}

// saysByColumns reports whether a line that begins with a space is a web page's in the output of a command.
func saysByColumns(cmd *cobra.Command) bool {
	path := strings.Fields(cmd.CommandPath())
	return len(path) > 1 && (path[1] == "page" || path[1] == "call")
}

// tree makes the root with the named command below it, or with all commands if only is empty.
func (p *program) tree(only string) *cobra.Command {
	cobra.EnableCommandSorting = false // the help lists commands in the order in which people need them
	root := p.root()
	for _, g := range commandGroups() {
		if g.title != "" {
			root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		}
		for _, one := range g.commands {
			if only == "" || only == one.name {
				cmd := one.make(p.env)
				cmd.GroupID = g.title
				root.AddCommand(cmd)
			}
		}
	}
	root.SetHelpCommandGroupID("App")
	root.SetCompletionCommandGroupID("App")

	if only != "" {
		root.CompletionOptions.DisableDefaultCmd = true
	} else {
		p.addRest(root)
	}
	giveExamples(root)
	return root
}

// root makes the root command without commands below it.
func (p *program) root() *cobra.Command {
	root := command.Group(&cobra.Command{
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
			p.began = true
			return p.readLogLevel()
		},
		Version: command.Version,
	})
	root.SetVersionTemplate("cove {{.Version}}\n")
	root.PersistentFlags().StringVar(&p.env.Home, "home", p.env.Home,
		"data directory (or COVE_HOME; default: OS config directory)")
	root.PersistentFlags().BoolVar(&p.debug, "debug", false,
		"log everything (or COVE_LOG: debug, info, warn, error; default: info)")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		text, _, _ := strings.Cut(err.Error(), ": strconv.") // the name of a Go function helps nobody
		return exit.Usagef(cmd, "%s", text)
	})

	return root
}

// addRest adds the commands that are about all others: the manual, the exit codes, the help and the completion.
func (p *program) addRest(root *cobra.Command) {
	root.AddCommand(manual.Command(p.env), exit.Topic())
	completion.Add(p.env, root)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()

	for _, cmd := range root.Commands() { // cobra's own commands accept any word and succeed
		switch cmd.Name() {
		case "completion":
			command.Group(cmd)
		case "help":
			cmd.Run, cmd.RunE = nil, helpFor(cmd.Run)
		}
	}
}

// helpFor refuses an unknown topic.
func helpFor(show func(*cobra.Command, []string)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if found, rest, err := cmd.Root().Find(args); err != nil || len(rest) > 0 {
			return command.Unknown(found, strings.Join(rest, " "))
		}
		show(cmd, args)
		return nil
	}
}

// readLogLevel decides what logs show. The processes that this one starts inherit it through the environment. A level
// that does not exist stops no command, least of all `cove panic`: a warning names it, and the usual level applies.
func (p *program) readLogLevel() error {
	if p.debug {
		p.env.LogLevel = slog.LevelDebug
		return os.Setenv(logging.Variable, "debug")
	}

	level, err := logging.ParseLevel(p.logName)
	if err != nil {
		f := fault.From(err)
		fmt.Fprintf(p.env.Err, "cove: %s %s\n", f.Text, f.Hint)
	}
	p.env.LogLevel = level
	return nil
}
