package cli

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"cove/internal/app/machine"
	"cove/internal/cli/command"
	"cove/internal/cli/exit"
	"cove/internal/cli/manual"
	"cove/internal/policy"
)

// newProgram is a run without streams: its commands can be looked at.
func newProgram() *program { return &program{env: &command.Env{}} }

// all is the tree of all commands.
func all() *cobra.Command { return newProgram().tree("") }

// every calls do for each command below cmd and for cmd itself.
func every(cmd *cobra.Command, do func(*cobra.Command)) {
	do(cmd)
	for _, one := range cmd.Commands() {
		every(one, do)
	}
}

func TestEveryCommandHasAnExample(t *testing.T) {
	every(all(), func(cmd *cobra.Command) {
		if cmd.Name() == "keeper" { // the app starts it
			return
		}
		if !strings.Contains(cmd.Example, cmd.CommandPath()) && cmd.Runnable() {
			t.Errorf("%s has no example of itself", cmd.CommandPath())
		}
		if cmd.Short == "" {
			t.Errorf("%s does not say what it does", cmd.CommandPath())
		}
	})
}

// TestExamplesCanBeRun: each line of an example is a command that there is, with flags that it has.
func TestExamplesCanBeRun(t *testing.T) {
	line := regexp.MustCompile(`(?:^|\| |<\()cove ([^|>&)]*)`)
	every(all(), func(cmd *cobra.Command) {
		for example := range strings.Lines(cmd.Example) {
			m := line.FindStringSubmatch(strings.TrimSpace(example))
			if m == nil {
				continue
			}
			words, _, _ := strings.Cut(m[1], "   ") // what comes then explains it
			root := all()
			found, rest, err := root.Find(strings.Fields(words))
			if err != nil || found == root && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
				t.Errorf("%s: %q is no command: %v", cmd.CommandPath(), words, err)
				continue
			}
			if err := found.ParseFlags(rest); err != nil {
				t.Errorf("%s: %q: %v", cmd.CommandPath(), words, err)
			}
		}
	})
}

func TestEveryCommandIsInAGroup(t *testing.T) {
	for _, cmd := range all().Commands() {
		if cmd.GroupID == "" && !cmd.Hidden && cmd.Runnable() {
			t.Errorf("%s is in no group of the help", cmd.Name())
		}
	}
}

// help is what a person reads.
func help(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	if code := Main(t.Context(), args, strings.NewReader(""), &out, &out); code != 0 {
		t.Fatalf("exit code %d: %s", code, out.String())
	}
	return out.String()
}

func TestSettingsAndPermissionsAreExplainedWhereTheyAreSet(t *testing.T) {
	text := help(t, "config", "set", "--help")
	for _, s := range machine.SettingsHelp() {
		if !strings.Contains(text, s.Key) || !strings.Contains(text, s.About) {
			t.Errorf("%s is not explained in\n%s", s.Key, text)
		}
	}
	text = help(t, "policy", "set", "--help")
	for _, p := range policy.Presets {
		if !strings.Contains(text, policy.Policy{Preset: p}.Describe()[0]) {
			t.Errorf("the preset %s is not explained in\n%s", p, text)
		}
	}
	for _, c := range policy.Classes {
		if !strings.Contains(text, policy.Says[c]) {
			t.Errorf("the permission %s is not explained in\n%s", c, text)
		}
	}
}

func TestTheHelpTellsExitCodes(t *testing.T) {
	text := help(t, "help", "exit-codes")
	for code := range exit.Meanings() {
		if !strings.Contains(text, fmt.Sprintf("\n  %d  ", code)) {
			t.Errorf("%d is missing in\n%s", code, text)
		}
	}
	if text := help(t, "--help"); !strings.Contains(text, "exit-codes") || !strings.Contains(text, "Connect agents:") {
		t.Errorf("the help is\n%s", text)
	}
	if text := help(t, "up", "--help"); !strings.Contains(text, "cove client add claude-code 1") {
		t.Errorf("the help of up is\n%s", text)
	}
}

func TestTheManualHasEveryCommand(t *testing.T) {
	page := help(t, "man")
	root := all()
	every(root, func(cmd *cobra.Command) {
		for c := cmd; c != nil; c = c.Parent() {
			if c.Hidden {
				return
			}
		}
		if cmd != root && cmd.Runnable() && !strings.Contains(page, "\n.SS "+manual.Escape(cmd.UseLine())+"\n") {
			t.Errorf("%s is not in the manual", cmd.UseLine())
		}
	})
	known := regexp.MustCompile(`^\.(TH|SH|SS|PP|TP|RS|RE|nf|fi|B|I)\b`)
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !known.MatchString(line) {
			t.Errorf("not a line of a manual page: %q", line)
		}
	}
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES"} {
		if !strings.Contains(page, "\n.SH "+section+"\n") {
			t.Errorf("there is no section %s", section)
		}
	}
	if groff, err := exec.LookPath("groff"); err == nil { // where the program is, it has nothing to complain about
		cmd := exec.CommandContext(t.Context(), groff, "-man", "-Kutf8", "-Tutf8", "-ww", "-z")
		cmd.Stdin = strings.NewReader(page)
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Run(); err != nil || said.Len() > 0 {
			t.Errorf("%v: %s", err, said.String())
		}
	}
}

// TestOneCommandIsWhatItIsAmongAll: most starts make only the command that they run.
func TestOneCommandIsWhatItIsAmongAll(t *testing.T) {
	tree := all()
	for _, g := range commandGroups() {
		for _, one := range g.commands {
			if got := named([]string{one.name, "--json"}); got != one.name {
				t.Errorf("%q names %q", one.name, got)
			}
			among, _, err := tree.Find([]string{one.name})
			if err != nil {
				t.Fatal(err)
			}
			alone, _, err := newProgram().tree(one.name).Find([]string{one.name})
			if err != nil {
				t.Fatal(err)
			}
			if among.Name() != one.name || alone.UsageString() != among.UsageString() ||
				alone.Example != among.Example {
				t.Errorf("%s: alone\n%s\namong all\n%s", one.name, alone.UsageString(), among.UsageString())
			}
		}
	}

	for _, args := range [][]string{nil, {"help", "mcp"}, {"man"}, {"__complete", "mcp", ""}, {"--home", "x", "mcp"},
		{"mpc"}} {
		if got := named(args); got != "" {
			t.Errorf("%q needs all commands, not only %q", args, got)
		}
	}
}
