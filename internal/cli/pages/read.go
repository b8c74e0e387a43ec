package pages

import (
	"cmp"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"cove/internal/fault"
	"cove/internal/random"
)

func (r *runner) readSnapshot() verb {
	var interactive, changes, verbose, raw bool
	var query, under string
	var tokens int
	v := words("snapshot", "Read the page as text", `  cove page snapshot
  cove page snapshot -i                       only what can be used
  cove page snapshot -q 'Order 17'            only what matches
  cove page snapshot -u k4                    only below this element
  cove page snapshot -c                       only what has changed since the last one`, 0, 0,
		func([]string) (plan, error) {
			a := arguments{}.set("interactiveOnly", interactive).set("query", query).set("uid", ref(under)).
				set("maxTokens", tokens).set("verbose", verbose)
			h := headNone
			if changes {
				a["since"] = 0
			}
			if changes || query != "" || under != "" {
				h = headPart
			}
			if verbose {
				h = headWhole
			}
			p, err := one(h, "take_snapshot", a)
			p.raw = raw
			return p, err
		})
	flags := v.cmd.Flags()
	flags.BoolVarP(&interactive, "interactive", "i", false, "only what can be used")
	flags.StringVarP(&query, "query", "q", "", "only what holds this `TEXT`")
	flags.StringVarP(&under, "under", "u", "", "only below this `REF`")
	flags.BoolVarP(&changes, "changes", "c", false, "only what has changed since the last snapshot")
	flags.IntVarP(&tokens, "max", "m", 0, "at most this many `TOKENS`")
	flags.BoolVarP(&verbose, "verbose", "v", false, "every node, with descriptions")
	flags.BoolVar(&raw, "raw", false, "the text alone, without the space before each line, with the links' addresses")
	return v
}

func (r *runner) find() verb {
	return words("find TEXT", "Show the parts of the page that hold a text", "  cove page find 'Order 17'", 1, 1,
		func(args []string) (plan, error) {
			return one(headPart, "take_snapshot", arguments{"query": args[0]})
		})
}

func (r *runner) wait() verb {
	return words("wait TEXT …", "Wait until one of the texts is on the page",
		"  cove page wait 'Order sent' --timeout 20s", 1, -1, func(args []string) (plan, error) {
			if slices.Contains(args, "") {
				return plan{}, fault.Invalidf("A text to wait for is empty.").
					WithHint("For example: cove page wait 'Order sent'")
			}
			return one(headNone, "wait_for", arguments{"text": args}.set("timeout", r.milliseconds()))
		})
}

// isFunction matches source that is a function, and isStatement source that is more than an expression.
var (
	isFunction = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)^\s*(async\b\s*)?(function\b.*\}\s*;?\s*$|\([^()]*\)\s*=>|[\w$]+\s*=>)`)
	})
	isStatement = sync.OnceValue(func() *regexp.Regexp {
		const words = `const|let|var|if|for|while|do|switch|try|throw|return|function|class|import`
		return regexp.MustCompile(`^\s*(` + words + `)\b|^\s*\{|;\s*\S`)
	})
)

// scriptOf returns the arguments that run a source: a function, an expression whose promise is awaited, or statements.
func scriptOf(source, on string) arguments {
	expression := strings.TrimRight(strings.TrimSpace(source), ";")
	switch {
	case isFunction().MatchString(source):
		return arguments{"function": source}
	case on != "":
		return arguments{"function": "async (el) => (" + expression + "\n)"}
	case isStatement().MatchString(source):
		return arguments{"function": source, "format": "script"}
	}
	return arguments{"function": "async () => (" + expression + "\n)"}
}

func (r *runner) eval() verb {
	var on, dialog string
	var raw bool
	v := words("eval JS|-", "Run JavaScript in the page and print its value", `  cove page eval document.title
  cove page eval --on k4 'el => el.value'
  cove page eval - < script.js`, 1, 1, func(args []string) (plan, error) {
		source := args[0]
		if source == "-" {
			read, err := io.ReadAll(r.env.In)
			if err != nil {
				return plan{}, err
			}
			source = string(read)
		}
		a := scriptOf(source, on)
		if on != "" {
			a["args"] = []string{ref(on)}
		}
		a["dialogAction"] = cmp.Or(dialog, "dismiss") // nobody has said yes
		a.set("filePath", r.out)
		p, err := one(headNone, "evaluate_script", a)
		p.raw = raw
		return p, err
	})
	v.cmd.Flags().StringVar(&on, "on", "", "with this element, by `REF`, as the function's argument")
	v.cmd.Flags().StringVar(&dialog, "dialog", "dismiss",
		"how to answer the page's dialogs: accept, dismiss or a prompt's `TEXT`")
	v.cmd.Flags().BoolVar(&raw, "raw", false, "the value alone, without the space before each line")
	return v
}

func (r *runner) console() verb {
	var types []string
	var all bool
	v := words("console [N]", "Show what the page has written to its console", `  cove page console --type error,warn
  cove page console 12                        one message, with its stack`, 0, 1, func(args []string) (plan, error) {
		if len(args) == 1 {
			n, err := numberOf(args[0])
			return plan{steps: []step{{"get_console_message", arguments{"msgid": n}}}, head: headNone}, err
		}
		return one(headNone, "list_console_messages",
			arguments{}.set("types", types).set("includePreservedMessages", all))
	})
	v.cmd.Flags().StringSliceVar(&types, "type", nil, "only these types: log, error, warn, …")
	v.cmd.Flags().BoolVar(&all, "all", false, "those of the last 3 pages, too")
	return v
}

func (r *runner) requests() verb {
	var types []string
	var all, raw bool
	var body string
	v := words("requests [N]", "Show the page's requests", `  cove page requests --type xhr,fetch
  cove page requests 7                        one request, with headers and bodies
  cove page requests 7 --body answer.json`, 0, 1, func(args []string) (plan, error) {
		if len(args) == 1 {
			n, err := numberOf(args[0])
			p := plan{steps: []step{{"get_network_request", arguments{"reqid": n}.set("responseFilePath", body)}},
				head: headNone, raw: raw}
			return p, err
		}
		return one(headNone, "list_network_requests",
			arguments{}.set("resourceTypes", types).set("includePreservedRequests", all))
	})
	v.cmd.Flags().StringSliceVar(&types, "type", nil, "only these types: document, xhr, fetch, script, …")
	v.cmd.Flags().BoolVar(&all, "all", false, "those of the last 3 pages, too")
	v.cmd.Flags().StringVar(&body, "body", "", "write the body of the response to this `FILE`")
	v.cmd.Flags().BoolVar(&raw, "raw", false, "the text alone, without the space before each line")
	return v
}

// fileFor returns the file that -o names, or a new one in the temporary folder.
func (r *runner) fileFor(end string) string {
	if r.out != "" {
		return r.out
	}
	return filepath.Join(os.TempDir(), "cove-page-"+random.Hex(8)+end)
}

func (r *runner) screenshot() verb {
	var under string
	var full bool
	v := words("screenshot", "Take a picture of the page and print its file", `  cove page screenshot -o page.png
  cove page screenshot -u k4`, 0, 0, func([]string) (plan, error) {
		file := r.fileFor(".png")
		a := arguments{"filePath": file}.set("uid", ref(under)).set("fullPage", full)
		switch strings.ToLower(filepath.Ext(file)) {
		case ".jpg", ".jpeg":
			a["format"] = "jpeg"
		case ".webp":
			a["format"] = "webp"
		}
		return one(headNone, "take_screenshot", a)
	})
	v.cmd.Flags().StringVarP(&under, "under", "u", "", "only this element, by `REF`")
	v.cmd.Flags().BoolVar(&full, "full", false, "the whole page, not only what is in the window")
	return v
}

func (r *runner) pdf() verb {
	return words("pdf", "Print the page into a PDF file", "  cove page pdf -o page.pdf", 0, 0,
		func([]string) (plan, error) {
			return one(headNone, "save_pdf", arguments{"filePath": r.fileFor(".pdf")})
		})
}
