package pages

func (r *runner) tabs() verb {
	return words("tabs", "List the open tabs", "  cove page tabs", 0, 0,
		func([]string) (plan, error) { return one(headNone, "list_pages", arguments{}) })
}

func (r *runner) selectTab() verb {
	var take bool
	const example = "  cove page tab 4\n  cove page tab 4 --take"
	v := words("tab N", "Choose the tab that the next commands mean", example, 1, 1, func(args []string) (plan, error) {
		n, err := numberOf(args[0])
		return plan{steps: []step{{"select_page", arguments{"pageId": n}.set("take", take)}}, head: headTab}, err
	})
	v.cmd.Flags().BoolVar(&take, "take", false, "take it from the agent that has it")
	return v
}

func (r *runner) closeTab() verb {
	return words("close [N]", "Close a tab", "  cove page close 4", 0, 1, func(args []string) (plan, error) {
		a := arguments{}
		if len(args) == 1 {
			n, err := numberOf(args[0])
			if err != nil {
				return plan{}, err
			}
			a["pageId"] = n
		}
		return one(headOK, "close_page", a)
	})
}

func (r *runner) dialog() verb {
	return words("dialog accept [TEXT]|dismiss", "Answer the page's dialog",
		"  cove page dialog accept\n  cove page dialog accept 'a name'\n  cove page dialog dismiss", 1, 2,
		func(args []string) (plan, error) {
			a := arguments{"action": args[0]}
			if len(args) == 2 {
				a["promptText"] = args[1]
			}
			return one(headOK, "handle_dialog", a)
		})
}

func (r *runner) downloads() verb {
	var wait bool
	v := words("downloads", "List the downloads and their files", "  cove page downloads --wait", 0, 0,
		func([]string) (plan, error) {
			return one(headNone, "list_downloads", arguments{}.set("wait", wait).set("timeout", r.milliseconds()))
		})
	v.cmd.Flags().BoolVar(&wait, "wait", false, "wait until none is under way")
	return v
}
