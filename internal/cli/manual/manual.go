// Package manual writes the manual page cove(1), made from the commands themselves.
package manual

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"cove/internal/cli/command"
	"cove/internal/cli/exit"

	"github.com/spf13/cobra"
)

// Command returns `cove man`.
func Command(env *command.Env) *cobra.Command {
	return &cobra.Command{Use: "man", Short: "Print the manual page", Hidden: true, Args: command.Exactly(0),
		Example: "  cove man > cove.1\n  cove man | man -l -",
		RunE: func(cmd *cobra.Command, _ []string) error {
			writeManual(env.Out, cmd.Root())
			return nil
		}}
}

// writeManual writes the manual page cove(1), made from the commands themselves.
func writeManual(w io.Writer, root *cobra.Command) {
	fmt.Fprintf(w, ".TH COVE 1 \"\" \"Cove %s\" \"User Commands\"\n", command.Version)
	fmt.Fprintf(w, ".SH NAME\ncove \\- %s\n", Escape(lower(root.Short)))
	fmt.Fprint(w, ".SH SYNOPSIS\n.B cove\n.I COMMAND\n[\\fIARGUMENT\\fR ...] [\\fB\\-\\-home\\fR \\fIDIR\\fR] "+
		"[\\fIOPTION\\fR ...]\n")
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	manParagraphs(w, root.Long)
	manFlags(w, root.PersistentFlags().FlagUsagesWrapped(100))
	fmt.Fprint(w, ".SH EXAMPLES\n")
	manLiteral(w, root.Example)
	for _, g := range root.Groups() {
		fmt.Fprintf(w, ".SH %s\n", Escape(strings.ToUpper(strings.TrimSuffix(g.Title, ":"))))
		for _, cmd := range root.Commands() {
			if cmd.GroupID == g.ID {
				manCommands(w, cmd)
			}
		}
	}
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for code, meaning := range exit.Meanings() {
		fmt.Fprintf(w, ".TP\n.B %d\n%s\n", code, Escape(meaning))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	for _, one := range [][2]string{
		{"COVE_HOME", "Data directory, as with --home."},
		{"COVE_BROWSER", "Path of the browser that the app opens profiles with."},
		{"COVE_BROWSER_ARGS", "Browser arguments for every profile, separated by spaces."},
		{"COVE_LOG", "Least level that logs show: debug, info, warn or error. --debug sets it to debug."},
	} {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", one[0], Escape(one[1]))
	}
	fmt.Fprint(w, ".SH FILES\n")
	for _, one := range [][2]string{
		{"~/.config/cove_browser", "Data directory on Linux ($XDG_CONFIG_HOME is honoured)."},
		{"~/Library/Application Support/cove_browser", "Data directory on macOS."},
		{"~/mcp/profile-devtools-mcp.mjs", "Wrapper for the devtools MCP server, written by cove wrapper install."},
	} {
		fmt.Fprintf(w, ".TP\n.I %s\n%s\n", Escape(one[0]), Escape(one[1]))
	}
}

// manCommands writes a command and its subcommands.
func manCommands(w io.Writer, cmd *cobra.Command) {
	if cmd.Hidden {
		return
	}
	fmt.Fprintf(w, ".SS %s\n", Escape(cmd.UseLine()))
	if cmd.Long == "" {
		manParagraphs(w, cmd.Short+".")
	} else {
		manParagraphs(w, cmd.Long)
	}
	manFlags(w, cmd.LocalNonPersistentFlags().FlagUsagesWrapped(100))
	if cmd.Example != "" {
		fmt.Fprint(w, ".PP\nExamples:\n")
		manLiteral(w, cmd.Example)
	}
	for _, one := range cmd.Commands() {
		manCommands(w, one)
	}
}

// manFlags writes the options as the help shows them, without --help, which every command has.
func manFlags(w io.Writer, usages string) {
	var lines []string
	for line := range strings.Lines(usages) {
		if !strings.Contains(line, "-h, --help") {
			lines = append(lines, line)
		}
	}
	if len(lines) > 0 {
		fmt.Fprint(w, ".PP\nOptions:\n")
		manLiteral(w, strings.Join(lines, ""))
	}
}

// manParagraphs writes text. Indented lines stay as they are.
func manParagraphs(w io.Writer, text string) {
	for _, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(part, "\n")
		fmt.Fprintln(w, ".PP")
		for i, line := range lines {
			if strings.HasPrefix(line, "  ") && (i == 0 || !strings.HasPrefix(lines[i-1], "  ")) {
				fmt.Fprint(w, ".RS\n.nf\n")
			}
			fmt.Fprintln(w, Escape(strings.TrimPrefix(line, "  ")))
			if strings.HasPrefix(line, "  ") && (i == len(lines)-1 || !strings.HasPrefix(lines[i+1], "  ")) {
				fmt.Fprint(w, ".fi\n.RE\n")
			}
		}
	}
}

func manLiteral(w io.Writer, text string) {
	fmt.Fprint(w, ".RS\n.nf\n")
	for line := range strings.Lines(text) {
		fmt.Fprintln(w, Escape(strings.TrimPrefix(strings.TrimRight(line, "\n"), "  ")))
	}
	fmt.Fprint(w, ".fi\n.RE\n")
}

var roffStart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^([.'])`) })

// Escape escapes characters that have a meaning in a manual page.
func Escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "…", "...", "–", `\(en`, "’", "'").Replace(text)
	return roffStart().ReplaceAllString(text, `\&$1`)
}

// lower makes the first letter of a sentence lower case.
func lower(text string) string { return strings.ToLower(text[:1]) + text[1:] }
