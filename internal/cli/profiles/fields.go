package profiles

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/proxy"
)

// fields are the flags that describe a profile.
type fields struct {
	name, folder, status, freeText, window, locale, timezone, proxy, pageTools, browser string
	tags, pages, args                                                                   []string
}

func (f *fields) bind(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.tags, "tag", nil, "a tag; can be repeated")
	flags.StringVar(&f.folder, "folder", "", "folder to show it in")
	flags.StringVar(&f.status, "status", "", "name or id of a status; none for no status")
	flags.StringVar(&f.freeText, "notes", "", "notes")
	flags.StringArrayVar(&f.pages, "start-page", nil, "a page that opens when no tabs are restored; can be repeated")
	flags.StringVar(&f.window, "window", "", "window size, such as 1280x800; none for the browser's default")
	flags.StringVar(&f.locale, "locale", "", "language, such as en-GB")
	flags.StringVar(&f.timezone, "timezone", "", "timezone, such as Europe/Berlin")
	flags.StringVar(&f.proxy, "proxy", "",
		"id of a stored proxy, or a proxy such as http://login:password@host:port"+
			" (types: http, https, socks4, socks5); none for a direct connection")
	flags.StringArrayVar(&f.args, "arg", nil, "an extra browser argument, such as --arg=--mute-audio; can be repeated")
	flags.StringVar(&f.pageTools, "page-tools", "", "whether pages can offer tools to agents: on or off")
	flags.StringVar(&f.browser, "browser", "", "path of the browser to use")
}

// input returns the flags that were given.
func (f *fields) input(cmd *cobra.Command) (in api.ProfileInput, err error) {
	given := cmd.Flags().Changed
	text := func(name string, value *string) *string {
		if given(name) {
			return value
		}
		return nil
	}
	f.browser = command.AbsolutePath(f.browser)
	in.Name, in.Browser = text("name", &f.name), text("browser", &f.browser)
	in.PageTools = text("page-tools", &f.pageTools)
	if given("folder") {
		in.Folder = &api.LooseFolder{Name: f.folder}
	}
	in.Notes, in.Locale, in.Timezone = (*api.LooseNotes)(text("notes", &f.freeText)),
		(*api.LooseText)(text("locale", &f.locale)), (*api.LooseText)(text("timezone", &f.timezone))
	for name, list := range map[string]struct {
		from []string
		to   **api.Strings
	}{"tag": {f.tags, &in.Tags}, "start-page": {f.pages, &in.StartPages}, "arg": {f.args, &in.Args}} {
		if given(name) {
			*list.to = (*api.Strings)(&list.from)
		}
	}
	if given("window") {
		if in.Window, err = parseSize(f.window); err != nil {
			return in, err
		}
	}
	if given("proxy") {
		if in.Proxy, err = parseProxy(f.proxy); err != nil {
			return in, err
		}
	}

	return in, nil
}

// parseProxy reads the id of a stored proxy, or a proxy in any form that people paste. Only "" and none mean none.
func parseProxy(s string) (*api.LooseProxy, error) {
	if s == "" || s == "none" {
		return &api.LooseProxy{}, nil
	}
	if command.OnlyDigits(s) {
		id, err := strconv.ParseInt(s, 10, 32)
		if err != nil || id < 1 {
			return nil, fault.Invalidf("%q is not the id of a proxy.", s).
				WithHint("`cove proxy list` shows the proxies.")
		}
		return &api.LooseProxy{ID: api.ProxyID(id)}, nil
	}
	p, err := proxy.Parse(s)
	return &api.LooseProxy{Proxy: api.Proxy(p.Proxy)}, err
}

func parseSize(s string) (*api.Size, error) {
	if s == "" || s == "none" {
		return &api.Size{}, nil
	}
	w, h, ok := strings.Cut(strings.ToLower(s), "x")
	width, err1 := strconv.Atoi(w)
	height, err2 := strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || width == 0 || height == 0 {
		return nil, fault.Invalidf("%q is not a window size.", s).WithHint("Use the form 1280x800.")
	}

	return &api.Size{Width: width, Height: height}, nil
}
