package pages

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

func (r *runner) open() verb {
	var fresh, background bool
	var context string
	v := words("open URL", "Go to an address, in this tab or in a new one",
		"  cove page open https://shop.example -s\n  cove page open localhost:3000 --new", 1, 1,
		func(args []string) (plan, error) {
			address := addressOf(args[0])
			opens := []step{{"new_page", arguments{"url": address}.set("background", background).
				set("isolatedContext", context).set("timeout", r.milliseconds())}}
			if fresh || background || context != "" {
				return plan{steps: opens, head: headTab}, nil
			}
			p := plan{steps: []step{{"navigate_page", arguments{"url": address}.set("timeout", r.milliseconds())}},
				head: headTab}
			if r.tab == 0 {
				p.otherwise = opens
			}
			return p, nil
		})
	v.cmd.Aliases = []string{"goto"}
	v.cmd.Flags().BoolVar(&fresh, "new", false, "in a new tab")
	v.cmd.Flags().BoolVar(&background, "background", false, "in a new tab behind the others")
	v.cmd.Flags().StringVar(&context, "context", "", "in a new tab with cookies and storage of its own, by `NAME`")
	return v
}

// hasScheme matches an address with a scheme. A port is none: localhost:3000.
var hasScheme = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9+.-]*:([^0-9]|$)`)
})

// addressOf completes an address as a browser's address bar does.
func addressOf(word string) string {
	if hasScheme().MatchString(word) {
		return word
	}
	u, err := url.Parse("//" + word)
	if err == nil && (u.Hostname() == "localhost" || strings.HasPrefix(u.Hostname(), "127.") || u.Hostname() == "::1") {
		return "http://" + word
	}
	return "https://" + word
}

func (r *runner) history(direction string) verb {
	return words(direction, "Go "+direction+" in the tab's history", "  cove page "+direction, 0, 0,
		func([]string) (plan, error) {
			return one(headTab, "navigate_page", arguments{"type": direction}.set("timeout", r.milliseconds()))
		})
}

func (r *runner) reload() verb {
	var noCache bool
	v := words("reload", "Load the page again", "  cove page reload --no-cache", 0, 0, func([]string) (plan, error) {
		return one(headTab, "navigate_page",
			arguments{"type": "reload"}.set("ignoreCache", noCache).set("timeout", r.milliseconds()))
	})
	v.cmd.Flags().BoolVar(&noCache, "no-cache", false, "without the browser's cache")
	return v
}
