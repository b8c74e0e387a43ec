package adopt

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"cove/api"
	"cove/internal/cli/command"
	"cove/internal/fault"
	"cove/internal/paths"
	"cove/internal/profile"
	"cove/internal/wording"
)

// tabsCommand returns `cove adopt share` or `cove adopt unshare`.
func tabsCommand(env *command.Env, share bool) *cobra.Command {
	verb, does := "unshare", "Hide tabs of your browser from agents again"
	if share {
		verb, does = "share", "Let agents see tabs of your browser"
	}
	cmd := &cobra.Command{Use: verb + " NAME [TAB…]", Short: does, Args: cobra.MinimumNArgs(1),
		Long: does + `.

TAB is a tab’s id, its URL, or a part of its URL or title that no other tab has. Without TAB, the command lists the tabs
with numbers and asks which you mean. A number means a tab only there: the next list may have others.`,
		Example: "  cove adopt " + verb + " my-browser\n  cove adopt " + verb + " my-browser github.com"}
	cmd.RunE = env.OnProfile(false, func(cmd *cobra.Command, client *api.Client, id profile.ID) error {
		args := cmd.Flags().Args()
		return changeTabs(cmd.Context(), env, client, id, args[0], args[1:], share)
	})
	return env.WithJSON(cmd)
}

// changeTabs shares tabs or hides them. name is how the person named the profile.
func changeTabs(
	ctx context.Context, env *command.Env, c *api.Client, id profile.ID, name string, words []string, share bool,
) error {
	tabs, err := c.SharedBrowser(id).Tabs(ctx)
	if err != nil {
		return err
	}
	asks := len(words) == 0
	if asks {
		if words, err = chooseTabs(ctx, env, id, tabs); err != nil {
			return err
		}
	}
	chosen := make([]int, len(words))
	for i, word := range words {
		if asks && command.OnlyDigits(word) {
			if chosen[i], err = numbered(tabs, word); err != nil {
				return err
			}
			continue
		}
		var several []int
		if chosen[i], several, err = find(tabs, word, share); err != nil {
			writeTabs(env.Err, tabs, several...)
			return err
		}
	}
	var ids []string
	for _, at := range chosen {
		if !share && !tabs[at].Shared && !tabs[at].Agents {
			fmt.Fprintf(env.Err, "This tab is not shared: %s\n", title(tabs[at]))
			continue
		}
		ids = append(ids, tabs[at].ID)
	}
	choice := api.TabChoice{Unshare: ids}
	if share {
		choice = api.TabChoice{Share: ids}
	}
	if tabs, err = c.SharedBrowser(id).ChooseTabs(ctx, choice); err != nil {
		return err
	}
	return env.Print(tabs, func(w io.Writer) {
		writeTabs(w, tabs)
		if share {
			env.Advise(w, "Connect an agent with: cove client add CLIENT %s", paths.Quote(name))
			return
		}
		for _, one := range tabs {
			if one.Agents && slices.Contains(ids, one.ID) {
				fmt.Fprintf(w, "Agents opened %s themselves, and keep it. To take it away, close it in your browser.\n",
					title(one))
			}
		}
	})
}

// chooseTabs lists the tabs and asks for some.
func chooseTabs(
	ctx context.Context, env *command.Env, id profile.ID, tabs []api.SharedTab,
) ([]string, error) {
	if len(tabs) == 0 {
		return nil, fault.New(fault.CodeNoTab,
			"That browser has no tab to share: it shows no web page, or the rules for sites close what it shows.",
			"Open a web page there, or see the rules with: cove policy show "+id.String())
	}
	t := command.Columns(env.Err)
	for i, one := range tabs {
		command.Row(t, append([]string{strconv.Itoa(i + 1)}, columns(one)...)...)
	}
	_ = t.Flush()
	line, err := env.Prompt(ctx, "Which tabs? (numbers; leave empty to cancel) ")
	if err != nil {
		return nil, err
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' })
	if len(words) == 0 {
		return nil, fault.Invalidf("Nothing was changed.").WithHint("Type the numbers of tabs when you are asked.")
	}
	return words, nil
}

// numbered returns the tab that has a number in the list.
func numbered(tabs []api.SharedTab, word string) (at int, err error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 1 || n > len(tabs) {
		return 0, fault.New(fault.CodeNoPage, "There is no tab "+word+" in the list.",
			fmt.Sprintf("The list has %s. Run it again, and choose a number of it.", wording.Count(len(tabs), "tab")))
	}
	return n - 1, nil
}

// noList is the next step for who has not named one tab.
const noList = "Name a part of the tab's URL or title, or leave TAB out to choose from the list."

// find returns the tab that a word names, or several that it could name. A number names none: the tab that had it in
// a list before may be closed.
func find(tabs []api.SharedTab, word string, share bool) (at int, several []int, err error) {
	if command.OnlyDigits(word) {
		return 0, nil, fault.Invalidf("The number %s names a tab only while the list is shown.", word).WithHint(noList)
	}
	if at := slices.IndexFunc(tabs, func(t api.SharedTab) bool { return t.ID == word }); at >= 0 {
		return at, nil, nil
	}
	small, bare := strings.ToLower(word), strings.TrimSuffix(word, "/")
	exact := matching(tabs, func(t api.SharedTab) bool { return strings.TrimSuffix(t.URL, "/") == bare })
	found := matching(tabs, func(t api.SharedTab) bool {
		return strings.Contains(strings.ToLower(t.URL), small) || strings.Contains(strings.ToLower(t.Title), small)
	})
	if len(exact) > 0 {
		found = exact
	}
	if !share { // only a tab that agents see can be hidden
		seen := slices.DeleteFunc(slices.Clone(found), func(i int) bool { return !tabs[i].Shared && !tabs[i].Agents })
		if len(seen) > 0 {
			found = seen
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil, nil
	case 0:
		return 0, nil, fault.New(fault.CodeNoPage, fmt.Sprintf("No tab has %q in its URL or title.", word),
			noList)
	}
	return 0, found, fault.New(fault.CodeAmbiguous,
		fmt.Sprintf("%d tabs have %q in their URLs or titles.", len(found), word), noList)
}

func matching(tabs []api.SharedTab, fits func(api.SharedTab) bool) (found []int) {
	for i, t := range tabs {
		if fits(t) {
			found = append(found, i)
		}
	}
	return found
}

func title(t api.SharedTab) string {
	if t.Title == "" {
		return wording.Shorten(t.URL, 60)
	}
	return wording.Shorten(t.Title, 60)
}

// writeTabs writes the tabs: all, or only some.
func writeTabs(w io.Writer, tabs []api.SharedTab, only ...int) {
	t := command.Columns(w)
	for i, one := range tabs {
		if len(only) > 0 && !slices.Contains(only, i) {
			continue
		}
		command.Row(t, columns(one)...)
	}
	_ = t.Flush()
}

// columns is what a list says of a tab.
func columns(one api.SharedTab) []string {
	state := ""
	switch {
	case one.Shared:
		state = "shared"
	case one.Agents:
		state = "opened by agents"
	}
	return []string{wording.Shorten(one.Title, 40), wording.Shorten(one.URL, 60), state}
}
