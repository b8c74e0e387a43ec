package adspower

import (
	"maps"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/httpapi/input"
	"cove/internal/httpapi/permit"
	"cove/internal/profile"
	"cove/internal/session"
)

// launchArgs is the field with the browser's arguments.
const launchArgs = "launch_args"

// startNames are the fields of a start that have an effect.
var startNames = []string{"user_id", "profile_id", "serial_number", "profile_no", "headless", "open_tabs",
	"last_opened_tabs", launchArgs}

// startOptions reads how to open a profile, and returns the names of the fields that have no effect.
func (s *Server) startOptions(c *request) (o session.Options, ignored []string, err error) {
	if ignored, err = c.startIgnores(); err != nil {
		return o, nil, err
	}
	o.Mode = session.Automation
	if o.Headless, err = c.flag("headless"); err != nil {
		return o, nil, err
	}
	// open_tabs is 1 for none; last_opened_tabs is 0 for none.
	if o.NoTabs, err = c.flag("open_tabs"); err != nil {
		return o, nil, err
	}
	last, err := c.flag("last_opened_tabs")
	if err != nil {
		return o, nil, err
	}
	if c.says("last_opened_tabs") && !last {
		o.NoTabs = true
	}
	if !c.says(launchArgs) {
		return o, ignored, nil
	}

	if err := c.requireKey(); err != nil { // also where a start needs none: arguments decide more than a start does
		return o, nil, err
	}
	list, err := c.list(launchArgs, false)
	if err != nil {
		return o, nil, err
	}
	launch, headless, err := readLaunch(list)
	o.Launch, o.Headless = launch, o.Headless || headless
	return o, ignored, err
}

// startIgnores returns the names of the fields that a start ignores. It refuses those that could be meant to change who
// the profile is, and misspelled ones.
func (c *request) startIgnores() (ignored []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.fields)) {
		if slices.Contains(startNames, name) {
			continue
		}
		if _, yes := input.Decides(name); yes && !input.SaysNothing(c.fields[name]) {
			if err := c.requireKey(); err != nil {
				return nil, err
			}
			return nil, fault.Fieldf(input.Clip(name),
				"Starting a profile cannot change its identity, so %q is not allowed.", input.Clip(name)).
				WithHint("Change the profile first, with /api/v1/user/update.")
		}
		if known := input.Meant(name, startNames); known != "" {
			return nil, fault.Fieldf(input.Clip(name), "Starting a profile has no option %q.", input.Clip(name)).
				WithHint("Did you mean " + known + "?")
		}
		ignored = append(ignored, name)
	}
	return ignored, nil
}

// readLaunch reads the browser's arguments: a bare address is a page to open, and --headless is an option of the start.
func readLaunch(list []string) (launch *session.Launch, headless bool, err error) {
	trial := profile.Profile{Name: "trial"}
	for _, arg := range list {
		arg = strings.TrimSpace(arg)
		name, _, _ := strings.Cut(strings.ToLower(arg), "=")
		switch {
		case arg == "":
		case !strings.HasPrefix(arg, "-"):
			trial.StartPages = append(trial.StartPages, arg)
		case strings.TrimLeft(name, "-") == "headless":
			headless = headless || !strings.HasSuffix(strings.ToLower(arg), "=false")
		default:
			trial.Args = append(trial.Args, arg)
		}
	}
	if err := trial.Clean(); err != nil {
		return nil, false, fault.In(launchArgs, err)
	}
	return &session.Launch{Args: trial.Args, Pages: trial.StartPages}, headless, nil
}

// mayLaunch asks the person where only the person may give a profile these arguments.
func (s *Server) mayLaunch(c *request, p profile.Profile, o session.Options) error {
	if o.Launch == nil {
		return nil
	}
	after := p
	after.Args = o.Launch.Args
	if action := permit.NeedsPerson(p, after, true); action != "" {
		return c.RequirePersonFor(action)
	}
	return nil
}
