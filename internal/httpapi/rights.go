package httpapi

import (
	"errors"
	"slices"

	"cove/internal/fault"
	"cove/internal/profile"
)

// needsPerson says which part of a change only the person can make, and returns "" when a credential is enough. It
// compares the profile before and after instead of the fields that were sent, because a PUT also changes what it leaves
// out. found says that Cove found the new browser by itself.
func needsPerson(before, after profile.Profile, found bool) (action string) {
	browser, args := before.Browser != after.Browser, !slices.Equal(before.Args, after.Args)
	// These could bypass the site rules. Behind a proxy, the proxy resolves names.
	if before.Policy.Binds() && (browser || args || before.Proxy != after.Proxy) {
		return "change the browser, the arguments or the proxy of a profile that has rules"
	}
	if browser && after.Browser != "" && !found {
		return unknownBrowser
	}
	for _, arg := range after.PersonsArgs() {
		if !slices.Contains(before.Args, arg) {
			return "give a profile the argument " + clip(arg)
		}
	}
	return ""
}

// unknownBrowser describes the choice of a browser that Cove did not find: it runs a program of the caller's choice.
const unknownBrowser = "give a profile a browser that `cove browser list` does not show"

// requirePersonFor requires the person and the PIN, and says what for.
func (c *call) requirePersonFor(action string) error {
	err := first(c.requirePerson, c.confirm)
	if f := (*fault.Error)(nil); errors.As(err, &f) && f.Code == fault.CodeNotPerson {
		return fault.New(f.Code, "Only the user can "+action+".",
			"Do it in Cove's window or on the command line; an API token is not enough.")
	}
	return err
}

// mayMake refuses new profiles that the caller may not create. It asks the person once for all of them.
func (c *call) mayMake(ps ...profile.Profile) error {
	var none profile.Profile
	var browsers []string
	action := ""
	for _, p := range ps {
		if p.Browser != "" && !slices.Contains(browsers, p.Browser) {
			browsers = append(browsers, p.Browser)
			if !c.server.config.Machine.FoundBrowser(c.Context(), p.Browser) {
				action = unknownBrowser
			}
		}
		if action == "" {
			action = needsPerson(none, p, true)
		}
	}
	if action != "" {
		if err := c.requirePersonFor(action); err != nil {
			return err
		}
	}
	for _, path := range browsers { // it runs the program, so it comes last
		if err := c.server.config.Machine.CheckBrowser(c.Context(), path); err != nil {
			return fault.In("browser", err)
		}
	}
	return nil
}

// mayChange refuses a change of a profile that the caller may not make. granted reports whether the person made it.
func (c *call) mayChange(before, after profile.Profile) (granted bool, err error) {
	browser := after.Browser != before.Browser && after.Browser != ""
	found := browser && c.server.config.Machine.FoundBrowser(c.Context(), after.Browser)
	if action := needsPerson(before, after, found); action != "" {
		if err := c.requirePersonFor(action); err != nil {
			return false, err
		}
		granted = true
	}
	if browser {
		return granted, fault.In("browser", c.server.config.Machine.CheckBrowser(c.Context(), after.Browser))
	}
	return granted, nil
}

// changedMeanwhile is the error for a profile that changed after it was checked.
func changedMeanwhile() error {
	return fault.New(fault.CodeProfileChanged, "Somebody else changed the profile in the meantime.",
		"Look at it and try again.")
}

// requireCredentialFor refuses a caller without a credential who sends a field that decides more than how to open a
// profile.
func (c *call) requireCredentialFor(field string) error {
	err := c.requireCredential()
	if fault.KindOf(err) != fault.Unauthenticated {
		return err
	}
	f := fault.From(err)
	if c.wrongCredential() == "" {
		f = fault.New(f.Code, "The field \""+field+"\" needs a credential.", f.Hint).WithField(field)
	}
	return f
}

// requireCredentialForProfile refuses a caller without a credential who names a browser, arguments or a proxy for a new
// profile. A start needs no credential, but these run programs and decide an identity.
func (c *call) requireCredentialForProfile(p profile.Profile) error {
	switch {
	case p.Browser != "":
		return c.requireCredentialFor("browser")
	case len(p.Args) > 0:
		return c.requireCredentialFor("args")
	case p.Proxy.Set():
		return c.requireCredentialFor("proxy")
	}
	return nil
}
