package pages

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/internal/cli/exit"
	"cove/internal/fault"
)

// arguments are the arguments of a call. set leaves out what the person has not given.
type arguments map[string]any

func (a arguments) set(name string, value any) arguments {
	switch v := value.(type) {
	case string:
		if v == "" {
			return a
		}
	case bool:
		if !v {
			return a
		}
	case int:
		if v == 0 {
			return a
		}
	case []string:
		if len(v) == 0 {
			return a
		}
	}
	a[name] = value
	return a
}

// one is the plan of a single call.
func one(h head, tool string, a arguments) (plan, error) {
	return plan{steps: []step{{tool, a}}, head: h}, nil
}

// ref returns the ref that a person has typed, with or without a mark before it.
func ref(word string) string { return strings.TrimPrefix(word, "@") }

func (r *runner) allVerbs() []verb {
	return []verb{
		r.open(), r.history("back"), r.history("forward"), r.reload(),
		r.readSnapshot(), r.find(), r.click(), r.hover(), r.drag(),
		r.fill(), r.choose(), r.check("check", "true"), r.check("uncheck", "false"),
		r.typeText(), r.press(), r.upload(),
		r.wait(), r.eval(), r.console(), r.requests(), r.screenshot(), r.pdf(),
		r.tabs(), r.selectTab(), r.closeTab(), r.dialog(), r.downloads(), r.emulate(), r.resize(), r.trace(), r.audit(),
		r.pageTools(), r.requestHelp(),
	}
}

// words makes a verb without flags of its own: least and most are how many words it takes; most is -1 for any number.
func words(use, short, example string, least, most int, build func(args []string) (plan, error)) verb {
	return verb{&cobra.Command{Use: use, Short: short, Example: example,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < least || most >= 0 && len(args) > most {
				return exit.Usagef(cmd, "expected %s", strings.TrimPrefix(cmd.UseLine(), "cove "))
			}
			return nil
		}}, build}
}

func (r *runner) milliseconds() int { return int(r.timeout.Milliseconds()) }

func numberOf(word string) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0, fault.Invalidf("%q is not a number.", word)
	}
	return n, nil
}
